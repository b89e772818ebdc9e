"""Several processes that learn together: `torchrun` with DistributedDataParallel, or just one process."""

import os
from dataclasses import dataclass

import torch
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from helpanna.errors import InputError
from helpanna.learning.rollout import Batch


@dataclass(frozen=True)
class Processes:
    """This process among those that learn together.

    Attributes:
        rank: its number.
        count: how many there are.
    """

    rank: int = 0
    count: int = 1

    @staticmethod
    def join(device: torch.device) -> "Processes":
        """Joins the others if `torchrun` started this process."""
        count = int(os.environ.get("WORLD_SIZE", "1"))
        if count == 1:
            return Processes()
        if device.type == "cuda":
            torch.cuda.set_device(device)
        if not distributed.is_initialized():
            distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
        return Processes(distributed.get_rank(), count)

    @property
    def leads(self) -> bool:
        """Whether this process writes and speaks."""
        return self.rank == 0

    def check(self, batch_size: int) -> None:
        """Refuses a batch that is too small to share."""
        if batch_size < self.count:
            raise InputError(
                f"--batch-size is {batch_size}; give at least one episode for each of {self.count} processes."
            )

    def part(self, batch: Batch) -> Batch:
        """The episodes of a batch that this process runs."""
        mine = slice(self.rank, None, self.count)
        return Batch(batch.iteration, batch.tasks[mine], batch.place[mine])

    def wrap(self, module: nn.Module, every_parameter_learns: bool) -> nn.Module:
        """The module, with gradients averaged over the processes."""
        if self.count == 1:
            return module
        return DistributedDataParallel(module, find_unused_parameters=not every_parameter_learns)

    def mean(self, counts: Tensor, budget: int) -> Tensor:
        """[T] counts by step, averaged over the processes; episodes may be shorter elsewhere."""
        if self.count == 1:
            return counts
        padded = counts.new_zeros(budget)
        padded[: len(counts)] = counts
        distributed.all_reduce(padded)
        return padded[: len(counts)] / self.count

    def total(self, values: Tensor) -> Tensor:
        """The sum over the processes."""
        if self.count > 1:
            distributed.all_reduce(values)
        return values

    def any(self, said: bool) -> bool:
        """Whether one of the processes says so; all have the same answer."""
        if self.count == 1:
            return said
        # Of the group's own device: the answer travels like all else.
        device = "cuda" if distributed.get_backend() == "nccl" else "cpu"
        votes = torch.tensor(float(said), device=device)
        distributed.all_reduce(votes)
        return bool(votes > 0)

    def wait(self) -> None:
        """Until all processes are here."""
        if self.count > 1:
            distributed.barrier()

    def leave(self) -> None:
        """The work is done."""
        if self.count > 1:
            distributed.destroy_process_group()
