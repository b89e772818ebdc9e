"""Room-to-Room and its neighbours on real data: what non-learning agents reach, beside what is published."""

import numpy as np
import pytest

from helpanna.agents.heuristics import RandomHeading
from helpanna.agents.skylines import Shortest
from helpanna.assistance.assistants import Absent
from helpanna.cli.main import main
from helpanna.episodes.outcomes import outcomes_of
from helpanna.evaluation.metrics import evaluate
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.check import check_dataset

pytestmark = pytest.mark.slow

SEEDS = 12


@pytest.fixture(scope="module")
def build(imported, real_data, tmp_path_factory):
    """A checked dataset of a kind, of these files."""

    def run(kind, *files, options=()):
        out = tmp_path_factory.mktemp("kind") / kind
        source = ["--worlds", str(imported[0]), "--routes", *(str(real_data / file) for file in files)]
        main(["tasks", "build", "--kind", kind, *source, "--out", str(out), *options])
        return check_dataset(out)

    return run


def random_outcomes(split):
    """Outcomes of Room-to-Room's Random agent, with several seeds."""
    return [
        outcomes_of(split, run_episodes(split, RandomHeading(seed), Absent(), range(len(split))))
        for seed in range(SEEDS)
    ]


def near(published, draws):
    """Whether one published run could be one of these: no further from their mean than three spreads."""
    return abs(published - np.mean(draws)) < 3 * np.std(draws, ddof=1)


def test_room_to_room(build):
    dataset = build("r2r", "R2R_train.json", "R2R_val_seen.json")
    assert [len(dataset.split(name)) for name in dataset.names] == [14_039, 1_021]
    split = dataset.split("val_seen")
    outcomes = random_outcomes(split)
    assert near(0.159, [o.success.mean() for o in outcomes])
    assert near(9.45, [o.final_distance.mean() for o in outcomes])
    assert near(9.58, [o.metres.mean() for o in outcomes])
    figures = evaluate(split, run_episodes(split, Shortest(split), Absent(), range(len(split))))
    for name in ("success_rate", "spl", "ndtw", "sdtw"):
        assert figures[name].value > 0.9999, name


def test_room_for_room_has_as_many_tasks_as_published(build):
    assert len(build("r4r", "R2R_val_seen.json").split("val_seen")) == 1_035


@pytest.mark.parametrize(
    ("supervision", "published"), [("oracle", 8.29), ("navigator", 7.63), ("mixed", 9.52)]
)
def test_dialogue_history(build, supervision, published):
    split = build("ndh", "NDH_val_seen.json", options=["--supervision", supervision]).split("val_seen")
    assert len(split) == 382
    shortest = run_episodes(split, Shortest(split), Absent(), range(len(split)))
    assert evaluate(split, shortest)["goal_progress"].value == pytest.approx(published, abs=0.005)
    if supervision == "mixed":
        walks = [
            run_episodes(split, RandomHeading(seed), Absent(), range(len(split))) for seed in range(SEEDS)
        ]
        assert near(0.42, [evaluate(split, walk)["goal_progress"].value for walk in walks])


def test_reverie(build):
    dataset = build("reverie", "REVERIE_train.json", "REVERIE_val_seen.json")
    split = dataset.split("val_seen")
    assert (len(dataset.split("train")), len(split)) == (10_290, 1_384)
    # The described paths end where the object is in sight, but for a few that the annotations lack.
    ends = split.references.end
    assert (split.goal_sets.distance_from(split.goal_set, ends) == 0).mean() > 0.99
    figures = evaluate(split, run_episodes(split, Shortest(split), Absent(), range(len(split))))
    for name in ("success_rate", "spl", "rgs", "rgspl"):
        assert figures[name].value > 0.9999, name
