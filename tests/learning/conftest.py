import sys
from functools import partial

import pytest

from helpanna.evaluation.runner import run_episodes
from helpanna.learning import trainer


@pytest.fixture(scope="module", autouse=True)
def quick():
    """A trainer evaluates on four steps only, and does without TensorBoard, which takes seconds to load."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trainer, "run_episodes", partial(run_episodes, budget=4))
        patch.setitem(sys.modules, "torch.utils.tensorboard", None)
        yield
