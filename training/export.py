"""Write a trained network as int8 ONNX with its card, as the package ships it.

python training/export.py --weights model.pt --base BASE_DIR --out src/sotagraph/data/model [--note TEXT]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import shutil
import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

import data
import net as network
import parts
from sotagraph.extract.encoding import NUMBERS, RELATION_LABELS, ROLE_LABELS, TAGS, Window, encode

#: How much of the unevenness goes over to the weights; 0.5 to 1.0 were tried, the figures differ by half.
ALPHA = 0.9
QUANTIZED = ("query", "key", "value", "out", "inner", "outer")
#: Channels of one attention head.
WIDE = network.HIDDEN // network.HEADS


class RowScaled(nn.Module):
    """An embedding as int8 with a scale for each row: a scale for the whole table loses the rare words."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        scale = weight.abs().amax(dim=1, keepdim=True).clamp_min(1e-8) / 127
        self.register_buffer("table", (weight / scale).round().to(torch.int8))
        self.register_buffer("scale", scale)

    def forward(self, ids: Tensor) -> Tensor:
        """Rows of the table, as floats."""
        return self.table[ids].to(torch.float32) * self.scale[ids]


class QuickNorm(nn.Module):
    """Layer normalisation whose sums are products with a column: the runtime's own kernel adds one by one."""

    def __init__(self, norm: nn.LayerNorm) -> None:
        super().__init__()
        self.weight, self.bias, self.eps = norm.weight, norm.bias, norm.eps
        self.register_buffer("mean", torch.full((network.HIDDEN, 1), 1.0 / network.HIDDEN))

    def forward(self, x: Tensor) -> Tensor:
        """The same as before, but for rounding."""
        apart = x - x @ self.mean
        return apart * torch.rsqrt((apart * apart) @ self.mean + self.eps) * self.weight + self.bias


class QuickLayer(nn.Module):
    """A layer as it is run: inputs of its products are evened out before they become int8.

    A few channels of a transformer's activations are far larger than the rest and would take all the steps of an int8
    scale; dividing them by a factor and multiplying the weights by the same changes nothing but the rounding (Xiao et
    al. 2023, "SmoothQuant"). `largest` gives the size of each input channel of each product.
    """

    def __init__(self, layer: network.Layer, largest: dict[str, Tensor]) -> None:
        super().__init__()
        weight = torch.cat([layer.query.weight, layer.key.weight, layer.value.weight])
        mixed = _factor(largest["out"], layer.out.weight)
        # What evens out the mixed values can be done to the values themselves.
        weight[2 * network.HIDDEN :] /= mixed[:, None]
        # One factor for all three, which read one input: it is then rounded once for all.
        both = _factor(largest["query"], weight)
        self.even_in = nn.Parameter(1.0 / both, requires_grad=False)
        query, key, value = (weight * both).split(network.HIDDEN)
        self.query, self.key = _linear(query, layer.query.bias), _linear(key, layer.key.bias)
        self.value = _linear(value, layer.value.bias / mixed)
        self.out = _linear(layer.out.weight * mixed, layer.out.bias)
        self.inner, self.even_inner = _evened(layer.inner, largest["inner"])
        self.outer, self.even_outer = _evened(layer.outer, largest["outer"])
        self.norm1, self.norm2 = QuickNorm(layer.norm1), QuickNorm(layer.norm2)

    def forward(self, x: Tensor, heads: Tensor | None = None) -> Tensor:
        """As in `network.Layer`, for one text without padding; states at the pieces `heads` alone, if given.

        Other pieces than `heads` are still seen.
        """
        even = x * self.even_in
        key, value = _by_head(self.key(even)), _by_head(self.value(even))
        if heads is not None:
            x, even = x[:, heads], even[:, heads]
        scores = _by_head(self.query(even)) @ key.transpose(-1, -2) / math.sqrt(WIDE)
        mixed = (scores.softmax(-1) @ value).transpose(0, 1).reshape(1, -1, network.HIDDEN)
        x = self.norm1(x + self.out(mixed))
        inner = nn.functional.gelu(self.inner(x * self.even_inner)) * self.even_outer
        return self.norm2(x + self.outer(inner))


def _by_head(x: Tensor) -> Tensor:
    """(heads, pieces, width): a transposition that the runtime does inside the product that follows."""
    return x.view(-1, network.HEADS, WIDE).transpose(0, 1)


