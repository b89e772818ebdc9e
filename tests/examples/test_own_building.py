import importlib.util
from pathlib import Path

import pytest

from helpanna.tasks.check import check_dataset
from helpanna.worlds.storage import check_atlas

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_building.py"


@pytest.mark.slow
def test_the_example_leads_from_six_locations_to_a_result(tmp_path, capsys):
    spec = importlib.util.spec_from_file_location("own_building", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    success = example.main(tmp_path)
    assert check_atlas(tmp_path / "atlas").location_count == 6
    check_dataset(tmp_path / "dataset")
    # The Explorer finds everything in so small a building; a trained agent does better than chance.
    assert success["explorer+ask_untried+perfect"] == 1
    assert success["matterport"] > success["random_walk"]
    assert "routes, for example: " in capsys.readouterr().out


def test_an_example_stays_short():
    assert len(EXAMPLE.read_text().splitlines()) < 100
