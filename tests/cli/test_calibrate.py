"""`helpanna agents calibrate` and `reliability`, for the paper's networks and for those with a map."""

import json

import numpy as np
import pytest
from learners import seen_split, untrained

from helpanna.agents.explorer import Explorer
from helpanna.agents.folders import read_config
from helpanna.agents.store import load_agent, save_agent
from helpanna.assistance.assistants import Anna
from helpanna.cli.main import main
from helpanna.errors import InputError
from helpanna.evaluation.calibration import gather
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.dataset import save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.teachers.help_request import help_request_references
from helpanna.teachers.navigation import NO_REFERENCE, navigation_references
from helpanna.worlds.storage import save_atlas

TASKS, BUDGET = np.arange(24), 8


@pytest.fixture(scope="module")
def split():
    return seen_split()


@pytest.fixture(scope="module")
def data(split, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    save_atlas(split.atlas, folder / "atlas")
    save_dataset(folder / "dataset", {"train": split}, [(split.atlas, folder / "atlas")], 0, PathRange(), {})
    return folder / "dataset"


@pytest.mark.parametrize("kind", ["hierarchical", "map"])
def test_the_evidence_is_what_the_teachers_say_of_the_same_episodes(split, kind):
    agent = untrained(split, kind, hidden=16, boldness=2)
    found = gather(split, agent, Anna(split), TASKS, BUDGET)
    done = run_episodes(split, agent, Anna(split), TASKS, BUDGET)
    wanted, way = help_request_references(split, done), navigation_references(split, done)
    assert len(found.ask) == wanted.counts.sum() > 20
    assert found.wanted.sum() == wanted.ask[wanted.counts].sum()
    known = way.action != NO_REFERENCE
    assert np.array_equal(np.sort(found.right), np.sort(way.action[known]))
    np.testing.assert_allclose(found.actions.sum(axis=1), 1, atol=1e-4)
    assert agent.hear is None  # nobody listens any more


def test_heuristics_have_no_probabilities(split):
    with pytest.raises(InputError, match="no probabilities"):
        gather(split, Explorer(), Anna(split), TASKS, BUDGET)


@pytest.mark.parametrize("kind", ["hierarchical", "map"])
def test_a_calibrated_copy_knows_better_when_help_is_wanted(split, data, tmp_path, capsys, kind):
    agent = sensible(split, kind)
    save_agent(tmp_path / "raw", agent.networks, agent.habits, agent.vocabulary, agent.space, {"seed": 1})
    where = ("--data", str(data), "--split", "train", "--tasks", "24", "--budget", "8")
    main(["agents", "calibrate", str(tmp_path / "raw"), *where, "--out", str(tmp_path / "fitted")])
    capsys.readouterr()
    fitted = load_agent(tmp_path / "fitted")
    assert fitted.habits.ask_scale != 1 and fitted.habits.ask_above == 0
    assert read_config(tmp_path / "fitted")["calibration"]["split"] == "train"

    def figures(name):
        main(["agents", "reliability", str(tmp_path / name), *where, "--json"])
        return json.loads(capsys.readouterr().out)

    raw, after = figures("raw"), figures("fitted")
    assert raw["sets"] == {}
    assert raw["calibration_error"] == raw["calibration_error_of_networks"]
    assert after["calibration_error"] < after["calibration_error_of_networks"]
    main(["agents", "reliability", str(tmp_path / "fitted"), *where])
    assert "Expected calibration error" in capsys.readouterr().out
    covered = [after["sets"][rate]["coverage"] for rate in ("0.05", "0.2", "0.5")]
    assert covered == sorted(covered, reverse=True)


def sensible(split, kind):
    """A random agent that always asks, with probabilities that by chance say something of what is wanted."""
    for seed in range(20):
        agent = untrained(split, kind, hidden=16, boldness=2, ask_above=0.0, seed=seed)
        found = gather(split, agent, Anna(split), TASKS, BUDGET)
        if np.corrcoef(found.ask, found.wanted)[0, 1] > 0.05:
            return agent
    raise AssertionError
