import numpy as np
import pytest
from random_episodes import corridor, random_trajectories, scripted
from splits import sample_split

from helpanna.evaluation.answers import answer_progress
from helpanna.evaluation.metrics import evaluate
from helpanna.evaluation.paper import SEEN, UNSEEN, paper_figures
from helpanna.evaluation.tables import (
    ANSWERS_HEADER,
    BESIDE_HEADER,
    METRICS_HEADER,
    answer_rows,
    beside_paper_rows,
    metric_rows,
    shown,
)


def test_figures_as_people_read_them():
    assert shown("success_rate", 0.45432) == "45.43 %"
    assert shown("navigation_error", 8.0449) == "8.04 m"
    assert shown("requests_per_task", 2.7) == "2.70"
    assert shown("spl", None) == "" == shown("spl", np.nan)


def test_metric_rows_leave_out_what_is_undefined():
    rows = metric_rows(evaluate(corridor(), scripted(corridor(), 4, [5, "stop"])))
    assert ("success rate", "100.00 %", "100.00 % to 100.00 %") in rows
    assert ("navigation error", "1.00 m", "1.00 m to 1.00 m") in rows
    assert "help request repeat" not in [row[0] for row in rows]
    assert {len(row) for row in rows} == {len(METRICS_HEADER)}


def test_the_papers_figures():
    assert paper_figures("val_unseen") is UNSEEN is paper_figures("test_unseen")
    assert paper_figures("val_seen") is SEEN is paper_figures("test_seen")
    assert paper_figures("train") == {}
    assert UNSEEN["Learned (final)"] == pytest.approx(
        {
            "success_rate": 0.4543,
            "spl": 0.2502,
            "navigation_error": 8.04,
            "requests_per_task": 4.4,
            "navigation_mistake_repeat": 0.2053,
            "help_request_repeat": 0.1080,
        }
    )


def test_beside_the_paper():
    rows = beside_paper_rows("val_seen", evaluate(corridor(), scripted(corridor(), 4, [5, "stop"])))
    assert rows[0] == ("this agent", "100.00", "100.00", "1.00", "0.00", "0.00", "")
    assert ("RandomAsk", "78.40", "", "", "4.10", "", "") in rows
    assert {len(row) for row in rows} == {len(BESIDE_HEADER)} and len(rows) == 1 + len(SEEN)


def test_answers():
    split = sample_split()
    rows = answer_rows(answer_progress(split, random_trajectories(split, np.arange(50), ask=0.5)))
    assert sum(float(row[2].split()[0]) for row in rows) == pytest.approx(100, abs=0.1)
    assert {len(row) for row in rows} == {len(ANSWERS_HEADER)}
