"""helpanna: study and build agents that find their way by asking for help."""

__version__ = "0.1.0"
