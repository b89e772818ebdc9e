"""Whatever is written on the page can be read: text stands out from what is behind it, light and dark."""

import re

import pytest

from helpanna.viewer.files import STATIC

TEXT_ON = {
    "ground": ("ink", "muted", "accent", "good", "bad"),
    "card": ("ink", "muted", "accent", "warm", "good", "bad"),
    "soft": ("ink", "muted", "good", "bad"),
    "warm-soft": ("ink", "muted", "warm"),
    "accent": ("on-accent",),
}


def colours(scheme: str) -> dict[str, str]:
    """The colours of a scheme by their names."""
    (block,) = re.findall(
        rf"^:root(?:\[data-theme=\"dark\"\])? {{\s*color-scheme: {scheme};(.*?)}}",
        (STATIC / "style.css").read_text(),
        re.DOTALL | re.MULTILINE,
    )
    return dict(re.findall(r"--([\w-]+): #(\w{6})", block))


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_the_contrast_of_the_accessibility_guidelines(scheme: str) -> None:
    found = colours(scheme)
    for behind, texts in TEXT_ON.items():
        for text in texts:
            dim, bright = sorted((luminance(found[behind]), luminance(found[text])))
            assert (bright + 0.05) / (dim + 0.05) >= 4.5, (text, behind)


def test_both_ways_to_the_dark_scheme_have_the_same_colours() -> None:
    css = (STATIC / "style.css").read_text()
    chosen, system = (
        re.sub(r"\s+", " ", one) for one in re.findall(r"color-scheme: dark;(.*?)}", css, re.DOTALL)
    )
    assert chosen == system
