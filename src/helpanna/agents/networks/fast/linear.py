"""Linear maps for networks side by side, whose weight gradients are gathered into one product.

A recurrent network uses a weight matrix at every time step. Left to itself, autograd then computes the
gradient of that matrix step by step: a thin product and a sum over the whole matrix each time. Here every use
only notes down its input and the gradient of its output; when the last use has been passed on the way back,
one thick product gives the same sum.
"""

from typing import Any

import torch
from torch import Tensor, nn

from helpanna.agents.networks.plain import plainly

Ledger = list[tuple[Tensor, Tensor]]


class _Gather(torch.autograd.Function):
    """Turns a weight and its bias into an empty token.

    All uses of the weight hang on the token, so autograd comes here after all of them on the way back, and
    here the gradients are made of what they noted down.
    """

    @staticmethod
    def forward(ctx: Any, weight: Tensor, bias: Tensor | None, ledger: Ledger, transposed: Ledger) -> Tensor:
        ctx.ledgers = ledger, transposed
        return weight.new_zeros(())

    @staticmethod
    def backward(ctx: Any, _: Tensor) -> tuple[Tensor | None, Tensor | None, None, None]:
        weight = bias = None
        if ctx.ledgers[0]:
            x, dy = _gathered(ctx.ledgers[0])
            weight = torch.bmm(x.transpose(1, 2), dy)
            bias = dy.sum(dim=1, keepdim=True) if ctx.needs_input_grad[1] else None
        if ctx.ledgers[1]:
            x, dy = _gathered(ctx.ledgers[1])
            weight = torch.bmm(dy.transpose(1, 2), x) if weight is None else weight.baddbmm_(dy.mT, x)
        return weight, bias, None, None


def _gathered(ledger: Ledger) -> tuple[Tensor, Tensor]:
    """All inputs one below the other, and all gradients of outputs."""
    inputs, gradients = zip(*ledger, strict=True)
    ledger.clear()
    return torch.cat(inputs, dim=1), torch.cat(gradients, dim=1)


class _Use(torch.autograd.Function):
    """x W + b: the gradient of x as usual, those of W and b noted down."""

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None, token: Tensor, ledger: Ledger
    ) -> Tensor:
        ctx.save_for_backward(x, weight)
        ctx.ledger = ledger
        return torch.bmm(x, weight) if bias is None else torch.baddbmm(bias, x, weight)

    @staticmethod
    def backward(ctx: Any, dy: Tensor) -> tuple[Tensor | None, None, None, None, None]:
        x, weight = ctx.saved_tensors
        ctx.ledger.append((x, dy))
        return torch.bmm(dy, weight.mT) if ctx.needs_input_grad[0] else None, None, None, None, None


class Linear(nn.Module):
    """N linear maps side by side, one for each network: [N, B, inputs] to [N, B, outputs]."""

    def __init__(self, networks: int, inputs: int, outputs: int, bias: bool = True) -> None:
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(torch.empty(networks, inputs, outputs).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(networks, 1, outputs).uniform_(-bound, bound)) if bias else None
        self._token: Tensor | None = None
        self._ledger: Ledger = []
        self._transposed: Ledger = []

    def gather_gradients(self) -> None:
        """From here on the uses belong to one backward pass."""
        self._ledger, self._transposed = [], []
        self._token = _Gather.apply(self.weight, self.bias, self._ledger, self._transposed)  # type: ignore[no-untyped-call]

    def release_gradients(self) -> None:
        """Back to plain products."""
        self._token = None

    def forward(self, x: Tensor) -> Tensor:
        """W x + b, for every network its own."""
        if self._token is None or not torch.is_grad_enabled():
            return (
                torch.bmm(x, self.weight) if self.bias is None else torch.baddbmm(self.bias, x, self.weight)
            )
        bias = None if self.bias is None else self.bias.detach()
        y: Tensor = _Use.apply(x, self.weight.detach(), bias, self._token, self._ledger)  # type: ignore[no-untyped-call]
        return y

    def transposed(self, x: Tensor) -> Tensor:
        """W^T x: [N, B, outputs] to [N, B, inputs]."""
        if self._token is None or not torch.is_grad_enabled():
            return torch.bmm(x, self.weight.mT)
        y: Tensor = _Use.apply(x, self.weight.detach().mT, None, self._token, self._transposed)  # type: ignore[no-untyped-call]
        return y


def gather_gradients(module: nn.Module) -> None:
    """Gathers the weight gradients of all linear maps of a module, until the next call."""
    if plainly():
        return
    for part in module.modules():
        if isinstance(part, Linear):
            part.gather_gradients()


def release_gradients(module: nn.Module) -> None:
    """Back to plain products in the whole module."""
    for part in module.modules():
        if isinstance(part, Linear):
            part.release_gradients()
