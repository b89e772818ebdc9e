"""The paper's conclusions: what the data say of them."""

import re
from dataclasses import dataclass

import numpy as np
import pytest

from helpanna.evaluation.bootstrap import Interval, Ratio, Sample
from helpanna.evaluation.paper import paper_figures, validation_figures
from helpanna.reproduction.claims import CLAIMS, Claim, Found, conclusion, judged, verdict
from helpanna.reproduction.rows import ROWS, TABLES
from helpanna.reproduction.units import Shares

TASKS = 200


@dataclass(frozen=True)
class Made:
    """Rows with these rates of success: 200 tasks in ten buildings, half of the tasks hard for everybody."""

    rates: dict

    def shares(self, row, place):
        if place != "unseen" or row not in self.rates:
            return None
        task = np.arange(TASKS)
        # The same tasks succeed for all who succeed as often: only the surplus tells two rows apart.
        success = ((task * 37) % TASKS) / TASKS < self.rates[row]
        ones = np.ones(TASKS)
        ratios = {"success_rate": Ratio(success, ones), "other": Ratio(~success, ones)}
        sample = Sample((task % 10).astype(str), task, np.zeros(TASKS, dtype=int))
        return Shares(ratios, sample, ones, ones)


def found(rates, **changes):
    claim = Claim(
        **({"says": "it", "place": "unseen", "metric": "success_rate", "row": "a", "than": "b"} | changes)
    )
    return judged([claim], Made(rates))


@pytest.mark.parametrize(
    ("rates", "less", "says"),
    [
        ({"a": 0.6, "b": 0.4}, False, "holds"),
        ({"a": 0.4, "b": 0.6}, False, "does not hold"),
        ({"a": 0.4, "b": 0.6}, True, "holds"),
        ({"a": 0.6, "b": 0.4}, True, "does not hold"),
        ({"a": 0.5, "b": 0.5}, False, "open"),
        ({"a": 0.505, "b": 0.5}, False, "open"),  # one task of 200
    ],
)
def test_a_conclusion_is_judged_by_the_interval_of_the_difference(rates, less, says):
    (one,) = found(rates, less=less)
    assert one.verdict == says
    assert one.difference.value == pytest.approx(rates["a"] - rates["b"])


def test_the_difference_is_paired():
    """Four points among 200 tasks are far within each interval, but the tasks are the same."""
    (one,) = found({"a": 0.54, "b": 0.5})
    assert one.verdict == "holds" and one.difference.low > 0


def test_a_number_and_another_figure_can_be_compared_with():
    assert found({"a": 0.02}, than=0.07, less=True)[0].verdict == "holds"
    assert found({"a": 0.3}, than=0.07, less=True)[0].verdict == "does not hold"
    assert found({"a": 0.8}, than="a", than_metric="other")[0].verdict == "holds"


def test_nothing_is_said_where_there_are_no_data():
    assert found({"a": 0.5}) == [] and found({"a": 0.5, "b": 0.4}, place="seen") == []
    assert found({"a": 0.5, "b": 0.4}, metric="spl") == []
    assert "no split" in conclusion([])


def test_one_sentence_says_what_holds_and_what_does_not():
    rates = {"a": 0.6, "b": 0.4, "c": 0.6}
    claims = [
        Claim("a beats b", "unseen", "success_rate", "a", "b"),
        Claim("b beats a", "unseen", "success_rate", "b", "a"),
        Claim("a beats c", "unseen", "success_rate", "a", "c"),
        Claim("c beats a", "unseen", "success_rate", "c", "a"),
    ]
    found = judged(claims, Made(rates))
    assert conclusion(found) == (
        "Of 4 conclusions of the paper 1 holds on these data: a beats b in unseen buildings; "
        "1 does not hold: b beats a in unseen buildings; 2 are open, as their intervals hold zero: "
        "a beats c in unseen buildings, c beats a in unseen buildings."
    )
    assert re.fullmatch(r"20\.00 \(\d+\.\d\d to \d+\.\d\d\)", found[0].figures)
    assert found[2].figures == "0.00 (0.00 to 0.00)"


def test_what_holds_in_seen_and_unseen_buildings_is_said_once():
    interval = Interval(0.2, 0.1, 0.3, 0.1, 0.3)
    found = [
        Found(Claim("help helps", place, "success_rate", "a", "b"), "holds", interval)
        for place in ("val_seen", "val_unseen")
    ]
    assert conclusion(found) == (
        "Of 2 conclusions of the paper 2 hold on these data: help helps in seen and unseen buildings."
    )
    assert conclusion(found[:1]).startswith(
        "Of 1 conclusion of the paper 1 holds on these data: help helps in "
    )


def test_an_interval_that_ends_at_zero_is_open():
    assert verdict(Interval(0.1, 0.0, 0.2, 0, 0)) == "open"


def test_conclusions_are_about_rows_of_their_table():
    for table, claims in CLAIMS.items():
        kind = TABLES[table]
        for claim in claims:
            rows = {claim.row} | ({claim.than} if isinstance(claim.than, str) else set())
            assert rows <= set(kind.rows) <= set(ROWS) and claim.place in kind.splits


def test_the_papers_own_figures_agree():
    tested = set()
    for table, claims in CLAIMS.items():
        for claim in claims:
            of = validation_figures if table == "ablations" else paper_figures
            figures = of(f"test_{claim.place}")
            ours = figures.get(ROWS[claim.row].paper, {}).get(claim.metric)
            theirs = claim.than
            if isinstance(theirs, str):
                theirs = figures.get(ROWS[theirs].paper, {}).get(claim.than_metric or claim.metric)
            if ours is not None and theirs is not None:
                assert ours < theirs if claim.less else ours > theirs, claim.says
                tested.add(table)
    assert tested == {
        "main",
        "assistance",
        "ask",
        "model",
        "ablations",
    }  # the rest are pictures
