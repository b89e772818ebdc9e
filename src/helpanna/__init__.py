"""helpanna: study and build agents that find their way by asking for help."""

from helpanna.episodes.registration import register_environments

__version__ = "0.1.0"

# `import helpanna` is how Gymnasium learns of a package's environments.
register_environments()
