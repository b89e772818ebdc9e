"""Plans: which units the tables need, and the commands that do them again."""

import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest
from reproductions import save_whole_dataset

from helpanna.cli.main import _commands
from helpanna.cli.parsing import parse
from helpanna.errors import InputError
from helpanna.learning.settings import TrainingSettings
from helpanna.reproduction.plan import Plan, command_options
from helpanna.reproduction.rows import BUDGETS, LEARNERS, ROWS, TABLES, chosen_seeds, chosen_tables
from helpanna.reproduction.units import Training


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return save_whole_dataset(tmp_path_factory.mktemp("plan") / "dataset")


def plan_of(data, tables=tuple(TABLES), budget="quick", seeds=(1, 2), others=(1,), **options):
    out, features = data.parent / "out", Plan.choose_features(data, None)
    return Plan(data, out, BUDGETS[budget], tables, seeds, others, features, **options)


def typed(options):
    """What `helpanna train` makes of these options."""
    return parse(_commands(), "", ["train", "--data", "data", "--out", "run", *options]).chosen()


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_the_command_of_a_row_chooses_what_the_run_was_made_from(data, learner, budget):
    chosen = LEARNERS[learner].chosen(BUDGETS[budget], "annotations", 7)
    again = typed(command_options(chosen))
    assert again.described(data) == chosen.described(data)
    assert again.described(data)["settings"]["seed"] == 7


def test_each_unit_is_done_once_and_trainings_come_first(data):
    units = plan_of(data).units()
    titles = [unit.title for unit in units]
    assert len(set(titles)) == len(titles)
    kinds = [isinstance(unit, Training) for unit in units]
    assert kinds == sorted(kinds, reverse=True)
    # The rows of the main table have two seeds: no_ask and final; the 13 other learners have one.
    assert sum(kinds) == 2 * 2 + 13
    assert {unit.name.rsplit("-", 1)[0] for unit in units if isinstance(unit, Training)} == set(LEARNERS)


def test_the_first_seeds_of_all_rows_come_before_others(data):
    units = plan_of(data, seeds=(5, 3, 4), others=(5, 3)).units()
    trained = [unit.name.rsplit("-", 1) for unit in units if isinstance(unit, Training)]
    seeds = [seed for _, seed in trained]
    assert seeds == sorted(seeds, key="534".index)
    assert {learner for learner, seed in trained if seed == "5"} == set(LEARNERS)
    assert [learner for learner, seed in trained if seed == "4"] == ["no_ask", "final"]


def test_only_what_the_tables_need(data):
    assert plan_of(data, ("data",)).units() == []
    model = {unit.name for unit in plan_of(data, ("model",)).units()}
    assert model == {
        *("lstm-1", "no_curiosity-1", "final-1", "final-2"),
        *("lstm-1-val_unseen", "no_curiosity-1-val_unseen", "learned-1-val_unseen", "learned-2-val_unseen"),
    }


def test_the_fingerprint_is_of_all_that_a_unit_follows_from(data, tmp_path):
    usual = {unit.name: unit.title for unit in plan_of(data, ("main",)).units()}
    for changed in (
        plan_of(data, ("main",), budget="smoke"),
        plan_of(save_whole_dataset(tmp_path / "dataset", source="elsewhere"), ("main",)),
    ):
        other = {unit.name: unit.title for unit in changed.units()}
        assert usual.keys() == other.keys() and all(usual[name] != other[name] for name in usual)
    fewer = {unit.name: unit.title for unit in plan_of(data, ("main",), tasks=3).units()}
    for name, title in fewer.items():
        assert (title == usual[name]) == (name in ("no_ask-1", "no_ask-2", "final-1", "final-2"))
    assert {u.name: u.title for u in plan_of(data, ("model",)).units()}["final-1"] == usual["final-1"]


def test_a_setting_that_is_new_makes_no_other_unit(data, monkeypatch):
    @dataclass(frozen=True)
    class Later(TrainingSettings):
        patience: int = 5

    usual = {unit.title for unit in plan_of(data, ("main",)).units()}
    for module in ("learning.settings", "reproduction.plan"):
        monkeypatch.setattr(f"helpanna.{module}.TrainingSettings", Later)
    plan = plan_of(data, ("main",))
    assert plan.training("final", 1).described["settings"]["patience"] == 5
    assert {unit.title for unit in plan.units()} == usual


def test_validation_stands_where_there_is_no_test_split(data):
    plan = plan_of(data)
    assert plan.splits("main") == ("test_seen", "val_unseen")
    assert plan.splits("ablations") == ("val_seen", "val_unseen")
    assert plan.splits("model") == ("val_unseen",)


def test_the_commands_of_a_row(data):
    lines = [shlex.split(line) for line in plan_of(data, ("main",), "paper").commands("perfect")]
    assert [line[line.index("helpanna") + 1] for line in lines] == ["train", "evaluate", "evaluate"] * 2
    assert lines[0][0] == "OMP_NUM_THREADS=1" and lines[0][-2:] == ["--seed", "1"]
    assert "final-1/best+perfect" in lines[1] and "final-2/best+perfect" in lines[4]
    (line,) = plan_of(data, ("model",)).commands("shortest") or ["none"]
    assert line == "none"  # it is in no table of this plan
    with pytest.raises(InputError, match="there is no such row; the rows are random_walk"):
        plan_of(data).commands("longest")


def test_all_rows_can_be_shown(data):
    for row in ROWS:
        commands = plan_of(data).commands(row)
        assert commands and all(str(Path(data)) in command for command in commands)


def test_tables_and_seeds_are_read(data):
    assert chosen_tables(None) == tuple(TABLES) and chosen_tables("ask, main") == ("main", "ask")
    assert chosen_seeds("seeds", "3,1") == (3, 1)
    with pytest.raises(InputError, match="--only mine: there is no table 'mine'; the tables are data, main"):
        chosen_tables("mine")
    for wrong in ("", "1,1", "-1", "one", "1,,2"):
        with pytest.raises(InputError, match=r"--seeds is .*; give different whole numbers"):
            chosen_seeds("seeds", wrong)
