"""A home full of good and bad files, for trials of commands with bad input."""

import json
import os
import shutil

import torch
from learners import seen_split, untrained
from lessons import save_small_dataset

from helpanna.agents.store import save_agent
from helpanna.cli.main import main
from helpanna.files import write_json


def furnish(home):
    """Puts everything into a new folder."""
    save_small_dataset(home / "dataset")
    save_small_dataset(home / "blind", features=False)
    (home / "atlas of dataset").rename(home / "atlas")
    shutil.copytree(home / "atlas", home / "atlas of dataset")
    agent = untrained(seen_split(), boldness=3.0, hidden=8)
    summary = {"iterations": 7}
    save_agent(home / "agent", agent.networks, agent.habits, agent.vocabulary, agent.space, summary)
    torch.manual_seed(0)
    data = ["--data", str(home / "dataset")]
    small = ["--hidden", "8", "--batch-size", "2", "--budget", "2", "--evaluation-tasks", "1"]
    main(["train", *data, "--out", str(home / "run"), *small, "--iterations", "2", "--until", "1"])
    out = ["--out", str(home / "walks.jsonl")]
    main(["evaluate", *data, "--split", "train", "--agent", "explorer+ask_untried", *out, "--budget", "6"])
    _foreign(home)
    _damaged(home)
    _walks(home)
    _texts(home)


def _foreign(home):
    (home / "file").write_text("theirs")
    (home / "folder").mkdir()
    (home / "folder" / "thesis.tex").write_text("theirs")
    os.mkfifo(home / "pipe")
    (home / "loop").symlink_to(home / "loop")
    (home / "null").symlink_to("/dev/null")


def _damaged(home):
    for name, of, file, place in (
        ("flipped atlas", "atlas", "arrays/distance.npy", -5),
        ("cut atlas", "atlas", "arrays/next_hop.npy", None),
        ("edited atlas", "atlas", "manifest.json", 40),
        ("renamed atlas", "atlas", "names.json", 40),
        ("blurred atlas", "atlas", "views/annotations.npy", -5),
        ("flipped dataset", "dataset", "train/start.npy", -4),
        ("cut dataset", "dataset", "train/view.npy", None),
        ("edited dataset", "dataset", "manifest.json", 60),
        ("retold dataset", "dataset", "train/texts.json", 80),
        ("flipped agent", "agent", "model.safetensors", -3),
        ("cut agent", "agent", "model.safetensors", None),
        ("mute agent", "agent", "vocabulary.json", 20),
        ("flipped run", "run", "checkpoint.safetensors", -3),
        ("cut run", "run", "checkpoint.safetensors", None),
    ):
        shutil.copytree(home / of, home / name)
        data = bytearray((home / name / file).read_bytes())
        if place is None:
            del data[-7:]
        else:
            data[place] ^= 1
        (home / name / file).write_bytes(data)
    for name, of, file, key, value in (
        ("shy agent", "agent", "config.json", '"ask_above": 0.5', '"ask_above": 0.9'),
        ("reseeded run", "run", "run.json", '"seed": 0', '"seed": 1'),
    ):
        shutil.copytree(home / of, home / name)
        text = (home / name / file).read_text()
        (home / name / file).write_text(text.replace(key, value))
        assert (home / name / file).read_text() != text
    shutil.copytree(home / "atlas", home / "bare atlas")
    (home / "bare atlas" / "arrays" / "distance.npy").unlink()
    (home / "empty").mkdir()
    (home / "no agent").mkdir()
    (home / "no agent" / "config.json").write_text("[]")
    (home / "old atlas").mkdir()
    (home / "old atlas" / "manifest.json").write_text('{"schema": "helpanna.atlas/0"}')


def _walks(home):
    header, first, *others = (home / "walks.jsonl").read_text().splitlines()

    def put(name, top=None, record=None, rest=others, plain=None):
        lines = [json.dumps(json.loads(header) | (top or {})), json.dumps(json.loads(first) | (record or {}))]
        text = "\n".join([*lines, *rest]) if plain is None else plain
        (home / f"{name}.jsonl").write_text(text + "\n")

    put("empty", plain="")
    put("words", plain="so long\n")
    put("list", plain="[]")
    put("no schema", {"schema": "trajectories"})
    put("no split", {"split": 3})
    put("other split", {"split": "test_unseen"})
    put("short", rest=others[:-1])
    put("twice", {"episodes": None}, rest=[first, *others])
    put("huge budget", {"budget": 10**9})
    put("small budget", {"budget": 1})
    put("negative budget", {"budget": -1})
    put("text budget", {"budget": "many"})
    put("odd notes", {"notes": {"x": "object"}})
    put("no notes", {"notes": {"x": "float32"}})
    steps = len(json.loads(first)["locations"]) - 1
    noted = json.loads(header) | {"notes": {"x": "float32"}, "episodes": 1}
    for name, value in (
        ("deep notes", [[[[0.0] * 2] * 2] * 2] * steps),
        ("ragged notes", [[0.0] * (1 + t % 2) for t in range(steps)]),
        ("wide notes", [[0.0] * 100_000] * steps),
        ("text notes", ["a"] * steps),
        ("no number notes", [None] * steps),
    ):
        put(name, noted, {"notes": {"x": value}}, rest=[])
    put("no task", record={"task": None})
    put("far task", record={"task": 10**6})
    put("no locations", record={"locations": []})
    put("strange location", record={"locations": ["nowhere"]})
    put("number location", record={"locations": [[]]})
    put(
        "jump",
        record={"locations": [json.loads(first)["locations"][0], json.loads(others[-1])["locations"][-1]]},
    )
    put("views", record={"views": [0]})
    put("actions", record={"actions": ["left"]})
    put("far requests", record={"requests": [{"step": 10**9, "route": "0"}]})
    put("odd requests", record={"requests": [5]})
    put("no route", record={"requests": [{"step": 0, "route": "no route"}]})
    put("metres", record={"metres": -1})
    there = json.loads(first)["locations"][0]
    put(
        "endless",
        {"episodes": 1, "budget": None},
        {
            "locations": [there] * 200_001,
            "views": None,
            "actions": None,
            "can_ask": None,
            "requests": None,
            "metres": None,
        },
        rest=[],
    )
    (home / "bytes.jsonl").write_bytes(b"\xff\xfe\x00")
    put("nan", plain='{"schema": NaN}')


def _texts(home):
    (home / "empty.txt").write_text("\n\n")
    (home / "bytes.txt").write_bytes(b"\xff\xfe")
    (home / "unicorns.txt").write_text("unicorn\n")
    write_json(home / "empty.json", [])
    write_json(home / "object.json", {})
    write_json(home / "number.json", 3)
    write_json(home / "records.json", [{"scan": 3}])
    write_json(
        home / "elsewhere.json",
        [{"scan": "elsewhere", "path_id": 1, "path": ["a", "b"], "heading": 0.0, "instructions": ["go"]}],
    )
    (home / "half.json").write_text('[{"scan": "a"')
    write_json(home / "own empty.json", {"name": "lab", "locations": []})
    (home / "plan.jpg").write_text("theirs")
