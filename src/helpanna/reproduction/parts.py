"""Parts of a page for people: paragraphs, tables, and how they look."""

import html
from collections.abc import Sequence

STYLE = """
body { font: 16px/1.5 sans-serif; color: #222; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem }
h2 { font-size: 1.25rem; margin-top: 3rem; border-top: 1px solid #ddd; padding-top: 1.5rem }
p { max-width: 46rem }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { padding: .25rem .8rem; text-align: right; border-bottom: 1px solid #eee; vertical-align: top }
td.words, th.words { text-align: left }
.number { white-space: nowrap }
img { max-width: 100%; border-radius: 4px }
figure { margin: 0 }
"""


def paragraph(text: str) -> str:
    """A paragraph of the page."""
    return f"<p>{html.escape(text)}</p>"


def table(header: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """A table of the page; the first columns, `words` of them, hold words, the others numbers."""

    def line(tag: str, cells: Sequence[str]) -> str:
        return "".join(
            f'<{tag} class="{"words" if i < words else "number"}">{html.escape(cell)}</{tag}>'
            for i, cell in enumerate(cells)
        )

    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return f"<table><tr>{line('th', header)}</tr>{body}</table>"
