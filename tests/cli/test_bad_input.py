"""Commands with bad input, all in one table: each ends with status 2 and one sentence, and leaves nothing."""

import math
import shlex
import stat

import pytest
from bad_inputs import furnish

from helpanna.cli import console
from helpanna.cli.main import main

EVALUATE = "evaluate --data {home}/dataset --split train --agent explorer --out out.jsonl --tasks 4"
BUILD = "tasks build --worlds {home}/atlas --out out --unseen-count 1"
TRAIN = "train --data {home}/dataset --out out --hidden 8 --batch-size 2 --budget 2"
GENERATE = "worlds generate --out out --houses 1 --no-pictures"
IMPORT = "worlds import matterport --out out --source"
LONG = "x" * 300

PLACES = [  # where a command writes, and what is wrong with the place
    ("{home}/folder", "is a folder"),
    ("{home}/pipe", "is a device or a pipe"),
    ("{home}/null", "is a device or a pipe"),
    ("/dev/null", "is a device or a pipe"),
    ("{home}/loop", "Too many levels of symbolic links"),
    ("{home}/file/x", "Not a directory"),
    (LONG, "File name too long"),
    (f"{LONG}/x", "File name too long"),
    ("/proc/x", "cannot be written"),
    ("caf\udce9/" + LONG, "File name too long"),
]
FOLDER_PLACES = [
    ("{home}/folder", "exists already; choose another --out or add --overwrite"),
    ("{home}/folder --overwrite", "is not a folder that helpanna wrote"),
    ("{home}/file --overwrite", "is not a folder that helpanna wrote"),
    ("/dev/null --overwrite", "is not a folder that helpanna wrote"),
    ("{home}/loop", "Too many levels of symbolic links"),
    ("{home}/file/x", "Not a directory"),
    (LONG, "File name too long"),
    ("/proc/x", "cannot be written"),
]
WRITE_FILES = [
    "evaluate --data {home}/dataset --split train --agent explorer --out",
    "worlds show {home}/atlas --out",
    "worlds contact-sheet {home}/atlas --out",
    "worlds export {home}/atlas --world a --out",
]
WRITE_FOLDERS = [
    "tasks build --worlds {home}/atlas --out",
    "worlds generate --houses 1000 --no-pictures --out",
    "worlds import matterport --source {home}/empty --out",
    "worlds import own {home}/object.json --out",
]
ATLASES = [
    ("{home}/nowhere", "nowhere is no atlas"),
    ("{home}/file", "file is no atlas"),
    ("{home}/empty", "empty is no atlas"),
    ("{home}/dataset", "is not of the schema helpanna.atlas/"),
    ("'{home}/old atlas'", "is not of the schema helpanna.atlas/"),
    ("'{home}/edited atlas'", "manifest.json"),
    ("'{home}/cut atlas'", "next_hop.npy has "),
    ("'{home}/bare atlas'", "distance.npy is missing"),
    ("'{home}/flipped atlas'", "distance.npy has changed since it was written"),
    ("'{home}/renamed atlas'", "names.json has changed since it was written"),
    ("'{home}/blurred atlas'", "annotations.npy has changed since it was written"),
    (LONG, "x"),
]
READ_ATLAS = [
    "worlds info",
    "worlds check",
    "worlds show --out plan.svg",
    "tasks build --out out --worlds",
]
DATASETS = [
    ("{home}/nowhere", "nowhere is no dataset"),
    ("{home}/file", "file is no dataset"),
    ("{home}/atlas", "is not of the schema helpanna.dataset/"),
    ("'{home}/edited dataset'", "manifest.json"),
    ("'{home}/flipped dataset'", "start.npy has changed since it was written"),
    ("'{home}/cut dataset'", "view.npy has "),
    ("'{home}/retold dataset'", "texts.json has changed since it was written"),
]
READ_DATASET = [
    "tasks check",
    "tasks stats",
    "evaluate --split train --agent explorer --out out.jsonl --data",
    "train --out out --hidden 8 --data",
]
AGENTS = [
    ("{home}/nowhere", "nowhere"),
    ("{home}/empty", "holds no agent"),
    ("'{home}/no agent'", "is not of the schema helpanna.agent/"),
    ("'{home}/flipped agent'", "model.safetensors is not as it was written"),
    ("'{home}/cut agent'", "model.safetensors is not as it was written"),
    ("'{home}/mute agent'", "vocabulary.json is not as it was written"),
    ("'{home}/shy agent'", "config.json has changed since it was written"),
]
READ_AGENT = [
    "agents show",
    "agents pack --out out",
    "evaluate --data {home}/dataset --split train --out out.jsonl --agent",
]
OPTIONS = [
    *[
        (f"{EVALUATE} {option}", words)
        for option, words in (
            ("--budget 0", "--budget is 0; give at least 1"),
            ("--budget 1000000000", "--budget is 1000000000; give at most"),
            ("--batch-size 0", "--batch-size is 0; give at least 1"),
            ("--batch-size 1000000000", "--batch-size is 1000000000; give at most"),
            ("--tasks 0", "--tasks is 0; give at least 1"),
            ("--workers 0", "--workers is 0; give at least 1"),
            ("--workers 100000", "--workers is 100000; give at most"),
            ("--seed -1", "--seed is -1; give at least 0"),
            ("--seed 99999999999999999999", "--seed is 99999999999999999999; give at most"),
            ("--seed half", "--seed is 'half'; give a whole number"),
            ("--split test_unseen", "has no split 'test_unseen'"),
            ("--split ''", "has no split ''"),
            ("--agent ''", "there is no agent ''"),
            ("--agent hero", "there is no agent 'hero'"),
            ("--agent explorer+ask_often", "there is no agent 'explorer+ask_often'"),
            ("--assistant bob", "there is no assistant 'bob'"),
            ("--assistant noisy:2", "'noisy:2' is none of"),
            ("--assistant noisy:nan", "'noisy:nan' is none of"),
            ("--assistant priced:1e300m", "'priced:1e300m' is none of"),
            ("--assistant priced:-1m", "'priced:-1m' is none of"),
            ("--assistant priced:99999999999999999999step", "is none of"),
            ("--assistant limited:99999999999999999999", "is none of"),
            ("--assistant noisy:0.1,noisy:0.2", "is changed twice"),
            ("--colour blue", "unrecognized options: --colour, blue"),
        )
    ],
    *[
        (f"{BUILD} {option}", words)
        for option, words in (
            ("--sizes train -5", "--sizes train is -5; give a number from 0"),
            ("--sizes train 99999999999", "--sizes train is 99999999999; give a number from 0"),
            ("--sizes train", "--sizes"),
            ("--sizes trial 5", "trial"),
            ("--unseen-count -1", "--unseen-count is -1; give at least 0"),
            ("--unseen-count 99", "99"),
            ("--unseen nowhere", "nowhere"),
            ("--exclude nowhere", "nowhere"),
            ("--seed -3", "--seed is -3; give at least 0"),
            ("--objects {home}/nowhere", "nowhere"),
            ("--objects {home}/empty.txt", "empty.txt names no object type"),
            ("--objects {home}/bytes.txt", "bytes.txt is not a list of object types"),
            ("--objects {home}/folder", "folder is not a list of object types"),
            ("--objects {home}/unicorns.txt", "there are no tasks for"),
            ("--routes {home}/nowhere", "nowhere does not exist"),
            ("--routes {home}/folder", "folder cannot be read (Is a directory)"),
            ("--routes {home}/empty.json", "empty.json"),
            ("--routes {home}/object.json", "object.json"),
            ("--routes {home}/number.json", "number.json"),
            ("--routes {home}/records.json", "records.json"),
            ("--routes {home}/half.json", "half.json is not valid JSON"),
            ("--routes {home}/elsewhere.json", "elsewhere"),
            ("--routes {home}/bytes.txt", "bytes.txt is not UTF-8 text"),
            ("--worlds", "--worlds takes one atlas or two, not 0"),
            ("--route-system circle", "invalid choice 'circle' for argument '--route-system'"),
        )
    ],
    *[
        (f"{TRAIN} {option}", words)
        for option, words in (
            ("--hidden 12", "--hidden is 12; give a multiple of 8"),
            ("--hidden 1000000", "--hidden is 1000000; give at most"),
            ("--batch-size 0", "--batch-size is 0; give at least 1"),
            ("--batch-size 1000000000", "--batch-size is 1000000000; give at most"),
            ("--budget 1000000000", "--budget is 1000000000; give at most"),
            ("--iterations 0", "--iterations is 0; give at least 1"),
            ("--learning-rate nan", "--learning-rate is nan"),
            ("--dropout 1", "--dropout is 1.0; give a number from 0 to below 1"),
            ("--seed -1", "--seed is -1; give at least 0"),
            ("--until 0", "--until is 0; give at least 1"),
            ("--device abacus", "--device abacus is not"),
            ("--features x-ray", "no view features called 'x-ray'; name one of annotations"),
            ("--data {home}/blind", "the atlas has no view features"),
            ("--out {home}/folder", "folder is not empty"),
            ("--out {home}/run", "run is a run already; go on with --resume"),
            ("--out {home}/file", "file"),
            ("--out {home}/file/x", "Not a directory"),
            ("--out /dev/null", "/dev/null"),
            (f"--out {LONG}", "File name too long"),
        )
    ],
    ("train", "give --data DATASET and --out RUN, or --resume RUN"),
    ("train --resume {home}/nowhere", "nowhere is no run"),
    ("train --resume {home}/file", "file is no run"),
    (
        "train --resume '{home}/flipped run'",
        "checkpoint.safetensors is no checkpoint of this run (it has changed",
    ),
    ("train --resume '{home}/cut run'", "checkpoint.safetensors is no checkpoint of this run"),
    ("train --resume '{home}/reseeded run'", "run.json has changed since it was written"),
    *[
        (f"{GENERATE} {option}", words)
        for option, words in (
            ("--houses 0", "--houses is 0; give at least 1"),
            ("--houses 1000000000", "--houses is 1000000000; give at most"),
            ("--width 3", "--width is 3; give at least 64"),
            ("--width 1000000", "--width is 1000000; give at most"),
            ("--workers 0", "--workers is 0; give at least 1"),
            ("--seed -1", "--seed is -1; give at least 0"),
            ("--kind castle", "invalid choice 'castle' for argument '--kind'"),
        )
    ],
    ("demo --houses 1", "--houses is 1; one is kept unseen"),
    ("demo --houses 100000000", "--houses is 100000000; give at most"),
    ("demo --seed -1", "--seed is -1; give at least 0"),
    ("demo --out {home}/file", "Not a directory"),
    ("demo --out /dev/null", "Not a directory"),
    ("worlds contact-sheet {home}/atlas --out sheet.png --count 0", "--count is 0; give at least 1"),
    (
        "worlds contact-sheet {home}/atlas --out sheet.png --count 1000000000",
        "--count is 1000000000; give at most",
    ),
    ("worlds contact-sheet {home}/atlas --out sheet.png", "no panoramas"),
    ("worlds contact-sheet {home}/atlas --out sheet.gif", "sheet.gif is not a .png file"),
    ("worlds show {home}/atlas --out plan.gif", "gif must end in .svg or .png"),
    ("worlds show {home}/atlas --out plan.svg --world castle", "castle"),
    ("worlds export {home}/atlas --world castle --out castle.glb", "castle"),
    ("worlds add annotations {home}/atlas --name annotations", "has annotations features already"),
    ("worlds add annotations {home}/atlas --features-like {home}/nowhere", "nowhere"),
    ("worlds add features {home}/atlas --name my-own --file {home}/file", "file"),
    ("worlds add features {home}/atlas --name own --file {home}/file", "file"),
    ("worlds add resnet {home}/atlas --tsv {home}/nowhere", "nowhere"),
    ("worlds add resnet {home}/atlas --tsv {home}/folder", "folder"),
    ("worlds add resnet {home}/atlas --tsv {home}/file", "file"),
    (
        "worlds add skyboxes {home}/atlas --source x --connectivity y --width 7",
        "--width is 7; give at least 64",
    ),
    ("worlds add skyboxes {home}/atlas --source {home}/empty --connectivity {home}/empty", "empty"),
    (f"{IMPORT} {{home}}/nowhere", "nowhere"),
    (f"{IMPORT} {{home}}/file", "file"),
    (f"{IMPORT} {{home}}/empty", "empty"),
    ("worlds import own {home}/nowhere --out out", "nowhere does not exist"),
    ("worlds import own {home}/half.json --out out", "half.json is not valid JSON"),
    ("worlds import own {home}/number.json --out out", "number.json"),
    ("worlds import own {home}/object.json --out out", "object.json"),
    ("worlds import own '{home}/own empty.json' --out out", "own empty.json"),
    ("worlds import own --out out", "no buildings to import"),
    (
        "agents pack {home}/agent --out out --ask-above 1",
        "--ask-above is 1.0; give a number from 0 to below 1",
    ),
    ("agents pack {home}/agent --out out --ask-above nan", "--ask-above is nan"),
    ("agents pack {home}/agent --out {home}/folder", "is not a folder that helpanna wrote"),
    ("agents pack {home}/agent --out {home}/file", "is not a folder that helpanna wrote"),
    ("tasks stats {home}/dataset --narrators -1", "--narrators is -1; give at least 0"),
    ("tasks stats {home}/dataset --narrators 1000000000", "--narrators is 1000000000; give at most"),
    ("score {home}/walks.jsonl --seed -1", "--seed is -1; give at least 0"),
    ("score {home}/walks.jsonl --data {home}/atlas", "is not of the schema helpanna.dataset/"),
    ("score {home}/walks.jsonl --data {home}/nowhere", "nowhere is no dataset"),
    ("score", "name a trajectory file"),
    ("", "expected one of {worlds"),
    ("fly", "unrecognized options: fly"),
    ("worlds", "expected one of {generate"),
    ("worlds info", "missing from helpanna worlds info: PATH"),
    ("evaluate --data", "missing value for argument '--data'"),
]
WALKS = [
    ("nowhere", "nowhere.jsonl does not exist"),
    ("empty", "empty.jsonl line 1 is not valid JSON"),
    ("words", "words.jsonl line 1 is not valid JSON"),
    ("list", "list.jsonl line 1 is not a JSON object"),
    ("nan", "nan.jsonl line 1 is not valid JSON"),
    ("bytes", "bytes.jsonl is not UTF-8 text"),
    ("no schema", 'line 1: the header must say "schema"'),
    ("no split", 'line 1: the header must name the "split"'),
    ("other split", "has no split 'test_unseen'"),
    ("short", "episodes where there should be"),
    ("twice", "stands in line"),
    ("huge budget", 'line 1: "budget" must be a whole number from 1 to'),
    ("small budget", "more steps than the header's budget of 1"),
    ("negative budget", 'line 1: "budget" must be a whole number from 1 to'),
    ("text budget", 'line 1: "budget" must be a whole number from 1 to'),
    ("odd notes", 'line 1: "notes" must name number types'),
    ("no notes", 'line 2: the note "x" must have'),
    ("deep notes", 'line 2: the note "x" must have'),
    ("ragged notes", 'line 2: the note "x" must have'),
    ("wide notes", 'line 2: the note "x" must have'),
    ("text notes", 'line 2: the note "x" must have'),
    ("no number notes", 'line 2: the note "x" must have'),
    ("no task", 'line 2: "task" must be 0 to'),
    ("far task", 'line 2: "task" must be 0 to'),
    ("no locations", 'line 2: "locations" is empty'),
    ("strange location", "line 2: 'nowhere' is no location"),
    ("number location", "line 2: [] is no location"),
    ("jump", "line 2: "),
    ("views", 'line 2: "views" must have'),
    ("actions", 'line 2: "actions" must have'),
    ("far requests", 'line 2: the "step" of requests must ascend'),
    ("odd requests", 'line 2: every entry of "requests"'),
    ("no route", "line 2: 'no route' is no route"),
    ("metres", 'line 2: "metres" must be a finite distance'),
    ("endless", 'line 2: "locations" has 200001 entries'),
]

