"""Linear maps for networks side by side, whose weight gradients are gathered into one product.

A recurrent network uses a weight matrix at every time step. Left to itself, autograd then computes the
gradient of that matrix step by step: a thin product and a sum over the whole matrix each time. Here every use
only notes down its input and the gradient of its output; when the last use has been passed on the way back,
one thick product gives the same sum.
"""

from typing import Any

import torch
from torch import Tensor, nn

Ledger = list[tuple[Tensor, Tensor]]


class _Tap(torch.autograd.Function):
    """Turns a weight into an empty token.

    All uses of the weight hang on the token, so autograd comes here after all of them on the way back, and
    here the weight's gradient is made of what they noted down.
    """

    @staticmethod
    def forward(ctx: Any, weight: Tensor, ledger: Ledger) -> Tensor:
        ctx.ledger, ctx.shape = ledger, weight.shape
        return weight.new_zeros(())

    @staticmethod
    def backward(ctx: Any, _: Tensor) -> tuple[Tensor, None]:
        inputs, gradients = zip(*ctx.ledger, strict=True)
        ctx.ledger.clear()
        return torch.bmm(torch.cat(inputs, dim=1).transpose(1, 2), torch.cat(gradients, dim=1)), None


class _Use(torch.autograd.Function):
    """x W, or x W^T: the gradient of x as usual, that of W noted down."""

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, weight: Tensor, token: Tensor, ledger: Ledger, transposed: bool
    ) -> Tensor:
        ctx.save_for_backward(x, weight)
        ctx.ledger, ctx.transposed = ledger, transposed
        return torch.bmm(x, weight.transpose(1, 2) if transposed else weight)

    @staticmethod
    def backward(ctx: Any, dy: Tensor) -> tuple[Tensor | None, None, Tensor, None, None]:
        x, weight = ctx.saved_tensors
        ctx.ledger.append((dy, x) if ctx.transposed else (x, dy))
        dx = None
        if ctx.needs_input_grad[0]:
            dx = torch.bmm(dy, weight if ctx.transposed else weight.transpose(1, 2))
        return dx, None, dy.new_zeros(()), None, None


class Linear(nn.Module):
    """N linear maps side by side, one for each network: [N, B, inputs] to [N, B, outputs]."""

    def __init__(self, networks: int, inputs: int, outputs: int, bias: bool = True) -> None:
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(torch.empty(networks, inputs, outputs).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(networks, 1, outputs).uniform_(-bound, bound)) if bias else None
        self._token: Tensor | None = None
        self._ledger: Ledger = []

    def tap(self) -> None:
        """From here on the uses belong to one backward pass."""
        self._ledger = []
        self._token = _Tap.apply(self.weight, self._ledger)  # type: ignore[no-untyped-call]

    def untap(self) -> None:
        """Back to plain products."""
        self._token = None

    def forward(self, x: Tensor) -> Tensor:
        """W x + b, for every network its own."""
        y = self._product(x, transposed=False)
        return y if self.bias is None else y + self.bias

    def transposed(self, x: Tensor) -> Tensor:
        """W^T x: [N, B, outputs] to [N, B, inputs]."""
        return self._product(x, transposed=True)

    def _product(self, x: Tensor, transposed: bool) -> Tensor:
        if self._token is not None and torch.is_grad_enabled():
            product: Tensor = _Use.apply(x, self.weight.detach(), self._token, self._ledger, transposed)  # type: ignore[no-untyped-call]
            return product
        return torch.bmm(x, self.weight.transpose(1, 2) if transposed else self.weight)


def tap(module: nn.Module) -> None:
    """Gathers the weight gradients of all linear maps of a module, until the next call."""
    for part in module.modules():
        if isinstance(part, Linear):
            part.tap()


def untap(module: nn.Module) -> None:
    """Back to plain products in the whole module."""
    for part in module.modules():
        if isinstance(part, Linear):
            part.untap()
