"""All that is written of a plan whose units are done: tables in four formats and one page for people."""

import base64
import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from helpanna.episodes.outcomes import outcomes_of
from helpanna.episodes.trajectory import Trajectories
from helpanna.episodes.trajectory_file import read_trajectories
from helpanna.files import atomic_file, write_json
from helpanna.reproduction.figures import all_figures
from helpanna.reproduction.formats import (
    INTERVALS,
    as_json,
    comma_separated,
    judgements,
    latex,
    markdown,
)
from helpanna.reproduction.formats import parts as table_parts
from helpanna.reproduction.parts import STYLE, paragraph, table
from helpanna.reproduction.plan import Plan
from helpanna.reproduction.rows import TABLES, split_names
from helpanna.reproduction.tables import Results, Table
from helpanna.reproduction.units import TRAJECTORIES, Evaluation, Training, Unit
from helpanna.tasks.goals import EPS_SUCCESS
from helpanna.tasks.split import Split
from helpanna.viewer.episode import episode_of
from helpanna.viewer.film import episode_webp
from helpanna.viewer.ground import plan_of

GENERATED = "helpanna houses"
"""How the source of generated houses begins: their plans and pictures may be shown to everybody."""

_EPISODES = 3
_STYLE = """
.wide { overflow-x: auto; font-size: .84rem }
.wide td, .wide th { padding-left: .4rem; padding-right: .4rem }
.wide td.words, .wide th.words { white-space: nowrap }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(24rem, 1fr)); gap: 1rem }
.figures svg { width: 100%; height: auto }
h3 { font-size: 1rem; margin: .5rem 0 }
"""
_ABOUT = (
    "The experiments of Help, Anna! (EMNLP 2019) on the dataset at hand. Every figure stands with its 95 % "
    "interval, and below each table stands, computed from paired differences on the same tasks, which of the "
    "paper's conclusions hold here."
)


def write_report(plan: Plan, title: str, budget: str) -> list[Path]:
    """Writes tables.md, tables.tex, tables.csv, tables.json and report.html into the plan's folder."""
    results = Results(plan)
    units = plan.units()
    tables = results.tables()
    runs = {unit.title: _run(unit) for unit in units}
    about = {"title": title, "budget": budget, "buildings": results.source}
    texts = {
        "tables.md": markdown(title, tables, runs),
        "tables.tex": latex(tables),
        "tables.csv": comma_separated(tables),
        "report.html": _page(title, budget, results, units, tables, runs),
    }
    for name, text in texts.items():
        with atomic_file(plan.out / name) as temporary:
            temporary.write_text(text, encoding="utf-8", newline="\n")
    write_json(plan.out / "tables.json", as_json(tables, runs, about))
    return [plan.out / name for name in (*texts, "tables.json")]


def _run(unit: Unit) -> dict[str, Any]:
    """Where a unit is and who made it; paths are relative to the folder of the reproduction."""
    record = unit.record()
    where = unit.folder.relative_to(unit.out).as_posix()
    run: dict[str, Any] = {"folder": where, "version": record["version"], "commit": record["commit"]}
    if isinstance(unit, Training):
        settings = unit.described["settings"]
        return run | {
            "seed": settings["seed"],
            "log": f"{where}/log.jsonl",
            "agent": f"{where}/{unit.agent_folder.name}",
            "network": unit.described["network"],
            "habits": unit.described["habits"],
            "settings": settings,
        }
    assert isinstance(unit, Evaluation)  # noqa: S101
    trained = isinstance(unit.navigator, Training)
    agent = unit.navigator.title if isinstance(unit.navigator, Training) else unit.navigator
    folder = (
        f"runs/{agent}/{unit.navigator.agent_folder.name}" if isinstance(unit.navigator, Training) else agent
    )
    log = f"runs/{agent}/log.jsonl" if trained else f"{where}/{TRAJECTORIES}"
    return run | {"seed": unit.seed, "log": log, "agent": f"{folder}{unit.suffix}", "split": unit.split}


