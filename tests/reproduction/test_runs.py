"""Working off units: each once, in order, whatever happens to some of them."""

import time
from dataclasses import dataclass

import pytest

from helpanna.engines import local_engine
from helpanna.errors import InputError
from helpanna.files import write_json
from helpanna.reproduction.runs import Status, _Clock, work_off
from helpanna.reproduction.units import DONE, STOP, Evaluation, Training, Unit


@dataclass(frozen=True)
class Step(Unit):
    """Counts to ten, or fails."""

    fails: bool = False
    seconds: float = 0.0

    @property
    def folder(self):
        return self.out / "steps" / self.title

    def work(self, tell, made_by):
        with (self.out / "diary").open("a") as diary:
            diary.write(f"{self.name} ")
        if self.fails:
            raise InputError("it cannot be done; take another.")
        for number in range(11):
            if tell(number, 10):
                return False
            time.sleep(self.seconds / 10)
        write_json(self.folder / DONE, made_by())
        return True


def steps(out, *names, **options):
    return [Step(out, name, {"name": name}, **options) for name in names]


def work(units, on_status=None):
    with local_engine(1) as submit:
        work_off(units, submit, 1, on_status)


def test_each_unit_is_done_once(tmp_path):
    work(steps(tmp_path, "a", "b"))
    units = steps(tmp_path, "a", "b", "c")
    work(units)
    assert (tmp_path / "diary").read_text() == "a b c "
    assert all(unit.is_done and unit.record()["name"] == unit.name for unit in units)


def test_one_that_cannot_be_done_keeps_nobody_from_work(tmp_path):
    units = [*steps(tmp_path, "bad", "worse", fails=True), *steps(tmp_path, "good")]
    states = []
    with pytest.raises(
        InputError, match=r"(bad|worse)-\w+: it cannot be done; take another\. \(2 units failed\)"
    ):
        work(units, lambda statuses, left: states.append([status.state for status in statuses]))
    assert [unit.is_done for unit in units] == [False, False, True]
    assert states[-1] == ["failed", "failed", "done"]


def test_what_needs_a_run_waits_for_it_and_is_left_out_if_it_fails(tmp_path):
    run = Training(tmp_path, "run", {}, {"settings": {"iterations": 1}, "data": "no/data"}, "last")
    evaluation = Evaluation(tmp_path, "walk", {}, tmp_path, "val_seen", run, "", 0, None, 5)
    states = []
    with pytest.raises(InputError, match="no/data"):
        work([evaluation, run], lambda statuses, left: states.append([s.state for s in statuses]))
    assert states[0][0] == states[-1][0] == "waiting" and states[-1][1] == "failed"


@pytest.mark.slow
def test_an_interrupt_stops_everybody_and_leaves_no_trace(tmp_path):
    units = steps(tmp_path, "long", "next", seconds=20.0)

    def interrupt(statuses, left):
        if statuses[0].state == "working":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work(units, interrupt)
    assert not any(unit.is_done for unit in units) and not (tmp_path / STOP).exists()
    assert (tmp_path / "diary").read_text() == "long "


def test_the_time_left_is_known_once_every_kind_has_been_seen(tmp_path, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("helpanna.reproduction.runs.time.monotonic", lambda: now[0])
    first, second = steps(tmp_path, "first", "second")
    clock = _Clock(workers=1)
    assert clock.left([Status(first, "working", 0.0), Status(second, "waiting", 0.0)]) is None
    now[0] = 10.0
    assert clock.left([Status(first, "working", 0.5), Status(second, "waiting", 0.0)]) == pytest.approx(30)
    now[0] = 16.0  # it became faster
    assert clock.left([Status(first, "done", 1.0), Status(second, "working", 0.0)]) == pytest.approx(16)
    now[0] = 40.0
    assert clock.left([Status(first, "done", 1.0), Status(second, "done", 1.0)]) == 0
    assert _Clock(workers=2).left([Status(first, "failed", 0.0)]) == 0
