"""Tables as Markdown, LaTeX, CSV and JSON."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

from helpanna.evaluation.bootstrap import to_json
from helpanna.evaluation.tables import shown
from helpanna.reproduction.tables import COUNT, Cell, Table

INTERVALS = (
    "In brackets: 95 % bootstrap intervals over buildings, tasks and seeds. Where the paper has a figure, it "
    "stands after the slash. Differences are of the same tasks, those of shares in percentage points."
)
_TEX = {
    "%": r"\%",
    "&": r"\&",
    "_": r"\_",
    "#": r"\#",
    "$": r"\$",
    "{": r"\{",
    "}": r"\}",
    "\\": r"\textbackslash{}",
}


def cell_text(cell: Cell | None) -> str:
    """A figure with its interval and the paper's: "45.1 (40.2 to 50.3) / 45.43"."""
    if cell is None:
        return ""
    if cell.metric == COUNT:
        text = f"{cell.figure.value:,.0f}"
        return text if cell.paper is None else f"{text} / {cell.paper:,.0f}"
    text = shown(cell.metric, cell.figure.value, unit=False)
    if not math.isnan(cell.figure.low):
        low, high = (shown(cell.metric, end, unit=False) for end in (cell.figure.low, cell.figure.high))
        text += f" ({low} to {high})"
    return text if cell.paper is None else f"{text} / {shown(cell.metric, cell.paper, unit=False)}"


def parts(table: Table) -> list[tuple[list[str], list[list[str]]]]:
    """The table as people read it, a part for each split: its first line, and the others."""
    found = []
    for split in dict.fromkeys(column.split for column in table.columns):
        chosen = [i for i, column in enumerate(table.columns) if column.split == split]
        head = [split, *(table.columns[i].heading for i in chosen)]
        rows = [[line.label, *(cell_text(line.cells[i]) for i in chosen)] for line in table.lines]
        found.append((head, rows))
    return found


def judgements(table: Table) -> tuple[list[str], list[list[str]]]:
    """The paper's conclusions, with the differences they are judged by: the first line, and the others."""
    head = ["conclusion of the paper", "buildings", "difference", "on these data"]
    return head, [[f.claim.says, f.claim.buildings, f.figures, f.verdict] for f in table.found]


def markdown(title: str, tables: Sequence[Table], runs: Mapping[str, Any]) -> str:
    """All tables, and the runs that made them."""
    lines = [f"# {title}", "", INTERVALS, ""]
    for table in tables:
        lines += [f"## {table.title}", ""]
        for head, rows in parts(table):
            lines += _in_markdown(head, rows)
        lines += [table.note, ""]
        if table.conclusion:
            lines += [f"**{table.conclusion}**", ""]
        if table.found:
            lines += _in_markdown(*judgements(table))
        for line in table.lines:
            if line.runs:
                lines.append(f"- {line.label} (`--show {line.name}`): {', '.join(line.runs)}")
        lines.append("")
    head = ["unit", "seed", "version", "commit", "log", "agent"]
    lines += ["## Runs", "", *_in_markdown(head, [[name, *run_cells(run)] for name, run in runs.items()])]
    return "\n".join(lines)


def _in_markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [*(f"| {' | '.join(line)} |" for line in lines), ""]


def run_cells(run: Mapping[str, Any]) -> list[str]:
    """What tables say of a run."""
    return [str(run.get(key) or "") for key in ("seed", "version", "commit", "log", "agent")]


def latex(tables: Sequence[Table]) -> str:
    r"""All tables for \input, with booktabs."""
    found = []
    for table in tables:
        tabulars = []
        for head, rows in parts(table):
            body = "\n".join(" & ".join(map(_tex, row)) + r" \\" for row in rows)
            tabulars.append(
                f"\\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}\n\\toprule\n"
                f"{' & '.join(map(_tex, head))} \\\\\n\\midrule\n{body}\n\\bottomrule\n\\end{{tabular}}"
            )
        inside = "\n\n\\medskip\n".join(tabulars)
        caption = _tex(f"{table.title}. {table.note} {table.conclusion}".strip())
        found.append(
            f"\\begin{{table*}}[t]\n\\small\\centering\n{inside}\n"
            f"\\caption{{{caption}}}\n\\label{{tab:{table.key}}}\n\\end{{table*}}\n"
        )
    return "\n".join(found)


def _tex(text: str) -> str:
    return "".join(_TEX.get(letter, letter) for letter in text)


def comma_separated(tables: Sequence[Table]) -> str:
    """A line for each figure; shares are fractions of 1, distances metres."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    interval = ("value", "low", "high", "tasks_low", "tasks_high")
    writer.writerow(("table", "row", "label", "split", "column", "metric", *interval, "paper", "runs"))
    for table in tables:
        for line in table.lines:
            for column, cell in zip(table.columns, line.cells, strict=True):
                if cell is None:
                    continue
                f = cell.figure
                numbers = [_number(n) for n in (f.value, f.low, f.high, f.task_low, f.task_high, cell.paper)]
                place = (table.key, line.name, line.label, column.split, column.heading, cell.metric)
                writer.writerow((*place, *numbers, " ".join(line.runs)))
    return file.getvalue()


def _number(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else repr(float(value))


def as_json(tables: Sequence[Table], runs: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, Any]:
    """Everything, for programs."""
    return {
        "schema": "helpanna.reproduction/1",
        **about,
        "tables": [
            {
                "table": table.key,
                "title": table.title,
                "note": table.note,
                "conclusion": table.conclusion,
                "conclusions": [
                    {
                        "says": found.claim.says,
                        "place": found.claim.place,
                        "verdict": found.verdict,
                        "metric": found.claim.metric,
                        "difference": to_json({"it": found.difference})["it"],
                    }
                    for found in table.found
                ],
                "rows": [
                    {
                        "row": line.name,
                        "label": line.label,
                        "runs": list(line.runs),
                        "figures": [
                            {
                                "split": column.split,
                                "metric": cell.metric,
                                "column": column.heading,
                                **to_json({"it": cell.figure})["it"],
                                "paper": cell.paper,
                            }
                            for column, cell in zip(table.columns, line.cells, strict=True)
                            if cell is not None
                        ],
                    }
                    for line in table.lines
                ],
            }
            for table in tables
        ],
        "runs": dict(runs),
    }
