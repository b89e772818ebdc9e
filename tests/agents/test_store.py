"""Agents on disk: they act as they did, and broken folders are refused with one sentence."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from learners import seen_split, untrained
from random_episodes import same_trajectories
from safetensors.torch import load_file, save_file

from helpanna.agents.habits import Habits
from helpanna.agents.names import MODELS, make_agent, packaged_agents
from helpanna.agents.store import load_agent, read_config, save_agent
from helpanna.assistance.assistants import Anna
from helpanna.episodes.perception import Perception
from helpanna.errors import InputError
from helpanna.evaluation.runner import run_episodes
from helpanna.files import sha256
from helpanna.manifest import write_signed

KINDS = ["hierarchical", "lstm"]


@pytest.fixture(scope="module")
def split():
    return seen_split()


def save(folder, agent, **options):
    networks = agent.networks
    described = (networks, agent.habits, agent.vocabulary, agent.space)
    save_agent(folder, *described, {"seed": 5}, **options)
    return folder


@pytest.fixture
def folder(split, tmp_path):
    return save(tmp_path / "agent", untrained(split, hidden=8))


def act(split, agent):
    return run_episodes(split, agent, Anna(split), np.arange(20), budget=5)


def test_habits_can_be_changed_by_name(split, folder):
    own = load_agent(folder).habits

    def habits(name):
        return make_agent(f"{folder}{name}", split).habits

    assert habits("+price:0.2") == replace(own, ask_above=0.2)
    assert habits("+price:0.2+patience:5") == replace(own, ask_above=0.2, patience=5)
    assert habits("+no_words+price:.3") == replace(own, language=False, ask_above=0.3)
    assert habits("+no_picture") == replace(own, picture=False)
    for name, message in {
        f"{folder}+price:1.5": "a number from 0 to below 1",
        f"{folder}+price:": "a number from 0 to below 1",
        f"{folder}+patience:1.5": "a number of time steps",
        f"{folder}+unsure:0.1": "no conformal sets",
        "explorer+price:0.1": "for trained agents",
        "nobody+price:0.1": "there is no agent",
    }.items():
        with pytest.raises(InputError, match=message):
            make_agent(name, split)


def test_an_agent_that_is_unsure_asks_where_its_set_is_not_of_one_action(split, tmp_path):
    agent = untrained(split, hidden=8, boldness=2)
    folder = save(tmp_path / "sets", agent, calibration={"set_bounds": {"0.1": 0.05}})
    unsure = make_agent(f"{folder}+unsure:0.1", split)
    assert unsure.habits.set_above == 0.05
    with pytest.raises(InputError, match=r"give one of 0\.1"):
        make_agent(f"{folder}+unsure:0.2", split)
    actions = np.array([[0.9, 0.1, 0.0], [0.97, 0.03, 0.0], [0.04, 0.04, 0.04]], dtype=np.float32)
    wants = unsure.habits.wants_help(np.zeros(3, np.float32), actions)
    assert wants.tolist() == [True, False, True]


def test_calibrated_agents_ask_where_the_corrected_probability_is_above_the_price():
    ask = np.linspace(0.001, 0.999, 999)
    for scale, offset, price in ((0.5, -1, 0.3), (2, 0.4, 0.5), (1, 0, 0.7)):
        habits = Habits(ask_above=price, ask_scale=scale, ask_offset=offset)
        corrected = 1 / (1 + np.exp(-(scale * np.log(ask / (1 - ask)) + offset)))
        clear = np.abs(corrected - price) > 1e-9
        assert ((habits.wants_help(ask, None) == (corrected > price)) | ~clear).all()
    assert Habits(ask_above=0.0).asks_from == 0


@pytest.mark.parametrize("kind", KINDS)
def test_an_agent_acts_as_before(split, tmp_path, kind):
    agent = untrained(
        split, kind, hidden=8, boldness=2, language=False, picture=False, ask_once=True, lost="paper"
    )
    folder = save(tmp_path / "agent", agent)
    loaded = load_agent(folder)
    assert loaded.networks.config == agent.networks.config
    assert loaded.habits == agent.habits and loaded.lost == "paper"
    assert loaded.vocabulary.words == agent.vocabulary.words and loaded.space == agent.space
    assert not loaded.networks.training
    expected = act(split, agent)
    assert same_trajectories(act(split, loaded), expected)
    assert same_trajectories(act(split, make_agent(str(folder), split)), expected)
    assert read_config(folder)["summary"] == {"seed": 5}


@pytest.mark.parametrize("kind", KINDS)
def test_half_precision_takes_half_the_space(split, tmp_path, kind):
    agent = untrained(split, kind, hidden=8)
    whole, half = save(tmp_path / "whole", agent), save(tmp_path / "half", agent, half=True)
    loaded = load_agent(half)
    for name, weight in agent.networks.state_dict().items():
        stored = loaded.networks.state_dict()[name]
        assert stored.dtype == torch.float32 and torch.equal(stored, weight.half().float())
    sizes = [(folder / "model.safetensors").stat().st_size for folder in (half, whole)]
    assert sizes[0] < 0.6 * sizes[1]
    assert act(split, loaded).notes["entropy"].any()


def test_an_agent_replaces_an_agent_and_nothing_else(split, tmp_path, folder):
    other = untrained(split, hidden=8, seed=1)
    save(folder, other)
    assert torch.equal(load_agent(folder).networks.out.weight, other.networks.out.weight)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear diary")
    with pytest.raises(InputError, match="holds no agent"):
        save(tmp_path / "mine", other)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["diary.txt"]


@pytest.mark.parametrize("name", packaged_agents())
def test_agents_that_come_with_the_package_are_as_they_were_trained(name):
    agent = load_agent(MODELS / name)
    config = agent.networks.config
    assert agent.habits.ask_once and agent.predicts
    if name in ("paper-houses", "paper-matterport"):
        assert config.shared_text and not config.stop_embedding and agent.lost == "paper"
    else:
        assert config.words_in_sight and agent.lost == "published"
        assert bool(agent.set_bounds) == (name in ("houses", "matterport"))  # these were calibrated


def test_who_did_not_learn_to_ask_notes_no_reasons(split, tmp_path):
    agent = untrained(split, hidden=8)
    described = (agent.networks, agent.habits, agent.vocabulary, agent.space)
    for asking in ("learned", "random_ask"):
        save_agent(tmp_path / asking, *described, {"settings": {"asking": asking}})
        noted = act(split, load_agent(tmp_path / asking)).notes
        assert ("reasons" in noted) == (asking == "learned")


def rewrite(folder, change=lambda content: None):
    """Changes config.json and makes it agree with the other files again."""
    path = folder / "config.json"
    content = json.loads(path.read_text())
    for name, entry in content["files"].items():
        entry.update(size=(folder / name).stat().st_size, sha256=sha256(folder / name))
    content.pop("checksum")
    change(content)
    write_signed(path, content)


def retell(folder, words):
    (folder / "vocabulary.json").write_text(json.dumps(words))
    rewrite(folder)


def reweigh(folder, change):
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors")
    rewrite(folder)


def configure(**changes):
    return lambda folder: rewrite(folder, lambda content: content["network"].update(changes))


def garble(name):
    """Some byte in the middle is another."""

    def change(folder):
        content = bytearray((folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / name).write_bytes(content)

    return change


def forged(name, content):
    """The file is another, and config.json agrees with it."""

    def change(folder):
        (folder / name).write_bytes(content)
        rewrite(folder)

    return change


BROKEN = {
    "no config": (lambda f: (f / "config.json").unlink(), "holds no agent"),
    "no weights": (lambda f: (f / "model.safetensors").unlink(), "cannot be read"),
    "no words": (lambda f: (f / "vocabulary.json").unlink(), "cannot be read"),
    "config is no JSON": (lambda f: (f / "config.json").write_text("{"), "not valid JSON"),
    "config is a list": (lambda f: (f / "config.json").write_text("[]"), "schema"),
    "another schema": (lambda f: rewrite(f, lambda c: c.update(schema="helpanna.agent/9")), "schema"),
    "no list of files": (lambda f: rewrite(f, lambda c: c.pop("files")), "does not name its files"),
    "files are no objects": (
        lambda f: rewrite(f, lambda c: c.update(files={"model.safetensors": 1, "vocabulary.json": 2})),
        "does not name its files",
    ),
    "a garbled weight": (garble("model.safetensors"), "not as it was written"),
    "a garbled word": (garble("vocabulary.json"), "not as it was written"),
    "no networks": (lambda f: rewrite(f, lambda c: c.pop("network")), "does not describe networks"),
    "no space": (lambda f: rewrite(f, lambda c: c.pop("space")), "does not describe networks"),
    "an unknown setting": (configure(wings=2), "does not describe networks"),
    "a missing setting": (
        lambda f: rewrite(f, lambda c: c["network"].pop("features")),
        "does not describe networks",
    ),
    "an unknown kind": (configure(kind="quantum"), "does not describe networks"),
    "a size that is text": (configure(hidden="8"), "does not describe networks"),
    "a size below one": (configure(features=0), "does not describe networks"),
    "heads that do not fit": (configure(heads=3), "does not describe networks"),
    "no habits": (lambda f: rewrite(f, lambda c: c.pop("habits")), "does not say how its agent behaves"),
    "a missing habit": (
        lambda f: rewrite(f, lambda c: c["habits"].pop("lost")),
        "does not say how its agent behaves",
    ),
    "an unknown reading of lost": (
        lambda f: rewrite(f, lambda c: c["habits"].update(lost="mine")),
        "does not say how its agent behaves",
    ),
    "a threshold of one": (
        lambda f: rewrite(f, lambda c: c["habits"].update(ask_above=1.0)),
        "does not say how its agent behaves",
    ),
    "words that are no list": (lambda f: retell(f, {"mug": 1}), "list the words"),
    "words that are no text": (lambda f: retell(f, [1] * 400), "list the words"),
    "a word too few": (
        lambda f: retell(f, json.loads((f / "vocabulary.json").read_text())[1:]),
        "list the words",
    ),
    "weights of another size": (configure(hidden=16), "does not hold the weights"),
    "weights of another kind": (configure(kind="lstm"), "does not hold the weights"),
    "a weight too few": (lambda f: reweigh(f, lambda w: w.pop("out.weight")), "does not hold the weights"),
    "a weight too many": (
        lambda f: reweigh(f, lambda w: w.update(extra=torch.zeros(1))),
        "does not hold the weights",
    ),
    "weights that are none": (forged("model.safetensors", b"once upon a time"), "does not hold the weights"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_folder_is_refused_with_one_sentence(folder, what):
    break_it, reason = BROKEN[what]
    break_it(folder)
    with pytest.raises(InputError, match=reason) as error:
        load_agent(folder)
    sentence = str(error.value)
    assert sentence.startswith(str(folder)) and sentence.endswith(".")
    assert "\n" not in sentence


def test_a_place_without_an_agent(tmp_path):
    (tmp_path / "file").write_text("hello")
    for place in (tmp_path, tmp_path / "file", tmp_path / "nowhere"):
        with pytest.raises(InputError, match="holds no agent"):
            load_agent(place)


def test_an_agent_in_an_atlas_that_looks_otherwise(split, folder):
    features = split.atlas.views.get()
    other = replace(features, space={**features.space, "terms": ["mug"]})
    views = replace(split.atlas.views, features={"annotations": other})
    elsewhere = replace(split, atlas=replace(split.atlas, views=views))
    with pytest.raises(InputError, match=r"other spaces; .*helpanna worlds add") as error:
        load_agent(folder).begin(Perception(elsewhere), np.arange(3))
    assert "\n" not in str(error.value)
