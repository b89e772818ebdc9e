import json

import pytest

from helpanna.cli.main import main
from helpanna.tasks.wording import compare_wording, told_again, wording_figures


def test_figures_count_words_and_sequences_within_texts():
    found = wording_figures(["Turn left. Turn left.", "turn right"])
    assert found["instructions"] == 2 and found["mean length"] == 3 and found["spread of length"] == 1
    assert found["words counted"] == 6 and found["different words"] == 3
    assert found["type/token ratio"] == 0.5
    assert found["different pairs"] == 3  # turn left, left turn, turn right
    assert found["different triples"] == 2  # turn left turn, left turn left


def test_texts_are_compared_at_the_same_number_of_words():
    many, few = [f"go past number {n}" for n in range(100)], ["stop there now please"] * 10
    found = compare_wording(many, few)
    assert found["people"]["words counted"] == found["narrators"]["words counted"] == 40
    assert found["people"]["instructions"] == 100
    assert found["people"]["different words"] == 13 and found["narrators"]["different words"] == 4


def test_narrators_tell_the_same_routes(dataset):
    people, narrators = told_again(dataset, 10)
    texts = {text for name in dataset.names for text in dataset.split(name).texts}
    assert set(people) <= texts
    assert len(people) == len(narrators) > 10
    assert (people, narrators) == told_again(dataset, 10)
    assert len(told_again(dataset, 20)[0]) > len(people)


def test_the_command_compares_words(dataset, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    main(["tasks", "stats", str(dataset.folder), "--narrators", "10"])
    assert "instructions of the same paths" in capsys.readouterr().out
    main(["tasks", "stats", str(dataset.folder), "--narrators", "10", "--json"])
    printed = json.loads(capsys.readouterr().out)["wording"]
    assert printed == compare_wording(*told_again(dataset, 10))
    with pytest.raises(SystemExit) as ended:
        main(["tasks", "stats", str(dataset.folder), "--narrators", "-1"])
    assert ended.value.code == 2
