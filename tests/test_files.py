"""Files are written whole or not at all, and every failure names its file."""

import hashlib
import os
from pathlib import Path

import pytest

from helpanna.errors import InputError
from helpanna.files import (
    atomic_file,
    atomic_folder,
    check_output,
    check_output_folder,
    locked,
    parse_json,
    read_json,
    sha256,
    sweep,
)


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


def test_a_place_for_a_file_is_refused_before_any_work(tmp_path):
    (tmp_path / "file").write_text("theirs")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "to null").symlink_to("/dev/null")
    before = sorted(tmp_path.iterdir())
    for path, reason in (
        (tmp_path, "is a folder"),
        (tmp_path / "pipe", "device or a pipe"),
        (Path("/dev/null"), "device or a pipe"),
        (tmp_path / "to null", "device or a pipe"),
        (tmp_path / "loop", r"cannot be written \(Too many levels of symbolic links\)"),
        (tmp_path / "file" / "a", r"cannot be written \(Not a directory\)"),
        (tmp_path / "file" / "a" / "b", r"cannot be written \(Not a directory\)"),
        (tmp_path / ("x" * 300), r"cannot be written \(File name too long\)"),
        (tmp_path / ("x" * 250), r"cannot be written \(File name too long\)"),
        (tmp_path / ("x" * 300) / "a", r"cannot be written \(File name too long\)"),
        (Path("/proc/helpanna/a"), "cannot be written"),
    ):
        for look in (check_output, lambda path: atomic_file(path).__enter__()):
            with pytest.raises(InputError, match=reason):
                look(path)
    assert sorted(tmp_path.iterdir()) == before and (tmp_path / "file").read_text() == "theirs"
    check_output(tmp_path / "file")
    check_output(tmp_path / "new" / "folder" / "file")
    assert sorted(tmp_path.iterdir()) == before


def test_a_place_for_a_folder_is_refused_before_any_work(tmp_path):
    (tmp_path / "file").write_text("theirs")
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "manifest.json").write_text("{}")
    (tmp_path / "theirs").mkdir()
    before = sorted(tmp_path.iterdir())
    for path, overwrite, reason in (
        (tmp_path / "ours", False, "exists already"),
        (tmp_path / "theirs", True, "not a folder that helpanna wrote"),
        (tmp_path / "file", True, "not a folder that helpanna wrote"),
        (Path("/dev/null"), True, "not a folder that helpanna wrote"),
        (tmp_path / "file" / "a", False, r"cannot be written \(Not a directory\)"),
        (tmp_path / ("x" * 300), False, r"cannot be written \(File name too long\)"),
        (Path("/proc/helpanna"), False, "cannot be written"),
    ):
        with pytest.raises(InputError, match=reason):
            check_output_folder(path, overwrite)
    check_output_folder(tmp_path / "ours", overwrite=True)
    check_output_folder(tmp_path / "new" / "folder")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write everywhere")
def test_a_folder_without_permission_is_refused(tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(InputError, match="Permission denied"):
        check_output(tmp_path / "locked" / "a")


def test_a_symlink_stays_and_its_target_is_written(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.symlink_to(tmp_path / "elsewhere" / "a")  # nothing is there yet
    folder.symlink_to(tmp_path / "elsewhere" / "b")
    for content in ("before", "after"):
        with atomic_file(file) as temporary:
            temporary.write_text(content)
        with atomic_folder(folder, overwrite=True) as temporary:
            write(temporary, content)
    assert file.is_symlink() and (tmp_path / "elsewhere" / "a").read_text() == "after"
    assert folder.is_symlink() and (tmp_path / "elsewhere" / "b" / "part" / "file").read_text() == "after"
    assert sorted(path.name for path in tmp_path.rglob("*") if path.name.startswith(".")) == []


def test_the_folder_at_work_may_be_replaced(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "manifest.json").write_text("{}")
    monkeypatch.chdir(tmp_path / "here")
    with atomic_folder(Path(), overwrite=True) as temporary:
        write(temporary, "after")
    assert (tmp_path / "here" / "part" / "file").read_text() == "after"


@pytest.mark.parametrize("mask", [0o022, 0o027])
def test_every_file_has_the_mode_that_the_umask_gives(tmp_path, mask):
    before = os.umask(mask)
    try:
        with atomic_file(tmp_path / "a") as temporary:
            temporary.unlink()
            os.close(os.open(temporary, os.O_CREAT | os.O_WRONLY, 0o600))  # as the writer of weights does
        (tmp_path / "b").write_text("")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_what_a_killed_process_moved_out_of_the_way_comes_back(tmp_path):
    for name in ("a", "b"):
        with atomic_folder(tmp_path / name) as temporary:
            write(temporary, name)
    (tmp_path / "a").rename(tmp_path / ".a.77.old")  # killed between the two moves
    with pytest.raises(InputError, match="exists already"):
        check_output_folder(tmp_path / "a")
    assert (tmp_path / "a" / "part" / "file").read_text() == "a"
    (tmp_path / "b").rename(tmp_path / ".b.77.old")
    sweep(tmp_path)
    assert (tmp_path / "b" / "part" / "file").read_text() == "b"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_a_folder_is_locked_for_others_only_while_it_is_in_use(tmp_path):
    refused = pytest.raises(InputError, match=r"another process is at work in .*; wait until it ends")
    with locked(tmp_path), refused, locked(tmp_path):
        pytest.fail("both are at work")
    with locked(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []
