"""The commands in the README and in docs/ are commands that there are; the README's first steps run."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from documented import documented_folder

from helpanna.cli.main import _commands, main
from helpanna.cli.parsing import parse

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / "src/helpanna/models/README.md"]


def commands(page):
    """The arguments of every `helpanna` command in the page's blocks of shell lines."""
    found = []
    for block in re.findall(r"^```bash\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words and words[0].rpartition("/")[2] == "helpanna":
                found.append(words[1 : words.index(">") if ">" in words else None])
    return found


ALL = [(page.name, " ".join(map(shlex.quote, words))) for page in PAGES for words in commands(page)]


def test_there_are_commands_to_try():
    assert len(ALL) >= 30


@pytest.mark.parametrize(("page", "command"), ALL)
def test_every_command_can_be_read(page, command):
    words = [word for word in shlex.split(command) if word != "--help"]
    if words[-1:] == ["..."] and not words[-2].startswith("--"):
        words.pop()  # and whatever else you like
    if words:
        parse(_commands(), "", words)


@pytest.mark.slow
def test_the_first_steps_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    steps = [words for words in commands(ROOT / "README.md") if "out/" in " ".join(words)]
    assert len(steps) >= 5
    smaller = {"6": "2", "1000": "40", "200": "10"}
    for words in steps:
        if "contact-sheet" in words:
            continue  # needs pictures, which take minutes
        plain = ["--no-pictures"] if "generate" in words else []
        main([*(smaller.get(word, word) for word in words), *plain])
    assert (tmp_path / "plan.svg").is_file() and (tmp_path / "run.jsonl").is_file()


TRAIN = ["--iterations", "1", "--batch-size", "2", "--budget", "2", "--evaluation-tasks", "2"]
RUN = {  # of these pages, the commands that begin so: they need no files of others and no browser
    "agents.md": ("evaluate", "score"),
    "atlas.md": ("worlds locations",),
    "datasets.md": ("tasks stats",),
    "learning.md": ("train", "evaluate", "agents"),
    "mapping-agent.md": ("train", "evaluate"),
    "viewer.md": ("view run.jsonl --export",),
}


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN)
def test_the_commands_of_a_page_run_one_after_the_other(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(documented_folder(tmp_path))
    (tmp_path / "run").symlink_to(tmp_path / "RUN")
    some = [words for words in commands(ROOT / "docs" / page) if " ".join(words).startswith(RUN[page])]
    assert some
    for words in some:
        if words[:2] == ["train", "--data"]:
            shutil.rmtree(tmp_path / "RUN", ignore_errors=True)  # one of several ways to begin
            words = [*words, *TRAIN, *([] if "--hidden" in words else ["--hidden", "8"])]
        main(words)


def helps(*path):
    """The help of a command and of all below it, by name."""
    import io
    from contextlib import redirect_stdout

    said = io.StringIO()
    with redirect_stdout(said), pytest.raises(SystemExit):
        main([*path, "--help"])
    pages = {" ".join(path): said.getvalue()}
    below = re.search(r"\{([a-z,-]+)\}", said.getvalue().splitlines()[0])
    for name in below[1].split(",") if below else ():
        pages.update(helps(*path, name))
    return pages


def test_every_command_has_an_example_in_its_help(monkeypatch):
    monkeypatch.setenv("COLUMNS", "150")
    pages = helps()
    groups = {name for name in pages if any(other.startswith(f"{name} ") for other in pages)} | {""}
    assert len(pages) > 20
    without = [
        name
        for name in pages
        if name not in groups and f"helpanna {name}" not in pages[name].split("\n", 1)[1]
    ]
    assert without == []
