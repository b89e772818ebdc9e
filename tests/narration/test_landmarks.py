"""What an instruction names is looked for along its walk."""

from helpanna.assistance.route_systems import start_view, system_paths
from helpanna.narration.landmarks import Landmarks
from helpanna.narration.narrators import Writer
from helpanna.narration.nouns import names_of
from helpanna.narration.surroundings import Surroundings, surroundings_of
from helpanna.worlds.atlas import Atlas


def test_nothing_that_narrators_say_is_out_of_sight(sample: Atlas) -> None:
    """Narrators name what is in sight only, in many words: none of it is complained about."""
    told = 0
    for world in range(sample.world_count):
        around = surroundings_of(sample, world)
        landmarks, writer = Landmarks(around), Writer(around, 0)
        first = int(sample.world_start[world])
        for path in system_paths("random", sample, world)[:15]:
            local = tuple(place - first for place in path)
            for instruction in writer.write(local, start_view(sample, path), 3):
                assert landmarks.not_in_sight(local, instruction.text) == [], instruction.text
                told += 1
    assert told > 50


def test_what_is_elsewhere_or_nowhere_is_named(sample: Atlas) -> None:
    around = surroundings_of(sample, 0)
    landmarks = Landmarks(around)
    path = [0, around.neighbours[0][0]]
    seen = {around.world.object_types[thing] for place in path for thing in around.seen[place]}
    elsewhere = next(kind for kind in ("bed", "sink", "stove", "toilet", "sofa") if kind not in seen)
    found = landmarks.not_in_sight(path, f"Go past the pianos and the {elsewhere}, and the piano, then stop.")
    assert found == ["piano", "couch" if elsewhere == "sofa" else elsewhere]


def test_synonyms_and_heads_will_do_and_captions_count(sample: Atlas) -> None:
    around = surroundings_of(sample, 0)
    pairs = [
        (place, names_of(around.world.object_types[t])) for place in range(40) for t in around.seen[place]
    ]
    place, names = next((place, names) for place, names in pairs if len(names) > 1)
    for name in names:
        assert Landmarks(around).not_in_sight([place], f"Stop at the {name}.") == []
    blank = tuple(tuple("" for _ in range(8)) for _ in range(3))
    said = (*blank[:2], ("a grand piano", *blank[2][1:]))
    captions = [said if p == place else blank for p in range(around.world.location_count)]
    with_captions = Landmarks(Surroundings(around.world, captions))
    assert with_captions.not_in_sight([place], "Stop at the piano.") == []
    assert Landmarks(around).not_in_sight([place], "Stop at the piano.") == ["piano"]