class Quick(nn.Module):
    """The network as it is run: one text without padding, answers at words, all heads in one product."""

    def __init__(self, net: network.Net, largest: dict[str, Tensor]) -> None:
        super().__init__()
        self.word, self.shape, self.emphasis = RowScaled(net.word.weight.detach()), net.shape, net.emphasis
        self.place = nn.Parameter(net.position.weight + net.kind.weight[0], requires_grad=False)
        self.norm = net.norm
        self.layers = nn.ModuleList(
            QuickLayer(layer, {name: largest[f"{i}.{name}"] for name in ("query", "out", "inner", "outer")})
            for i, layer in enumerate(net.layers)
        )
        parts = [getattr(net, name) for name in network.Net.OUTPUTS]
        self.sizes = [part.out_features for part in parts]
        self.answers = _linear(torch.cat([p.weight for p in parts]), torch.cat([p.bias for p in parts]))

    def forward(self, ids: Tensor, shapes: Tensor, emphases: Tensor, heads: Tensor) -> tuple[Tensor, ...]:
        """All outputs of `network.Net` at the pieces `heads`, in the order of `network.Net.OUTPUTS`."""
        x = self.norm(self.word(ids) + self.place[: ids.shape[1]] + self.shape(shapes) + self.emphasis(emphases))
        *first, last = self.layers
        for layer in first:
            x = layer(x)
        # Nobody reads the other pieces of words.
        return self.answers(last(x, heads)).split(self.sizes, -1)


def _factor(largest: Tensor, weight: Tensor) -> Tensor:
    """How much of an input channel's size goes over to the weights."""
    return largest.clamp_min(1e-4) ** ALPHA / weight.abs().amax(dim=0).clamp_min(1e-4) ** (1 - ALPHA)


def _linear(weight: Tensor, bias: Tensor) -> nn.Linear:
    made = nn.Linear(weight.shape[1], weight.shape[0])
    made.weight.copy_(weight)
    made.bias.copy_(bias)
    return made


def _evened(product: nn.Linear, largest: Tensor) -> tuple[nn.Linear, nn.Parameter]:
    """A product for inputs that were evened out, and what evens them out."""
    factor = _factor(largest, product.weight)
    return _linear(product.weight * factor, product.bias), nn.Parameter(1.0 / factor, requires_grad=False)


@torch.no_grad()
def quicken(net: network.Net, windows: list[Window]) -> Quick:
    """The network as it is run, by what the inputs of its products are on some texts."""
    largest: dict[str, Tensor] = {}
    hooks = []
    for name, module in net.layers.named_modules():
        if isinstance(module, nn.Linear):

            def keep(_: nn.Module, inputs: tuple[Tensor], name: str = name) -> None:
                top = inputs[0].abs().flatten(0, -2).amax(dim=0)
                largest[name] = torch.maximum(largest[name], top) if name in largest else top

            hooks.append(module.register_forward_pre_hook(keep))
    for window in windows:
        network.figures([net], window)
    for hook in hooks:
        hook.remove()
    return Quick(net, largest).eval()


def export(net: network.Net, path: Path, windows: list[Window]) -> None:
    """ONNX for texts and words of any number; weights of the encoder as int8, heads as they are."""
    quick = quicken(net.eval(), windows)
    ids = torch.ones(1, 16, dtype=torch.long)
    # One text at a time has no padding: without a mask the same figures come out sooner.
    inputs = (ids, torch.zeros_like(ids), torch.zeros_like(ids), torch.arange(1, 12))
    names = ["ids", "shapes", "emphases", "heads"]
    axes = {name: {1: "pieces"} for name in names[:3]} | {"heads": {0: "words"}}
    axes |= {name: {1: "words"} for name in network.Net.OUTPUTS}
    with tempfile.TemporaryDirectory() as scratch:
        full = Path(scratch) / "full.onnx"
        torch.onnx.export(
            quick,
            inputs,
            str(full),
            input_names=names,
            output_names=list(network.Net.OUTPUTS),
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )
        # Only products with weights: the two products inside attention are of activations alone.
        nodes = onnx.load(str(full)).graph.node
        products = [n.name for n in nodes if n.op_type == "MatMul"]
        inner = [n for n in products if any(f"/{part}/" in n for part in QUANTIZED)]
        quantize_dynamic(full, path, weight_type=QuantType.QInt8, per_channel=True, nodes_to_quantize=inner)


def main() -> None:
    """Read the options, export, write the card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument(
        "--shared", type=Path, required=True, help="abstracts of its first part show how large activations are"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--note", default="")
    args = parser.parse_args()
    net = network.Net()
    net.load_state_dict(torch.load(args.weights))
    args.out.mkdir(parents=True, exist_ok=True)
    model = args.out / "model.onnx"
    vocab = data.vocabulary(args.base / "vocab.txt")
    texts = [abstract for abstract, _ in parts.load(args.shared, [1]).values()]
    export(net, model, [window for text in texts for window in encode(text, vocab).windows])
    shutil.copyfile(args.base / "vocab.txt", args.out / "vocab.txt")
    card = {
        "version": hashlib.sha256(model.read_bytes()).hexdigest()[:12],
        "base": "all-MiniLM-L6-v2 (Apache-2.0)",
        "trained_on": args.note,
        "labels": {
            "tags": list(TAGS),
            "roles": list(ROLE_LABELS),
            "relations": list(RELATION_LABELS),
            "numbers": list(NUMBERS),
        },
        "nothing": [[round(x, 5) for x in row] for row in net.nothing.tolist()],
    }
    (args.out / "card.json").write_text(
        json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n"
    )
    print(f"{model}: {model.stat().st_size / 1e6:.1f} MB, version {card['version']}")


if __name__ == "__main__":
    main()
