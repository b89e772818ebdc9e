"""`helpanna view`: what is wrong is said in one sentence, and strangers get a token."""

import socket
import subprocess
import sys

import pytest

from helpanna.cli.main import main


def refused(capsys, *arguments):
    with pytest.raises(SystemExit) as stopped:
        main(["view", *map(str, arguments)])
    assert stopped.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def result(tmp_path):
    """A result that says how its one episode ended; its dataset is nowhere."""
    file = tmp_path / "run.jsonl"
    file.write_text(
        '{"schema": "helpanna.trajectories/1", "split": "val_unseen"}\n'
        '{"task": 0, "world": "w", "request": "find a mug", "locations": ["a", "a"], "actions": [0], '
        '"requests": [], "metres": 0, "success": true, "final_distance": 0, "closest_distance": 0, '
        '"shortest": 0}\n'
    )
    return file


def test_bad_input(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where what people do would be stored
    file = result(tmp_path)
    assert "name a result file to watch" in refused(capsys)
    assert "does not exist" in refused(capsys, tmp_path / "nothing.jsonl")
    assert "--port is 70000" in refused(capsys, file, "--port", 70000)
    assert "manifest.json" in refused(capsys, file, "--data", tmp_path)
    assert "nowhere.invalid port 0 cannot be used" in refused(
        capsys, file, "--host", "nowhere.invalid", "--port", 0
    )
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port} cannot be used" in refused(capsys, file, "--port", port)


@pytest.mark.slow
@pytest.mark.parametrize(("host", "token"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_only_this_machine_needs_no_token(tmp_path, host, token):
    command = [sys.executable, "-m", "helpanna.cli", "view", str(result(tmp_path)), "--host", host]
    command += ["--port", "0", "--no-browser"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as server:
        said = server.stderr.readline()
        server.terminate()
        server.communicate(timeout=30)
    assert f"The page is at http://{host}:" in said and ("?token=" in said) == token
