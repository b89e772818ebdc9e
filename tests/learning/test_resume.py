"""A run that was stopped, wherever, goes on and ends in the same bytes as one that never was."""

import pytest
from lessons import lesson, small_network, small_trainer
from runs import fingerprints

from helpanna.learning import trainer as trainer_module
from helpanna.learning.journal import Journal

SETTINGS = {"iterations": 3, "save_every": 2, "evaluate_every": 2, "budget": 3, "batch_size": 3}
BEYOND_THE_PAPER = {"average": 0.5, "sight_dropout": 0.3}


class Killed(BaseException):
    """Not an error that anyone handles."""


def train(run, on_iteration=None, until=None):
    small = lesson(tasks=12, validation=4)
    trainer = small_trainer(
        run, small, small_network(small, hidden=8, dropout=0.3), **SETTINGS, **BEYOND_THE_PAPER
    )
    return trainer.train(on_iteration, until)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The files of a run that was never stopped."""
    run = tmp_path_factory.mktemp("whole")
    train(run)
    return fingerprints(run)


@pytest.mark.slow
@pytest.mark.parametrize("iteration", [1, 3])
def test_a_run_stopped_by_an_exception_goes_on(tmp_path, whole, iteration):
    def stop(done, figures):
        if done == iteration:
            raise Killed

    with pytest.raises(Killed):
        train(tmp_path, stop)
    assert fingerprints(tmp_path) != whole
    assert train(tmp_path).iteration == 3
    assert fingerprints(tmp_path) == whole


@pytest.mark.slow
def test_a_run_may_be_done_in_parts(tmp_path, whole):
    assert [train(tmp_path, until=end).iteration for end in (1, None)] == [1, 3]
    assert fingerprints(tmp_path) == whole
    (tmp_path / ".last.1.old").mkdir()  # as a killed process leaves it
    (tmp_path / ".checkpoint.safetensors.1.tmp").write_text("half")
    assert train(tmp_path).iteration == 3  # nothing is left to do
    assert fingerprints(tmp_path) == whole


@pytest.mark.slow
@pytest.mark.parametrize("writes", range(8))
def test_a_run_stopped_between_any_two_writes_goes_on(tmp_path, whole, monkeypatch, writes):
    """After this many of the writes of the log, an agent or the checkpoint."""
    written = []

    def interrupted(original):
        def function(*arguments, **options):
            written.append(original.__name__)
            if len(written) > writes:
                raise Killed  # and nothing is written any more
            original(*arguments, **options)

        return function

    places = (trainer_module, "save_checkpoint"), (trainer_module, "save_agent"), (Journal, "flush")
    with monkeypatch.context() as patch:
        for place, name in places:
            patch.setattr(place, name, interrupted(getattr(place, name)))
        with pytest.raises(Killed):
            train(tmp_path)
    train(tmp_path)
    assert fingerprints(tmp_path) == whole
    # At iteration 2 and at the end, and when the log is closed.
    order = ["save_agent", "flush", "save_agent", "save_checkpoint", "flush", "save_agent", "save_checkpoint"]
    assert written[: writes + 1] == [*order, "flush"][: writes + 1]
