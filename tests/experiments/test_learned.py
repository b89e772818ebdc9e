"""The experiments' tables and figures, from figures that are known."""

import json
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg


def test_a_table_of_results(experiment):
    row = {
        "success_rate": {"value": 0.5, "low": 0.25, "high": 0.75},
        "requests_per_task": {"value": 2, "low": 1, "high": 3},
    }
    table = experiment("shared").results_table("agent", {"explorer": row}, tuple(row))
    assert table == [
        "| agent | SR % | requests |",
        "| --- | --- | --- |",
        "| explorer | 50.0 (25.0 to 75.0) | 2.00 (1.00 to 3.00) |",
    ]


def test_what_was_evaluated_is_not_run_again(experiment, tmp_path, monkeypatch):
    shared = experiment("shared")
    run = []
    monkeypatch.setattr(shared, "helpanna", lambda *a, capture: run.append(a) or '{"spl": 1}')
    for _ in range(2):
        assert shared.evaluated(tmp_path / "x.y", Path("d"), "val_seen", "explorer", "--tasks", 5) == {
            "spl": 1
        }
    assert len(run) == 1 and run[0][-2:] == ("--tasks", 5)
    assert (tmp_path / "x.y.json").exists()


def test_legends_hide_no_line_and_axes_begin_at_zero(experiment, tmp_path, monkeypatch):
    learned = experiment("learned")
    log = [
        {"iteration": i, **dict.fromkeys(("navigation", "curiosity", "ask", "conditions"), 9 - i)}
        | {"success": 0.9, "requests": 5.0}
        for i in range(1, 9)
    ]
    for split, rate in (("val_seen", 1.0), ("val_unseen", 0.5)):
        log += [
            {"iteration": i, f"{split}/success_rate": rate, f"{split}/requests_per_task": 4} for i in (4, 8)
        ]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, log)))
    drawn = []
    monkeypatch.setattr(learned, "save", lambda figure, path: drawn.append(figure))
    learned.draw_curves(tmp_path, tmp_path / "curves.svg")
    (figure,) = drawn
    FigureCanvasAgg(figure).draw()  # sets everything in its place
    left, middle, _ = figure.axes
    assert left.get_ylim()[0] == middle.get_ylim()[0] == 0 and left.get_ylim()[1] >= 100
    for axes in figure.axes:
        legend, plot = axes.get_legend().get_window_extent(), axes.get_window_extent()
        assert legend.y1 <= plot.y0 and legend.y0 >= 0  # below the plot, and on the page
        assert legend.x0 >= 0 and legend.x1 <= figure.bbox.x1
