import os
from pathlib import Path

import pytest

from helpanna.worlds.atlas import Atlas
from helpanna.worlds.matterport.importer import ImportReport, import_matterport
from helpanna.worlds.storage import load_atlas

DEFAULT = Path(__file__).parents[2] / "../shared/data/matterport"


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder with the publishers' files."""
    folder = Path(os.environ.get("HELPANNA_REAL_DATA", DEFAULT)).resolve()
    if not (folder / "connectivity").is_dir():
        pytest.skip(f"the real data is not at {folder}; set HELPANNA_REAL_DATA")
    return folder


@pytest.fixture(scope="session")
def imported(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ImportReport]:
    folder = tmp_path_factory.mktemp("real") / "atlas"
    return folder, import_matterport(real_data, folder)


@pytest.fixture(scope="session")
def real_atlas(imported: tuple[Path, ImportReport]) -> Atlas:
    return load_atlas(imported[0])
