import io
import tarfile
from pathlib import Path

import pytest

from helpanna.errors import InputError
from helpanna.worlds.matterport import archives
from helpanna.worlds.matterport.archives import json_files


def packed(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def sparse(path: Path, size: int) -> Path:
    """A tar archive with one file of this many bytes, all of them a hole: a few hundred bytes on disk."""
    fields = {"GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.name": "BBox/a_b.json"}
    fields |= {"GNU.sparse.size": str(size), "GNU.sparse.numblocks": "0", "GNU.sparse.map": f"{size},0"}
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo("BBox/a_b.json")
        member.pax_headers = fields
        archive.addfile(member)
    return path


def test_files_of_an_archive_and_of_a_folder_are_the_same(tmp_path):
    files = {"BBox/a_1.json": b"{}", "BBox/notes.txt": b"-", "BBox/b_2.json": b"[1]"}
    (tmp_path / "folder" / "BBox").mkdir(parents=True)
    for name, content in files.items():
        (tmp_path / "folder" / name).write_bytes(content)
    found = [("a_1.json", b"{}"), ("b_2.json", b"[1]")]
    assert list(json_files(packed(tmp_path / "x.tar.gz", files))) == found
    assert list(json_files(tmp_path / "folder")) == found


def test_an_archive_that_declares_a_terabyte_is_refused_at_once(tmp_path):
    bomb = sparse(tmp_path / "bomb.tar.gz", 1 << 40)
    assert bomb.stat().st_size < 1000
    with pytest.raises(InputError, match=r"a_b.json claims 1,099,511,627,776 bytes, more than the 4,000,000"):
        list(json_files(bomb))


def test_many_files_are_bounded_too(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_SUM", 10)
    with pytest.raises(InputError, match="unpacks to more than the 10 bytes"):
        list(json_files(packed(tmp_path / "x.tar.gz", {f"{i}.json": b"1234" for i in range(3)})))


def test_a_large_file_in_a_folder_is_refused_before_it_is_read(tmp_path):
    with (tmp_path / "a_b.json").open("wb") as file:
        file.truncate(1 << 34)
    with pytest.raises(InputError, match=r"a_b\.json claims"):
        list(json_files(tmp_path))
