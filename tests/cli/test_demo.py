"""`helpanna demo` leaves results that the page shows."""

from pathlib import Path

import pytest

from helpanna.cli.main import main
from helpanna.viewer.library import Library


@pytest.mark.slow
def test_results_to_watch(tmp_path, capsys):
    main(["demo", "--no-pictures", "--houses", "2", "--out", str(tmp_path)])
    said = capsys.readouterr().err
    line = next(line for line in said.splitlines() if "helpanna view" in line)
    files = [Path(file) for file in line.partition("helpanna view ")[2].split()]
    library = Library(files)
    assert [result.name for result in library.results] == ["explorer+ask_untried+perfect", "explorer"]
    found = library.compare(0, 1)
    assert len(found["tasks"]) == 200 and found["differences"]["requests_per_task"]["value"] > 0
    assert library.episode(0, 0)["world"] == found["tasks"][0][1]
    page = (tmp_path / "index.html").read_text()  # the same in one file
    assert "/api/results/1/episodes/199" in page and "/api/compare/0/1" in page
