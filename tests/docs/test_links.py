"""Links in the README, in docs/ and beside the trained agents lead to files and headings that there are."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(p for f in ("docs", "examples", "src") for p in (ROOT / f).rglob("*.md"))]
LINKS = [
    (page, target)
    for page in sorted(PAGES)
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    if "://" not in target
]


def anchors(page):
    """What the headings of a page are called in addresses."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_there_are_links():
    assert len(LINKS) >= 50


@pytest.mark.parametrize(
    ("page", "target"), LINKS, ids=[f"{page.relative_to(ROOT)}-{target}" for page, target in LINKS]
)
def test_it_leads_somewhere(page, target):
    path, _, heading = target.partition("#")
    found = (page.parent / path).resolve() if path else page
    assert found.exists()
    assert not heading or heading in anchors(found)