def _page(
    title: str,
    budget: str,
    results: Results,
    units: Sequence[Unit],
    tables: Sequence[Table],
    runs: Mapping[str, Any],
) -> str:
    parts = [f"<h1>{html.escape(title)}</h1>", paragraph(_ABOUT), paragraph(INTERVALS)]
    parts.append(paragraph(f"Buildings: {results.source}. Budget: {budget}."))
    for one in tables:
        parts.append(f"<h2>{html.escape(one.title)}</h2>")
        parts += [_scrolled(table(head, rows)) for head, rows in table_parts(one)]
        parts.append(paragraph(one.note))
        if one.conclusion:
            parts.append(f"<p><b>{html.escape(one.conclusion)}</b></p>")
        if one.found:
            parts.append(_scrolled(table(*judgements(one), words=2)))
    drawn = [
        f"<figure><h3>{html.escape(name)}</h3>{svg}</figure>"
        for name, svg in all_figures(results, units).items()
    ]
    parts.append(f'<h2>Figures</h2><div class="figures">{"".join(drawn)}</div>')
    parts += _episodes(results)
    head = ("unit", "seed", "version", "commit", "log", "agent")
    made = [[name, *(str(run.get(key) or "") for key in head[1:])] for name, run in runs.items()]
    parts += ["<h2>Runs</h2>", _scrolled(table(head, made, words=6))]
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{html.escape(title)}</title>'
        f"<style>{STYLE}{_STYLE}</style>\n" + "\n".join(parts) + "\n</html>\n"
    )


def _scrolled(part: str) -> str:
    """A table that may be wider than the page."""
    return f'<div class="wide">{part}</div>'


def _episodes(results: Results) -> list[str]:
    """A few episodes of the learned agent: as moving pictures in generated houses, else in figures alone."""
    tables = [key for key in results.plan.tables if "learned" in TABLES[key].rows]
    names = results.plan.dataset.names
    split_name = split_names("unseen", names) or split_names("seen", names)
    evaluated = {split for key in tables for split in results.plan.splits(key)}
    if split_name is None or split_name not in evaluated:
        return []
    evaluation = results.plan.evaluations("learned", split_name)[0]
    split = results.plan.dataset.split(split_name)
    trajectories = read_trajectories(evaluation.folder / TRAJECTORIES, split)
    chosen = _telling(split, trajectories)
    heading = "<h2>Episodes of the learned agent</h2>"
    if not split.atlas.source.startswith(GENERATED):
        return [heading, _in_figures(split, trajectories.select(np.array(chosen)))]
    return [
        heading,
        *(_film(split, trajectories.select(np.array([one])), evaluation.title) for one in chosen),
    ]


def _film(split: Split, trip: Trajectories, who: str) -> str:
    """One episode as a moving picture."""
    episode = episode_of(split, trip)
    plan = plan_of(split, split.atlas.world_id(episode["world"]))
    film = base64.b64encode(episode_webp(split, plan, episode, who)).decode()
    said = html.escape(f"{episode['request']}: the way that the agent took")
    return f'<p><img src="data:image/webp;base64,{film}" alt="{said}"></p>'


def _telling(split: Split, trajectories: Trajectories) -> list[int]:
    """The first success with help, the first failure with help, the first without a request; or any."""
    success = outcomes_of(split, trajectories).final_distance <= EPS_SUCCESS
    asked = trajectories.asked.any(axis=1)
    kinds = (success & asked, ~success & asked, ~asked)
    first = [int(np.flatnonzero(kind)[0]) for kind in kinds if kind.any()]
    return (first or [0])[:_EPISODES]


def _in_figures(split: Split, trajectories: Trajectories) -> str:
    """Episodes without plan, pictures or instructions: those are for people who have the data themselves."""
    outcomes = outcomes_of(split, trajectories)
    rows = [
        [
            split.texts[split.goal_set[task]],
            str(outcomes.building[i]),
            str(outcomes.requests[i]),
            f"{outcomes.metres[i]:.1f}",
            f"{outcomes.shortest[i]:.1f}",
            f"{outcomes.final_distance[i]:.1f}",
        ]
        for i, task in enumerate(trajectories.task)
    ]
    head = ("request", "building", "requests", "metres walked", "shortest way", "metres left at the end")
    return table(head, rows, words=2)
