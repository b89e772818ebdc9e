import pytest

from helpanna.tasks.words import vocabulary, words


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Walk down, then STOP.", ["walk", "down", "then", "stop"]),
        ("the bed's left-hand side", ["the", "bed's", "left", "hand", "side"]),
        ("'quoted' 2nd door", ["quoted", "2nd", "door"]),
        ("Tür öffnen", ["tür", "öffnen"]),
        (" ... !\n", []),
    ],
)
def test_words(text, read):
    assert words(text) == read


def test_a_vocabulary_counts_words():
    assert vocabulary(["Go on.", "go back"]) == {"go": 2, "on": 1, "back": 1}