FAST = [
    *[(f"{command} {place}", words) for command in WRITE_FILES[:1] for place, words in PLACES],
    *[(f"{command} {place}", words) for command in WRITE_FOLDERS[:2] for place, words in FOLDER_PLACES],
    *[(f"{command} {place}", words) for command in READ_ATLAS[:1] for place, words in ATLASES],
    *[(f"{command} {place}", words) for command in READ_DATASET[:1] for place, words in DATASETS],
    *OPTIONS,
    *[(f"score '{{home}}/{name}.jsonl'", words) for name, words in WALKS],
]
SLOW = [
    *[(f"{command} {place}", words) for command in WRITE_FILES[1:] for place, words in PLACES],
    *[(f"{command} {place}", words) for command in WRITE_FOLDERS[2:] for place, words in FOLDER_PLACES],
    *[(f"{command} {place}", words) for command in READ_ATLAS[1:] for place, words in ATLASES],
    *[(f"{command} {place}", words) for command in READ_DATASET[1:] for place, words in DATASETS],
    *[(f"{command} {place}", words) for command in READ_AGENT for place, words in AGENTS],
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Good and bad files of every kind."""
    folder = tmp_path_factory.mktemp("home")
    furnish(folder)
    return folder


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """Where the commands are called; nothing must ever be there."""
    return tmp_path_factory.mktemp("desk")


def content(folder):
    """All that is in a folder: names, sizes, times of change."""
    found = [(str(path), path.lstat()) for path in sorted(folder.rglob("*"))]
    return [(name, stat.S_ISDIR(s.st_mode) or (s.st_size, s.st_mtime_ns)) for name, s in found]


def refused(home, desk, monkeypatch, capsys, command, words):
    """Runs a command and says what is wrong with how it ended, or nothing."""
    monkeypatch.chdir(desk)
    monkeypatch.setattr(console, "_LINE_SECONDS", math.inf)  # no progress, however slow the machine is
    before = content(home)
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        main([part.replace("{home}", str(home)) for part in shlex.split(command)])
    printed, said = capsys.readouterr()
    assert stop.value.code == 2, said
    *before_it, sentence = said.splitlines()
    assert "Traceback" not in said and sentence.startswith("helpanna: ") and sentence.endswith(".")
    assert words in sentence and (not before_it or "--resume" in command)  # a run says first what it is
    assert printed == ""
    assert list(desk.iterdir()) == [] and content(home) == before


@pytest.mark.parametrize(("command", "words"), FAST)
def test_one_sentence_and_nothing_left(home, desk, monkeypatch, capsys, command, words):
    refused(home, desk, monkeypatch, capsys, command, words)


@pytest.mark.slow
@pytest.mark.parametrize(("command", "words"), SLOW)
def test_one_sentence_and_nothing_left_by_every_command(home, desk, monkeypatch, capsys, command, words):
    refused(home, desk, monkeypatch, capsys, command, words)


def test_the_table_is_long():
    assert len({command for command, _ in FAST + SLOW}) >= 250
