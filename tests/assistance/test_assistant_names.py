"""Assistants by name."""

import pytest
from splits import sample_split

from helpanna.assistance.assistants import Absent, Anna, Limited, Noisy, Priced
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
    with pytest.raises(InputError, match="none of anna, absent, noisy:P, limited:N, priced:Nm") as error:
        make_assistant(name, SPLIT)
    assert repr(name) in str(error.value)


def test_a_change_made_twice_is_refused():
    with pytest.raises(InputError, match="twice"):
        make_assistant("limited:3,limited:4", SPLIT)
