import pytest
from examples_loader import load

from helpanna.tasks.check import check_dataset
from helpanna.worlds.storage import check_atlas


@pytest.mark.slow
def test_the_example_leads_from_six_locations_to_a_result(tmp_path, capsys):
    success = load("own_building").main(tmp_path)
    assert check_atlas(tmp_path / "atlas").location_count == 6
    check_dataset(tmp_path / "dataset")
    # The Explorer finds everything in so small a building; a trained agent does better than chance.
    assert success["explorer+ask_untried+perfect"] == 1
    assert success["paper-matterport"] > success["random_walk"]
    assert "routes, for example: " in capsys.readouterr().out
