"""helpanna: study and build agents that find their way by asking for help."""

from helpanna.environments.registration import register_environments
from helpanna.version import __version__

__all__ = ["__version__"]


# `import helpanna` is how Gymnasium learns of a package's environments.
register_environments()
