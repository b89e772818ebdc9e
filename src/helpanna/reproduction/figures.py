"""The figures of the report, as SVG text; the same results give the same bytes."""

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.evaluation.bootstrap import Interval, Ratio, intervals
from helpanna.learning.journal import read_log
from helpanna.reproduction.rows import CONDITIONS, LEARNERS, ROWS, TABLES, split_names
from helpanna.reproduction.tables import Results
from helpanna.reproduction.units import Shares, Training, Unit

COLOURS = ("#4a6fa5", "#c8602d", "#3c8d5a", "#8d6cab", "#b3261e", "#7a6a4f", "#2d9cb8", "#999999")


def all_figures(results: Results, units: Sequence[Unit]) -> dict[str, str]:
    """Every figure that the results have something for, by its title."""
    compared = [row for row in ROWS if _shares(results, row) is not None]
    trained = [row for row in compared if ROWS[row].is_trained]
    main = [row for row in ("no_assistance", "learned", "perfect") if row in compared]
    figures: dict[str, str] = {}
    if compared:
        figures["Success against requests"] = _draw(lambda axes: _against_requests(axes, results, compared))
    runs = [unit for unit in units if isinstance(unit, Training)]
    if runs:
        figures["Learning curves"] = _draw(lambda axes: _learning_curves(axes, runs))
    if "learned" in trained and _has_conditions(results):
        figures["Conditions, predicted and true"] = _draw(lambda axes: _condition_bars(axes, results))
    if main:
        figures["Metres walked"] = _draw(lambda axes: _path_lengths(axes, results, main))
        figures["Success by distance"] = _draw(lambda axes: _by_distance(axes, results, main))
        figures["Success by building"] = _draw(lambda axes: _by_building(axes, results, main))
    return figures


def _shares(results: Results, row: str) -> Shares | None:
    """On unseen buildings, or where there are none on seen ones; None if it was not evaluated there."""
    for place in ("unseen", "seen"):
        for table in results.plan.tables:
            splits = results.plan.splits(table)
            if row in TABLES[table].rows and split_names(place, results.plan.dataset.names) in splits:
                return results.shares(row, place)
    return None


def _found(results: Results, row: str) -> Shares:
    shares = _shares(results, row)
    assert shares is not None, row  # noqa: S101  # asked only for rows that are there
    return shares


def _has_conditions(results: Results) -> bool:
    return "lost_predicted" in _found(results, "learned").ratios


def _draw(fill: Callable[[Any], None]) -> str:
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "helpanna", "svg.fonttype": "none"}):
        figure = Figure(figsize=(6.4, 4.2), layout="constrained")
        axes = figure.subplots()
        fill(axes)
        axes.grid(alpha=0.3)
        axes.set_axisbelow(True)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
    text = file.getvalue()
    return text[text.index("<svg") :]


def _legend(axes: Any, columns: int = 3) -> None:
    axes.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=columns)


def _against_requests(axes: Any, results: Results, rows: Sequence[str]) -> None:
    for number, row in enumerate(rows):
        shares = _found(results, row)
        both = {name: shares.ratios[name] for name in ("requests_per_task", "success_rate")}
        x, y = intervals(both, shares.sample).values()
        axes.errorbar(
            x.value,
            100 * y.value,
            xerr=[[x.value - x.low], [x.high - x.value]],
            yerr=[[100 * (y.value - y.low)], [100 * (y.high - y.value)]],
            fmt="o" if number < len(COLOURS) else "s",
            color=COLOURS[number % len(COLOURS)],
            label=ROWS[row].label,
        )
    axes.set_xlim(-0.2, max(1.0, axes.get_xlim()[1]))
    axes.set_xlabel("requests a task")
    axes.set_ylabel("success rate, %")
    axes.set_ylim(-2, 102)
    _legend(axes)


