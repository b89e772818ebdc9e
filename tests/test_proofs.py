"""A file is read for its SHA-256 once, and again when it has changed."""

import hashlib
import os
from pathlib import Path

import pytest

from helpanna import proofs
from helpanna.proofs import is_proven, remember


@pytest.fixture
def reads(tmp_path, monkeypatch):
    """A cache of one's own, and the files that were read."""
    monkeypatch.setenv("HELPANNA_CACHE", str(tmp_path / "cache"))
    read: list[Path] = []

    def sha256(path):
        read.append(path)
        return hashlib.sha256(path.read_bytes()).hexdigest()

    monkeypatch.setattr(proofs, "sha256", sha256)
    return read


def written(path, content=b"content"):
    path.write_bytes(content)
    return path, hashlib.sha256(content).hexdigest()


def test_a_file_is_read_once(tmp_path, reads):
    path, expected = written(tmp_path / "a")
    assert is_proven(path, expected) and is_proven(path, expected)
    assert reads == [path]
    moved = path.rename(tmp_path / "b")
    other, _ = written(tmp_path / "a")
    assert is_proven(other, expected)
    assert other in reads[1:] and moved.exists()


def test_a_changed_file_is_read_again_whatever_its_time_says(tmp_path, reads):
    path, expected = written(tmp_path / "a")
    assert is_proven(path, expected)
    before = path.stat()
    written(path, b"Content")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not is_proven(path, expected) and not is_proven(path, expected)
    written(path)
    assert is_proven(path, expected)


def test_who_wrote_a_file_need_not_read_it(tmp_path, reads):
    path, expected = written(tmp_path / "a")
    remember(path, expected)
    assert is_proven(path, expected)
    assert reads == []


def test_without_a_place_for_proofs_every_file_is_read(tmp_path, reads, monkeypatch):
    path, expected = written(tmp_path / "a")
    monkeypatch.setenv("HELPANNA_CACHE", str(path / "no folder"))
    assert is_proven(path, expected) and is_proven(path, expected)
    assert reads == [path, path]


def test_the_proofs_do_not_grow_for_ever(tmp_path, reads, monkeypatch):
    monkeypatch.setattr(proofs, "_MOST", 10)
    files = [written(tmp_path / str(i), b"%d" % i) for i in range(25)]
    for path, expected in files:
        assert is_proven(path, expected)
    lines = (tmp_path / "cache" / "proofs.txt").read_text().splitlines()
    assert len(lines) <= 10
    reads.clear()
    assert is_proven(*files[-1]) and not reads
    assert is_proven(*files[0]) and reads
