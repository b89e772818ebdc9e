import json
import re
import shutil
import subprocess
import sys

import pytest

from helpanna.agents.cards import make_card, results_of
from helpanna.agents.folders import CARD, CONFIG, MODEL, count_parameters, read_config
from helpanna.agents.names import MODELS, packaged_agents
from helpanna.errors import InputError


@pytest.mark.parametrize("name", packaged_agents())
def test_the_card_of_a_packaged_agent_says_what_its_config_says(name):
    content = read_config(MODELS / name)
    card = make_card(name, content, count_parameters(MODELS / name))
    assert (MODELS / name / CARD).read_text(encoding="utf-8") == card
    assert "Not stated" not in card and "Nobody has written" not in card
    for result in results_of(content, name):
        who = rf"--agent {name}(\+no_words|\+no_ask|\+price:0\.\d+)?( --assistant shuffled)?"
        some = rf"(?: --tasks {result['tasks']}\b|(?!.*--tasks))"  # without a number, all tasks of the split
        assert re.search(rf"--split {result['split']} {who}{some}", result["command"])
        assert result["note"] and len(result["success_rate"]) == 3
        low, high = result["success_rate"][1:]
        assert 0 < low < result["success_rate"][0] < high < 1


@pytest.mark.parametrize("name", packaged_agents())
def test_parameters_are_counted_without_loading_them(name):
    from safetensors import safe_open

    with safe_open(MODELS / name / MODEL, "numpy") as file:
        names = file.keys()
        counted = sum(file.get_tensor(name).size for name in names)
    assert count_parameters(MODELS / name) == counted


@pytest.mark.slow
def test_agents_are_listed_and_shown_without_torch():
    code = (
        "import sys\n"
        "class Bare:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name in ('torch', 'safetensors', 'matplotlib', 'cv2'): raise ImportError(name)\n"
        "sys.meta_path.insert(0, Bare())\n"
        "from helpanna.cli.main import main\n"
        "main(['agents', 'list']); main(['agents', 'show', 'paper-matterport'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "80.4 % (76.8 to 83.6)" in done.stdout and "2.5 M parameters" in done.stdout


@pytest.mark.parametrize(
    "header", [b"", b"\x08\x00\x00", b"\x02\x00\x00\x00\x00\x00\x00\x00[]", b"\xff" * 30]
)
def test_weights_that_are_none_are_named(header, tmp_path):
    (tmp_path / MODEL).write_bytes(header)
    with pytest.raises(InputError, match="is not a safetensors file"):
        count_parameters(tmp_path)


@pytest.mark.parametrize(
    "results", [3, [3], [{"split": "train"}], [{"split": "a", "tasks": 1, "success_rate": ["x"]}]]
)
def test_results_that_are_none_are_named(results, tmp_path):
    shutil.copytree(MODELS / "paper-matterport", tmp_path / "agent")
    content = json.loads((tmp_path / "agent" / CONFIG).read_text())
    with pytest.raises(InputError, match="results that cannot be read"):
        results_of({**content, "results": results}, "agent")


def test_an_agent_of_which_nothing_is_said_has_a_card_all_the_same():
    content = read_config(MODELS / "paper-matterport")
    for key in ("about", "results"):
        del content[key]
    card = make_card("x", content, 1_000_000)
    assert "None are recorded" in card and "## Licence\n\nNot stated." in card and "%" not in card


@pytest.mark.parametrize("part", ["network", "habits", "space", "summary"])
def test_a_config_that_lacks_a_part_is_named(part):
    content = read_config(MODELS / "paper-matterport")
    with pytest.raises(InputError, match=f"config of x has no proper {part}"):
        make_card("x", {**content, part: None}, 1)


@pytest.mark.parametrize(
    ("kind", "adds", "words"),
    [
        ("annotations", "annotations ATLAS", True),
        ("sight", "captions ATLAS", True),
        ("recognised", "recognised ATLAS", False),
        ("own", "features ATLAS --name NAME --file FEATURES.npy", True),
    ],
)
def test_a_card_says_how_to_make_what_the_agent_sees(kind, adds, words):
    content = read_config(MODELS / "paper-matterport")
    content["space"], content["network"] = {"kind": kind}, {**content["network"], "words_in_sight": True}
    card = make_card("x", content, 1)
    assert f"helpanna worlds add {adds} --features-like x" in card
    assert ("helpanna worlds add words ATLAS" in card) is words
