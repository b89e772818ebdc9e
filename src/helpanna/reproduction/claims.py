"""The paper's conclusions, each as a question to the data: does it hold here?

A conclusion compares two agents on the same tasks, by the paired difference and its 95 % interval over
buildings, tasks and seeds (`helpanna.evaluation.bootstrap.differences`). It holds where the whole interval is
on its side of zero, it does not hold where the whole interval is on the other, and else it is open: these
data do not tell. Where a conclusion names a number, that number takes the place of the other agent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from helpanna.evaluation.bootstrap import Interval, differences, intervals
from helpanna.evaluation.tables import shown
from helpanna.reproduction.units import Shares

Verdict = Literal["holds", "does not hold", "open"]


class Figures(Protocol):
    """Where the figures of rows come from."""

    def shares(self, row: str, place: str) -> Shares | None:
        """What a row put into the figures of a split; None if there is no such split."""
        ...


@dataclass(frozen=True)
class Claim:
    """A row's figure is greater (or less) than another's.

    Attributes:
        says: the conclusion, in words.
        place: on which split: "seen", "unseen", "val_seen" or "val_unseen".
        metric: which figure.
        row: whose.
        than: the row to compare with; or a number.
        than_metric: the other figure, if it is not the same one.
        less: whether it is less, not greater.
    """

    says: str
    place: str
    metric: str
    row: str
    than: str | float
    than_metric: str = ""
    less: bool = False

    @property
    def buildings(self) -> str:
        """Of which buildings it speaks: "seen" or "unseen"."""
        return self.place.removeprefix("val_")

    def difference(self, figures: Figures) -> Interval | None:
        """The row's figure minus the other; None where the data have no such split or figure."""
        ours = figures.shares(self.row, self.place)
        if ours is None or self.metric not in ours.ratios:
            return None
        mine = {"it": ours.ratios[self.metric]}
        if not isinstance(self.than, str):
            it = intervals(mine, ours.sample)["it"]
            parts = (it.value, it.low, it.high, it.task_low, it.task_high)
            return Interval(*(part - self.than for part in parts))
        theirs = figures.shares(self.than, self.place)
        other = self.than_metric or self.metric
        if theirs is None or other not in theirs.ratios:
            return None
        return differences(mine, ours.sample, {"it": theirs.ratios[other]}, theirs.sample)["it"]


@dataclass(frozen=True)
class Found:
    """What the data say of a conclusion.

    Attributes:
        claim: the conclusion.
        verdict: whether it holds.
        difference: the figure that says so.
    """

    claim: Claim
    verdict: Verdict
    difference: Interval

    @property
    def figures(self) -> str:
        """The difference and its interval: "12.0 (6.2 to 18.4)"."""
        low, value, high = (
            shown(self.claim.metric, part, unit=False)
            for part in (self.difference.low, self.difference.value, self.difference.high)
        )
        return f"{value} ({low} to {high})"


def judged(claims: Sequence[Claim], figures: Figures) -> list[Found]:
    """All conclusions that the data can say something of."""
    found = []
    for claim in claims:
        difference = claim.difference(figures)
        if difference is not None and difference.value == difference.value:  # not NaN
            found.append(Found(claim, verdict(difference, claim.less), difference))
    return found


def verdict(difference: Interval, less: bool = False) -> Verdict:
    """Whether a difference is above zero, or below it."""
    low, high = (-difference.high, -difference.low) if less else (difference.low, difference.high)
    if low > 0:
        return "holds"
    return "does not hold" if high < 0 else "open"


def conclusion(found: Sequence[Found]) -> str:
    """One sentence: which of the paper's conclusions hold, which do not, and which are open."""
    if not found:
        return "The data have no split on which a conclusion of the paper could be tested."
    parts = []
    for state, one_does, many_do in (
        ("holds", "1 holds on these data", "{} hold on these data"),
        ("does not hold", "1 does not hold", "{} do not hold"),
        ("open", "1 is open, as its interval holds zero", "{} are open, as their intervals hold zero"),
    ):
        those = [one.claim for one in found if one.verdict == state]
        if those:
            parts.append(f"{one_does if len(those) == 1 else many_do.format(len(those))}: {_listed(those)}")
    many = f"{len(found)} conclusions" if len(found) > 1 else "1 conclusion"
    return f"Of {many} of the paper {'; '.join(parts)}."


