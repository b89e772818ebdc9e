"""Who does the work: processes of this machine, or a Ray cluster. Both take functions and give futures."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any, Literal

from helpanna.errors import InputError

EngineName = Literal["local", "ray"]
Submit = Callable[..., "Future[Any]"]
"""Takes a function of a module, and its arguments; the future gives what it returns."""

RETRIES = 5
"""How often Ray begins work again whose worker died."""

_ANSWER_SECONDS = 5.0
_KILLED = (
    "a worker process was killed, perhaps because memory ran out; run the same command again, with fewer "
    "--workers."
)


@dataclass(frozen=True)
class Engine:
    """Where work is done.

    Attributes:
        name: "local" for processes of this machine, "ray" for a Ray cluster.
        address: of a running cluster, whose machines share the folders of what is read and written; None for
            a new one on this machine.
    """

    name: EngineName = "local"
    address: str | None = None

    def open(self, workers: int) -> AbstractContextManager[Submit]:
        """Takes work while the context lasts, this many side by side, or as many as a cluster can."""
        return ray_engine(self.address, workers) if self.name == "ray" else local_engine(workers)


LOCAL = Engine()


@contextmanager
def local_engine(workers: int) -> Iterator[Submit]:
    """This many processes, which end at once when this one is interrupted or dies; 1 is a thread of this one.

    Raises:
        InputError: a process was killed.
    """
    if workers == 1:
        with ThreadPoolExecutor(1) as thread:
            yield thread.submit
        return
    # New processes, not forks: a fork copies locks in whatever state other threads hold them.
    context = get_context("spawn")
    # Workers end when the other end of this pipe is closed: here, or by the system when this process is gone.
    held, lifeline = context.Pipe(duplex=False)
    with held, ProcessPoolExecutor(workers, context, _end_with, (held,)) as pool:

        def submit(function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
            with _interrupts_held_back():
                return pool.submit(function, *arguments)

        try:
            yield submit
            pool.shutdown()
        except BrokenProcessPool:
            raise InputError(_KILLED) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            lifeline.close()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Processes started meanwhile never hear a Ctrl-C; this one hears it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with(held: Connection) -> None:
    """In a worker: ends the process, whatever it is at, when the parent closes its end of the pipe."""

    def wait() -> None:
        held.poll(None)
        os._exit(1)

    Thread(target=wait, daemon=True).start()


@contextmanager
def ray_engine(address: str | None, workers: int) -> Iterator[Submit]:
    """Work as Ray tasks of one processor each; where a worker dies its work is begun again.

    Args:
        address: of a running cluster; None for a new one on this machine.
        workers: the processors of a new one.

    Raises:
        InputError: no cluster answers, or workers die again and again.
    """
    try:
        import ray
    except ImportError:
        raise InputError('--engine ray needs ray; pip install "helpanna[cluster]".') from None
    import logging

    if address is not None:
        _check_address(address)
    new: dict[str, Any] = {"num_cpus": workers, "include_dashboard": False} if address is None else {}
    try:
        ray.init(address=address or "local", log_to_driver=False, logging_level=logging.ERROR, **new)
    except Exception as error:  # of this very class is what Ray raises when a machine is too slow
        raise _no_cluster(address, error) from None
    task = ray.remote(num_cpus=1, max_retries=RETRIES)(_do_in)
    try:
        yield lambda function, *arguments: task.remote(Path.cwd(), function, *arguments).future()
    except ray.exceptions.WorkerCrashedError:
        raise InputError(_KILLED) from None
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, InputError):
            raise error.cause from None
        raise
    finally:
        ray.shutdown()


def _do_in(folder: Path, function: Callable[..., Any], *arguments: Any) -> Any:
    """In a worker: paths mean there what they mean here."""
    os.chdir(folder)
    return function(*arguments)


def _check_address(address: str) -> None:
    """Refuses HOST:PORT where nobody listens: Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return  # "auto", or another name that Ray knows
    try:
        socket.create_connection((host, int(port)), timeout=_ANSWER_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise _no_cluster(address, error) from None


def _no_cluster(address: str | None, error: Exception) -> InputError:
    if address is None:
        return InputError(f"no Ray cluster starts on this machine ({error}); try again, or give --address.")
    return InputError(
        f"--address {address}: no Ray cluster answers there; start one with `ray start --head`, or leave "
        "--address out."
    )
