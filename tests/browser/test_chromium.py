"""How the browser of the tests is installed, with a stand-in for apt-get."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from chromium import chromium

APT = """#!/bin/sh
echo "$*" >> {folder}/calls
case "$*" in
  *update) touch {folder}/updated ;;
  *chromium)
    test -e {folder}/updated || {{ echo "E: Unable to locate package chromium" >&2; exit 100; }}
    test {works} = yes || {{ echo "E: no space left" >&2; exit 100; }}
    sleep 0.2
    printf '#!/bin/sh\\n' > {folder}/chromium; chmod +x {folder}/chromium ;;
esac
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh machine of Debian's, on which we are root: its programs."""
    if sys.platform == "win32":
        pytest.skip("apt-get is Debian's.")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "touch", "sleep", "chmod"):
        (folder / name).symlink_to(f"/bin/{name}")
    monkeypatch.setenv("PATH", str(folder))
    return folder


def give_apt(folder: Path, works: str) -> None:
    (folder / "apt-get").write_text(APT.format(folder=folder, works=works))
    (folder / "apt-get").chmod(0o755)


def test_one_worker_installs_after_renewing_the_list_and_the_others_wait(machine: Path) -> None:
    give_apt(machine, "yes")
    with ThreadPoolExecutor(4) as workers:
        found = list(workers.map(chromium, [machine / "lock"] * 4))
    assert {path for path, _ in found} == {str(machine / "chromium")}
    calls = (machine / "calls").read_text().splitlines()
    assert [call.split()[3] for call in calls] == ["update", "install"]
    assert all("DPkg::Lock::Timeout" in call for call in calls)


def test_where_it_cannot_be_installed_the_reason_is_told(machine: Path) -> None:
    assert chromium(machine / "lock") == (None, "that takes apt-get and root")
    give_apt(machine, "no")
    assert chromium(machine / "lock") == (None, "E: no space left")
