"""`helpanna worlds add recognised`: features and words in sight from pictures."""

import pytest
from pictured import pictured
from run_commands import outcome

from helpanna.worlds.storage import load_atlas

COMMAND = ("worlds", "add", "recognised")


@pytest.fixture(scope="module")
def atlas(tmp_path_factory):
    return pictured(tmp_path_factory.mktemp("recognised") / "atlas")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "by one of --fit-on and --features-like"),
        (("--fit-on", "all", "--features-like", "matterport"), "by one of --fit-on and --features-like"),
        (("--fit-on", "nowhere"), "no world 'nowhere'"),
        (("--fit-on", "b0"), "name two or more"),
        (("--fit-on", "all", "--reads", "clip"), "no view features called 'clip'"),
        (("--features-like", "paper-matterport"), "not recognition"),
    ],
)
def test_what_is_wrong_is_said(atlas, options, sentence):
    status, said = outcome([*COMMAND, str(atlas), *options])
    assert status == 2 and sentence in said


def test_another_atlas_is_seen_alike(atlas, tmp_path):
    other = pictured(tmp_path / "other")
    status, said = outcome([*COMMAND, str(atlas), "--fit-on", "all", "--unseen", "b5"])
    assert status == 0 and "words can be told" in said
    status, said = outcome([*COMMAND, str(other), "--features-like", str(atlas)])
    assert status == 0
    first, second = (load_atlas(folder).views for folder in (atlas, other))
    assert first.get("recognised").space == second.get("recognised").space
    assert first.words.words == second.words.words
