"""What training runs leave behind."""

from helpanna.files import sha256


def fingerprints(run):
    """The SHA-256 of all files of a run by their paths, TensorBoard's excepted: it writes the time of day."""
    files = [path for path in run.rglob("*") if path.is_file() and "tensorboard" not in path.parts]
    return {str(path.relative_to(run)): sha256(path) for path in files}
