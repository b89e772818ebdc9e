import numpy as np
import pytest
from random_episodes import corridor, random_trajectories, scripted
from splits import sample_split

from helpanna.evaluation.answers import answer_progress
from helpanna.evaluation.bootstrap import Interval
from helpanna.evaluation.metrics import evaluate
from helpanna.evaluation.paper import SEEN, UNSEEN, comparable, paper_figures
from helpanna.evaluation.tables import (
    ANSWERS_HEADER,
    BESIDE_HEADER,
    DIFFERENCES_HEADER,
    METRICS_HEADER,
    answer_rows,
    beside_paper_rows,
    condition_rows,
    difference_rows,
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
    assert ("success rate", "100.00 %", "100.00 to 100.00", "100.00 to 100.00") in rows
    assert ("navigation error", "1.00 m", "1.00 to 1.00", "1.00 to 1.00") in rows
    assert not any("requests where" in row[0] for row in rows)
    assert {len(row) for row in rows} == {len(METRICS_HEADER)}


def test_every_figure_has_a_row_that_explains_itself():
    split = sample_split()
    figures = evaluate(split, random_trajectories(split, np.arange(50), ask=0.5))
    assert not any(np.isnan(figure.value) for figure in figures.values())
    rows = metric_rows(figures) + condition_rows(figures)
    assert len({row[0] for row in rows}) == len(rows) == len(figures)
    assert {"lost: it was so", "asked before: predicted", "uncertain, wrong: F1"} <= {row[0] for row in rows}
    assert not any("_" in row[0] for row in rows)


def test_differences():
    split = sample_split()
    ours, theirs = (evaluate(split, random_trajectories(split, np.arange(50), seed=seed)) for seed in (0, 1))
    change = {"success_rate": Interval(0.0512, -0.01, 0.1, 0, 0), "spl": Interval(*[np.nan] * 5)}
    rows = difference_rows(ours, theirs, change)
    a, b = (shown("success_rate", figures["success_rate"].value) for figures in (ours, theirs))
    assert rows == [("success rate", a, b, "5.12", "-1.00 to 10.00")]
    assert len(rows[0]) == len(DIFFERENCES_HEADER)


def test_only_matterport_stands_beside_the_paper():
    assert comparable("Matterport3D; objects: REVERIE")
    assert not comparable("helpanna houses, kind town, seed 0") and not comparable("")


def test_re_asks_are_counted_as_the_paper_counts_them():
    # At 1 twice, but the first request there: no re-ask by the code that made the paper's figures.
    figures = evaluate(corridor(), scripted(corridor(), 1, [0, 1, "ask"]))
    assert figures["help_request_repeat"].value == 1 and figures["help_request_repeat_asked"].value == 0
    assert beside_paper_rows("val_unseen", figures)[0][-1] == "0.00"


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
            "help_request_repeat_asked": 0.1080,
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
