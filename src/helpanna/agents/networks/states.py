"""States of B agents that can part and come together.

The state of networks is a dataclass. Fields with the metadata `AGENTS_FIRST` or `AGENTS_SECOND` hold
something for each agent: tensors, of which the first or the second axis is that of the agents, memories,
states, or several of these. All other fields are for all agents alike.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import torch
from torch import Tensor

from helpanna.agents.networks.plain import Memory

_AXIS = "axis of the agents"
AGENTS_FIRST: Mapping[str, int] = {_AXIS: 0}
AGENTS_SECOND: Mapping[str, int] = {_AXIS: 1}


def can_part(state: object) -> bool:
    """Whether a state says what belongs to which agent."""
    return is_dataclass(state) and any(_AXIS in part.metadata for part in fields(state))


def select(state: Any, rows: Tensor) -> Any:
    """The state of these agents only, in this order."""
    return replace(state, **{name: _select(value, axis, rows) for name, value, axis in _parts(state)})


def join(states: Sequence[Any]) -> Any:
    """The state of all agents of some states that are at the same step; for acting, not for learning."""
    parts = zip(*(_parts(state) for state in states), strict=True)
    joined = {same[0][0]: _join([value for _, value, _ in same], same[0][2]) for same in parts}
    return replace(states[0], **joined)


def _parts(state: Any) -> list[tuple[str, Any, int]]:
    return [(f.name, getattr(state, f.name), f.metadata[_AXIS]) for f in fields(state) if _AXIS in f.metadata]


def _select(value: Any, axis: int, rows: Tensor) -> Any:
    if value is None:
        return None
    if isinstance(value, Tensor):
        return value.index_select(axis, rows)
    if isinstance(value, Memory):
        return value.select(rows)
    if is_dataclass(value):
        return select(value, rows)
    return type(value)(_select(part, axis, rows) for part in value)


def _join(values: Sequence[Any], axis: int) -> Any:
    first = values[0]
    if first is None:
        return None
    if isinstance(first, Tensor):
        return torch.cat(list(values), dim=axis)
    if isinstance(first, Memory):
        return first.join(values)
    if is_dataclass(first):
        return join(values)
    return type(first)(_join(parts, axis) for parts in zip(*values, strict=True))