def _learning_curves(axes: Any, runs: Sequence[Training]) -> None:
    """Success on the last validation split by iteration; one line a run, one colour a learner."""
    drawn: set[str] = set()
    names = list(LEARNERS)
    for run in runs:
        learner = run.name.rsplit("-", 1)[0]
        lines = read_log(run.folder)
        keys = sorted({key for line in lines for key in line if key.endswith("/success_rate")})
        key = keys[-1] if keys else "success"
        points = [(line["iteration"], 100 * line[key]) for line in lines if key in line]
        axes.plot(
            *zip(*points, strict=True),
            color=COLOURS[names.index(learner) % len(COLOURS)],
            linestyle="-" if names.index(learner) < len(COLOURS) else "--",
            linewidth=1.2,
            marker="o",
            markersize=2.5,
            label=None if learner in drawn else learner.replace("_", " "),
        )
        drawn.add(learner)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("iteration")
    axes.set_ylabel("success on validation, %")
    axes.set_ylim(-2, 102)
    _legend(axes, 4)


def _condition_bars(axes: Any, results: Results) -> None:
    shares = _found(results, "learned")
    places = np.arange(len(CONDITIONS))
    for side, (about, colour) in enumerate((("predicted", COLOURS[0]), ("true", COLOURS[1]))):
        found = [_figure(shares.ratios[f"{name}_{about}"], shares) for name in CONDITIONS]
        _bars(axes, places + 0.4 * side - 0.2, found, 0.4, colour, about)
    axes.set_xticks(places, ["lost", "uncertain, wrong", "asked before"])
    axes.set_ylabel("share of steps where help can be requested, %")
    _legend(axes)


def _path_lengths(axes: Any, results: Results, rows: Sequence[str]) -> None:
    walked = {row: _found(results, row).metres for row in rows}
    most = max(float(metres.max(initial=1.0)) for metres in walked.values())
    edges = np.linspace(0, most, 25)
    for number, (row, metres) in enumerate(walked.items()):
        weights = np.full(len(metres), 100 / max(len(metres), 1))
        axes.hist(
            metres, edges, weights=weights, histtype="step", color=COLOURS[number], label=ROWS[row].label
        )
    axes.set_xlabel("metres walked in an episode")
    axes.set_ylabel("share of episodes, %")
    _legend(axes)


def _by_distance(axes: Any, results: Results, rows: Sequence[str]) -> None:
    distance = np.concatenate([_found(results, row).start_distance for row in rows])
    edges = np.unique(np.quantile(distance, np.linspace(0, 1, 6)))
    for number, row in enumerate(rows):
        shares = _found(results, row)
        success = shares.ratios["success_rate"].numerator
        within = np.clip(np.searchsorted(edges, shares.start_distance, side="right") - 1, 0, len(edges) - 2)
        bins = [within == b for b in range(max(len(edges) - 1, 1))]
        points = [
            (float(shares.start_distance[b].mean()), 100 * float(success[b].mean())) for b in bins if b.any()
        ]
        axes.plot(*zip(*points, strict=True), "o-", color=COLOURS[number], label=ROWS[row].label)
    axes.set_xlabel("metres from the start to the nearest goal")
    axes.set_ylabel("success rate, %")
    axes.set_ylim(-2, 102)
    _legend(axes)


def _by_building(axes: Any, results: Results, rows: Sequence[str]) -> None:
    names = sorted(set(_found(results, rows[0]).sample.building.tolist()))
    width = 0.8 / len(rows)
    for number, row in enumerate(rows):
        shares = _found(results, row)
        success, building = shares.ratios["success_rate"].numerator, shares.sample.building
        rates = [100 * float(success[building == name].mean()) for name in names]
        at = np.arange(len(names)) + width * (number - (len(rows) - 1) / 2)
        axes.bar(at, rates, width, color=COLOURS[number], label=ROWS[row].label)
    axes.set_xticks(np.arange(len(names)), names, rotation=60, ha="right", fontsize=7)
    axes.set_ylabel("success rate, %")
    axes.set_ylim(0, 102)
    # Below it there are the names of the buildings.
    axes.legend(frameon=False, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(rows))


def _bars(
    axes: Any, at: NDArray[Any], found: Sequence[Interval], width: float, colour: str, label: str
) -> None:
    values = np.array([100 * f.value for f in found])
    ends = np.array([[100 * (f.value - f.low), 100 * (f.high - f.value)] for f in found]).T
    axes.bar(at, values, width, yerr=np.maximum(ends, 0), color=colour, label=label, ecolor="#555555")


def _figure(ratio: Ratio, shares: Shares) -> Interval:
    figures: Mapping[str, Interval] = intervals({"it": ratio}, shares.sample)
    return figures["it"]
