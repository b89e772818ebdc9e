"""The options that say where work is done, in the help of every command that can use a cluster."""

from dataclasses import dataclass
from typing import Annotated

import tyro

from helpanna.engines import Engine, EngineName
from helpanna.errors import InputError


@dataclass(frozen=True)
class EnginePart:
    """Where the work is done; changes no result."""

    engine: EngineName = "local"
    """In processes of this machine, or as tasks of a Ray cluster, begun again where a worker dies."""
    address: str | None = None
    """The address of a running Ray cluster ("auto" for this machine's), whose machines share the folders of
    what is read and written; by default one is started here."""

    def chosen(self) -> Engine:
        """The engine."""
        if self.address is not None and self.engine != "ray":
            raise InputError("--address goes with --engine ray; add that or leave it out.")
        return Engine(self.engine, self.address)


EngineGroup = Annotated[EnginePart, tyro.conf.arg(name="engine")]