def _listed(claims: Sequence[Claim]) -> str:
    """What they say; who says the same of seen and unseen buildings says it once."""
    places: dict[str, list[str]] = {}
    for claim in claims:
        places.setdefault(claim.says, []).append(claim.buildings)
    return ", ".join(f"{says} in {' and '.join(where)} buildings" for says, where in places.items())


def _both(
    says: str,
    metric: str,
    row: str,
    than: str | float,
    less: bool = False,
    places: tuple[str, str] = ("seen", "unseen"),
) -> tuple[Claim, ...]:
    return tuple(Claim(says, place, metric, row, than, less=less) for place in places)


_VALIDATION = ("val_seen", "val_unseen")

CLAIMS: Mapping[str, tuple[Claim, ...]] = {
    "main": (
        *_both("RandomWalk finds less than 7 %", "success_rate", "random_walk", 0.07, less=True),
        *_both("Forward10 finds less than 7 %", "success_rate", "forward10", 0.07, less=True),
        *_both("help lifts success over no assistance", "success_rate", "learned", "no_assistance"),
        *_both("perfect interpretation lifts it further", "success_rate", "perfect", "learned"),
    ),
    "assistance": _both("words beside the picture lift success", "success_rate", "learned", "image_only"),
    "ask": (
        Claim("AskEvery5 finds more than NoAsk", "unseen", "success_rate", "ask_every5", "no_assistance"),
        *_both("learned asking finds more than RandomAsk", "success_rate", "learned", "random_ask"),
        *_both("learned asking asks less than RandomAsk", "requests_per_task", "learned", "random_ask", True),
        Claim("learned asking finds more than AskEvery5", "unseen", "success_rate", "learned", "ask_every5"),
        *_both("learned asking asks less than AskEvery5", "requests_per_task", "learned", "ask_every5", True),
    ),
    "model": (
        Claim("the hierarchical model finds more than the LSTM", "unseen", "success_rate", "learned", "lstm"),
        Claim("curiosity lifts success", "unseen", "success_rate", "learned", "no_curiosity"),
        Claim(
            "curiosity makes mistakes repeat less",
            *("unseen", "navigation_mistake_repeat", "learned", "no_curiosity"),
            less=True,
        ),
        Claim(
            "curiosity makes requests repeat less",
            *("unseen", "help_request_repeat_asked", "learned", "no_curiosity"),
            less=True,
        ),
    ),
    "ablations": (
        Claim(
            "the inter-task reset lifts success",
            *("val_unseen", "success_rate", "learned", "no_inter_reset"),
        ),
        Claim(
            "cosine-similarity attention lifts success",
            *("val_unseen", "success_rate", "learned", "no_similarity"),
        ),
        Claim("curiosity lifts success", "val_unseen", "success_rate", "learned", "no_curiosity"),
        Claim(
            "curiosity costs success",
            *("val_seen", "success_rate", "learned", "no_curiosity"),
            less=True,
        ),
        Claim("condition prediction lifts success", "val_seen", "success_rate", "learned", "no_conditions"),
        Claim(
            "condition prediction costs success",
            *("val_unseen", "success_rate", "learned", "no_conditions"),
            less=True,
        ),
        *_both(
            "condition prediction makes requests fewer",
            *("requests_per_task", "learned", "no_conditions", True, _VALIDATION),
        ),
        *_both(
            "condition prediction makes requests repeat less",
            *("help_request_repeat_asked", "learned", "no_conditions", True, _VALIDATION),
        ),
    ),
    "behaviour": (
        *(
            Claim(f"recall of {words} is below 50 %", "unseen", f"{name}_recall", "learned", 0.5, less=True)
            for name, words in (
                ("lost", "lost"),
                ("uncertain_wrong", "uncertain and wrong"),
                ("already_asked", "asked before"),
            )
        ),
        *(
            Claim(
                f"{words} is predicted more precisely than completely",
                *("unseen", f"{name}_precision", "learned", "learned", f"{name}_recall"),
            )
            for name, words in (("lost", "lost"), ("uncertain_wrong", "uncertain and wrong"))
        ),
        *(
            Claim(
                f"asked before is predicted less accurately than {words}",
                *("unseen", "already_asked_accuracy", "learned", "learned", f"{name}_accuracy"),
                less=True,
            )
            for name, words in (("lost", "lost"), ("uncertain_wrong", "uncertain and wrong"))
        ),
    ),
}
"""What the paper concludes from each table."""
