"""What people wrote on the page as a route file, which `helpanna tasks build --routes` takes."""

from collections.abc import Iterable
from typing import Any

from helpanna.viewer.store import InstructionRow
from helpanna.worlds.geometry import view_heading


def route_records(rows: Iterable[InstructionRow], quality: float | None = None) -> list[dict[str, Any]]:
    """Records like Room-to-Room's, one for each path, and who wrote and followed.

    Args:
        rows: the instructions.
        quality: leave out those that a smaller share of their followers arrived by, or that nobody has
            followed; by default all are kept.
    """
    records: dict[tuple[str, tuple[str, ...], int], dict[str, Any]] = {}
    for row in rows:
        if quality is not None and (not row.followed or row.arrived / row.followed < quality):
            continue
        empty: dict[str, Any] = {
            "scan": row.scan,
            "path_id": row.id,
            "heading": round(float(view_heading(row.view)), 4),
            "path": list(row.path),
            "instructions": [],
            "guides": [],
            "followed": [],
            "arrived": [],
        }
        record = records.setdefault((row.scan, row.path, row.view), empty)
        record["instructions"].append(row.text)
        record["guides"].append(row.guide)
        record["followed"].append(row.followed)
        record["arrived"].append(row.arrived)
    return list(records.values())
