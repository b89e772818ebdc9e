"""Assistants by name."""

import sys

import pytest
from splits import sample_split
from talkers import Talker

from helpanna.assistance.assistants import Absent, Anna, Limited, Noisy, Priced, Shuffled
from helpanna.assistance.names import make_assistant
from helpanna.errors import InputError

SPLIT = sample_split()
ANNA = Anna(SPLIT, seed=5)


@pytest.mark.parametrize(
    ("name", "assistant"),
    [
        ("anna", ANNA),
        ("absent", Absent()),
        ("noisy:0.3", Noisy(ANNA, 0.3, seed=5)),
        ("shuffled", Shuffled(ANNA, seed=5)),
        ("shuffled,limited:3", Limited(Shuffled(ANNA, seed=5), 3)),
        ("limited:3", Limited(ANNA, 3)),
        ("limited:0", Limited(ANNA, 0)),
        ("priced:2m", Priced(ANNA, metres=2.0)),
        ("priced:0.5m", Priced(ANNA, metres=0.5)),
        ("priced:1step", Priced(ANNA, steps=1)),
        ("priced:3steps", Priced(ANNA, steps=3)),
        ("priced:3steps,priced:2m", Priced(ANNA, metres=2.0, steps=3)),
        ("noisy:0.2,limited:3", Limited(Noisy(ANNA, 0.2, seed=5), 3)),
        ("limited:3,noisy:0.2", Limited(Noisy(ANNA, 0.2, seed=5), 3)),
        ("priced:2m,limited:1,noisy:1", Priced(Limited(Noisy(ANNA, 1.0, seed=5), 1), metres=2.0)),
    ],
)
def test_names(name, assistant):
    assert make_assistant(name, SPLIT, seed=5) == assistant


@pytest.mark.parametrize(
    "name",
    ["", "bob", "noisy", "noisy:", "noisy:1.5", "noisy:-0.1", "noisy:nan", "limited:2.5", "limited:-1",
     "priced:2", "priced:xm", "priced:infm", "priced:1.5step", "anna,limited:3", "absent,limited:3",
     "limited:3,", "limited:3, noisy:much"],
)  # fmt: skip
def test_a_name_that_means_nothing_is_answered_with_what_does(name):
    with pytest.raises(
        InputError, match="none of anna, absent, adviser, noisy:P, shuffled, limited:N, priced:Nm"
    ) as error:
        make_assistant(name, SPLIT)
    assert repr(name) in str(error.value)


OWN = """
from talkers import Talker, Voice

def make(split, seed):
    return Talker(split, seed)

def nobody(split, seed):
    return None

def broken(split):
    return None

class Loud(Voice):
    def __init__(self, split, seed):
        super().__init__("HELLO")
"""


@pytest.fixture
def own_module(tmp_path, monkeypatch):
    (tmp_path / "my_assistants.py").write_text(OWN)
    (tmp_path / "my_broken.py").write_text("1 / 0")
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    yield
    assert sys.path == before
    sys.modules.pop("my_assistants", None)


def test_own_assistants_are_made_of_the_split_and_the_seed(own_module):
    assert make_assistant("my_assistants:make", SPLIT, seed=5) == Talker(SPLIT, 5)
    assert make_assistant("my_assistants:Loud", SPLIT).words == "HELLO"
    limited = make_assistant("priced:2m,my_assistants:make,limited:3", SPLIT, seed=5)
    assert limited == Priced(Limited(Talker(SPLIT, 5), 3), metres=2.0)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("my_assistants:missing", "cannot be loaded (AttributeError"),
        ("no_such_module:make", "cannot be loaded (ModuleNotFoundError"),
        ("my_broken:make", "cannot be loaded (ZeroDivisionError"),
        ("my_assistants:broken", "cannot be made of a split and a seed (TypeError"),
        ("my_assistants:nobody", "has no methods `attends` and `answer`"),
        ("my_assistants:make,noisy:0.2", "noisy changes ANNA only"),
        ("my_assistants:make,my_assistants:Loud", "twice"),
        ("my_assistants:", "none of anna"),
        ("my assistants:make", "none of anna"),
    ],
)
def test_own_assistants_that_cannot_be_made_are_named(own_module, name, message):
    with pytest.raises(InputError) as error:
        make_assistant(name, SPLIT)
    assert message in str(error.value) and name.split(",")[0] in str(error.value)


def test_in_training_ties_are_drawn():
    drawing = Anna(SPLIT, 5, random_ties=True)
    assert make_assistant("noisy:0.3", SPLIT, 5, random_ties=True) == Noisy(drawing, 0.3, seed=5)


def test_words_cannot_be_shuffled_and_routes_wrong_at_once():
    with pytest.raises(InputError, match="noisy or shuffled, not both"):
        make_assistant("noisy:0.2,shuffled", SPLIT)


def test_a_change_made_twice_is_refused():
    with pytest.raises(InputError, match="twice"):
        make_assistant("limited:3,limited:4", SPLIT)
