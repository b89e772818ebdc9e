"""Who does the units: processes of this machine, or a Ray cluster. Both take work and give futures."""

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Literal

from helpanna.errors import InputError
from helpanna.evaluation.workers import end_with, interrupts_held_back
from helpanna.reproduction.units import Unit

EngineName = Literal["local", "ray"]
Submit = Callable[[Unit], "Future[bool]"]
"""Takes a unit to be done; the future says whether it was done to its end."""

_ANSWER_SECONDS = 5.0
RETRIES = 5
"""How often Ray begins a unit again whose worker died; it goes on where that was."""


def do(unit: Unit) -> bool:
    """Does a unit, in whatever process."""
    return unit.do()


@contextmanager
def local_engine(workers: int) -> Iterator[Submit]:
    """So many units side by side, each in a process of one thread; one unit alone in this process."""
    if workers == 1:
        with ThreadPoolExecutor(1) as thread:
            yield lambda unit: thread.submit(do, unit)
        return
    context = get_context("spawn")
    # Workers end when the other end of this pipe is closed: here, or by the system when this process is gone.
    held, lifeline = context.Pipe(duplex=False)
    with held, ProcessPoolExecutor(workers, context, _begin, (held,)) as pool:

        def submit(unit: Unit) -> "Future[bool]":
            with interrupts_held_back():
                return pool.submit(do, unit)

        try:
            yield submit
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            lifeline.close()
            raise
        finally:
            if not lifeline.closed:
                pool.shutdown()
                lifeline.close()


def _begin(held: Connection) -> None:
    """In a worker: it ends with its parent, and computes on one thread."""
    end_with(held)
    import torch

    torch.set_num_threads(1)


@contextmanager
def ray_engine(address: str | None, workers: int) -> Iterator[Submit]:
    """Units as Ray tasks; a unit whose worker dies is begun again and goes on where it was.

    Args:
        address: of a running cluster, whose machines share the folders of the data and the output; None for a
            new one on this machine.
        workers: the processors of a new one.
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
    except (ConnectionError, ValueError, RuntimeError):
        raise _no_cluster(address) from None
    try:
        task = ray.remote(num_cpus=1, max_retries=RETRIES)(do)
        yield lambda unit: task.remote(unit).future()
    finally:
        ray.shutdown()


def _check_address(address: str) -> None:
    """Refuses HOST:PORT where nobody listens: Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return  # "auto", or another name that Ray knows
    try:
        socket.create_connection((host, int(port)), timeout=_ANSWER_SECONDS).close()
    except (OSError, OverflowError):
        raise _no_cluster(address) from None


def _no_cluster(address: str | None) -> InputError:
    return InputError(
        f"--address {address}: no Ray cluster answers there; start one with `ray start --head`, or leave "
        "--address out."
    )
