"""helpanna: study and build agents that find their way by asking for help."""

try:
    from helpanna.environments.registration import register_environments
except KeyboardInterrupt:  # the command line answers it this way, but is itself not there yet
    raise SystemExit(130) from None
from helpanna.version import __version__

__all__ = ["__version__"]


# `import helpanna` is how Gymnasium learns of a package's environments.
register_environments()
