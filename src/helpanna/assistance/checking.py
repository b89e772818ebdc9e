"""Checks what assistants say before anything changes: a wrong answer must not corrupt an episode."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.assistance.assistants import NONE, Answers, Assistant, Requests
from helpanna.errors import InputError
from helpanna.tasks.routes import NO_ROUTE
from helpanna.tasks.split import Split

Bools = NDArray[np.bool_]

_WHOLE = ("route", "instruction", "departure", "goal", "steps")


class AnswerError(InputError):
    """An assistant said what it must not say."""


def checked_attention(assistant: Assistant, requests: Requests) -> Bools:
    """[b] whom the assistant attends to.

    Raises:
        AnswerError: it does not say so in one boolean an agent.
    """
    attends = np.asarray(assistant.attends(requests))
    if attends.shape != (len(requests),) or attends.dtype != bool:
        raise AnswerError(
            f"the assistant {_name(assistant)} attends to {len(requests)} agents with {attends.dtype} "
            f"{attends.shape}; return one boolean for each."
        )
    return attends


def checked_answers(assistant: Assistant, split: Split, requests: Requests) -> Answers:
    """What the assistant answers to these requests, with all columns as arrays.

    Raises:
        AnswerError: the answer to some agent is none that can be given; the first is named.
    """
    answers = _columns(assistant, requests)
    routes, atlas = split.routes, split.atlas
    own, told = answers.own, answers.route != NO_ROUTE

    def check(wrong: Bools, say: Callable[[int], str]) -> None:
        if wrong.any():
            b = int(wrong.argmax())
            raise AnswerError(
                f"the assistant {_name(assistant)} gave task {requests.task[b]} at step {requests.step[b]} "
                f"{say(b)}."
            )

    enterable = (split.zones[requests.location] == answers.route[:, None]).any(axis=1)
    check(
        told & ~enterable,
        lambda b: (
            f"the route {answers.route[b]}, which cannot be entered from location {requests.location[b]}; "
            "name one of split.zones[location], or none (-1)"
        ),
    )
    route = np.where(told, answers.route, 0)
    stored = told & ~own
    starts = routes.instruction_start
    if stored.any():
        first, last = starts[route], starts[route + 1] - 1
        check(
            stored & ((answers.instruction < first) | (answers.instruction > last)),
            lambda b: (
                f"the instruction {answers.instruction[b]} of the route {route[b]}, which has {first[b]} to "
                f"{last[b]}; name one of them, or use own words"
            ),
        )
    check(
        ~stored & (answers.instruction != NONE),
        lambda b: (
            f"the instruction {answers.instruction[b]} "
            + ("besides own words" if own[b] else "without a route")
            + "; it must be -1 there"
        ),
    )
    world = atlas.world_of[requests.location]
    for column in ("departure", "goal"):
        place = getattr(answers, column)
        exists = (place >= 0) & (place < atlas.location_count)
        here = exists & (atlas.world_of[np.where(exists, place, 0)] == world)
        check(
            (place != NONE) & ~here,
            lambda b, place=place, column=column: (  # type: ignore[misc]
                f"the {column} location {place[b]}, which is none of its building; name one, or none (-1)"
            ),
        )
    for column in ("metres", "steps"):
        price = getattr(answers, column)
        check(
            ~(np.isfinite(price) & (price >= 0)),
            lambda b, price=price, column=column: (  # type: ignore[misc]
                f"a price of {price[b]} {column}; a price is finite and not negative"
            ),
        )
    extras = (answers.departure != NONE) | (answers.goal != NONE) | (answers.metres > 0) | (answers.steps > 0)
    check(
        ~answers.given & extras,
        lambda b: "a picture or a price, but no answer; name a route or say words",
    )
    return answers


def _columns(assistant: Assistant, requests: Requests) -> Answers:
    """The answers with columns of the right shapes and types."""
    answers, count = assistant.answer(requests), len(requests)
    if not isinstance(answers, Answers):
        raise AnswerError(f"the assistant {_name(assistant)} answers with {answers!r}; return `Answers`.")
    columns: dict[str, Any] = {}
    for name in (*_WHOLE, "metres"):
        column = np.asarray(getattr(answers, name))
        if column.shape != (count,) or column.dtype.kind not in ("iu" if name in _WHOLE else "iuf"):
            kind = "whole numbers" if name in _WHOLE else "numbers"
            raise AnswerError(
                f"the assistant {_name(assistant)} answers {count} requests with {column.dtype} "
                f"{column.shape} as `{name}`; give {count} {kind}."
            )
        columns[name] = column.astype(np.int64 if name in _WHOLE else np.float64)
    if answers.words is not None:
        words = tuple(answers.words)
        if len(words) != count or not all(w is None or _is_text(w) for w in words):
            raise AnswerError(
                f"the assistant {_name(assistant)} answers {count} requests with {len(words)} `words`; give "
                "a text that can be written as UTF-8, or None, for each."
            )
        columns["words"] = words
    return replace(answers, **columns)


def _is_text(words: object) -> bool:
    if not isinstance(words, str):
        return False
    try:
        words.encode()
    except UnicodeEncodeError:
        return False
    return True


def _name(assistant: Assistant) -> str:
    return type(assistant).__name__
