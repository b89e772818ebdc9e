"""Files are written whole or not at all, and every failure names its file."""

import hashlib
import os
from pathlib import Path

import pytest

from helpanna.errors import InputError
from helpanna.files import atomic_file, atomic_folder, parse_json, read_json, sha256, sweep


def test_json_is_read(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"ü": [1, 2.5, null]}', encoding="utf-8")
    assert read_json(path) == {"ü": [1, 2.5, None]}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not valid JSON"),
        (b'{"a": ', "not valid JSON"),
        (b"[1] 2", "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b"1" * 10_000, "not valid JSON"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_bad_json_is_refused_by_name(tmp_path, content, said):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=said) as refused:
        read_json(path)
    assert str(refused.value).startswith(str(path))


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    for read in (read_json, sha256):
        with pytest.raises(InputError, match="missing"):
            read(tmp_path / "missing")
        with pytest.raises(InputError, match="cannot be read"):
            read(tmp_path)


def test_json_from_elsewhere_is_named_too():
    with pytest.raises(InputError, match="box of x is not valid JSON"):
        parse_json(b"{", "box of x")


def test_sha256_is_that_of_the_content(tmp_path):
    content = os.urandom(3_000_000)
    (tmp_path / "a").write_bytes(content)
    assert sha256(tmp_path / "a") == hashlib.sha256(content).hexdigest()


def test_a_file_appears_when_it_is_complete(tmp_path):
    path = tmp_path / "new" / "a"
    with atomic_file(path) as temporary:
        temporary.write_text("whole")
        assert not path.exists()
    assert path.read_text() == "whole"
    assert list(path.parent.iterdir()) == [path]


def test_a_file_stays_as_it_was_when_writing_fails(tmp_path):
    path = tmp_path / "a"
    path.write_text("before")
    with pytest.raises(RuntimeError), atomic_file(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file/a cannot be written"), atomic_file(tmp_path / "file" / "a"):
        pass
    with pytest.raises(InputError, match=r"a cannot be written .*No space"), atomic_file(tmp_path / "a"):
        raise OSError(28, "No space left on device")
    assert not (tmp_path / "a").exists()


def write(folder, text):
    (folder / "part").mkdir()
    (folder / "part" / "file").write_text(text)
    (folder / "manifest.json").write_text("{}")


def test_a_folder_appears_when_it_is_complete(tmp_path):
    path = tmp_path / "new" / "a"
    with atomic_folder(path) as temporary:
        write(temporary, "whole")
        assert not path.exists()
    assert (path / "part" / "file").read_text() == "whole"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_no_folder_appears_when_writing_fails(tmp_path, error):
    with pytest.raises(error), atomic_folder(tmp_path / "a") as temporary:
        write(temporary, "half")
        raise error
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_replaced_only_on_request(tmp_path):
    path = tmp_path / "a"
    with atomic_folder(path) as temporary:
        write(temporary, "before")
    with pytest.raises(InputError, match="exists already"), atomic_folder(path):
        pytest.fail("began to write")
    with atomic_folder(path, overwrite=True) as temporary:
        write(temporary, "after")
    assert (path / "part" / "file").read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


def test_what_we_did_not_write_is_never_replaced(tmp_path):
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.write_text("theirs")
    folder.mkdir()
    (folder / "thesis.tex").write_text("theirs")
    for path in (file, folder):
        refused = pytest.raises(InputError, match="not a folder that helpanna wrote")
        with refused, atomic_folder(path, overwrite=True):
            pytest.fail("began to write")
    assert (folder / "thesis.tex").read_text() == "theirs"


def test_the_folder_before_comes_back_when_the_new_one_cannot_be_moved(tmp_path, monkeypatch):
    path = tmp_path / "a"
    with atomic_folder(path) as temporary:
        write(temporary, "before")
    replace = Path.replace

    def failing(self, target):
        if self.name.endswith(".tmp"):
            raise OSError(5, "Input/output error")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    with (
        pytest.raises(InputError, match="cannot be written"),
        atomic_folder(path, overwrite=True) as temporary,
    ):
        write(temporary, "after")
    assert (path / "part" / "file").read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_process_left_behind_does_not_stand_in_the_way(tmp_path):
    with atomic_folder(tmp_path / "a") as temporary:
        left = temporary.name
        write(temporary, "before")
    (tmp_path / left).mkdir()
    (tmp_path / left / "half").write_text("")
    with atomic_folder(tmp_path / "a", overwrite=True) as temporary:
        assert temporary.name == left
        assert list(temporary.iterdir()) == []
    assert list(tmp_path.iterdir()) == [tmp_path / "a"]


def test_what_killed_processes_left_behind_is_swept_away(tmp_path):
    with atomic_folder(tmp_path / "a") as folder, atomic_file(tmp_path / "b") as file:
        left = [folder.name, file.name, folder.name.replace(".tmp", ".old")]
        write(folder, "whole")
        file.write_text("whole")
    for name in (left[0], left[2]):
        (tmp_path / name).mkdir()
        (tmp_path / name / "half").write_text("")
    (tmp_path / left[1]).write_text("half")
    (tmp_path / "c.tmp").write_text("of somebody else")
    sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "c.tmp"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file/a cannot be written"), atomic_folder(tmp_path / "file" / "a"):
        pytest.fail("began to write")
