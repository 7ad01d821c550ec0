"""Write a trained network as int8 ONNX with its card, as the package ships it.

python training/export.py --weights model.pt --base BASE_DIR --out src/sotagraph/data/model [--note TEXT]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

import data
import net as network
from sotagraph.extract.encoding import NUMBERS, RELATION_LABELS, ROLE_LABELS, TAGS, Window, encode

#: How much of the unevenness goes over to the weights; 0.5 to 1.0 were tried, the figures differ by half.
ALPHA = 0.9
QUANTIZED = ("query", "key", "value", "out", "inner", "outer")


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


class Smoothed(nn.Module):
    """A linear layer whose inputs are evened out before they become int8 (Xiao et al. 2023, "SmoothQuant").

    A few channels of a transformer's activations are far larger than the rest and would take all the steps of an int8
    scale; dividing them by a factor and multiplying the weights by the same changes nothing but the rounding.
    """

    def __init__(self, linear: nn.Linear, largest: Tensor) -> None:
        super().__init__()
        weight = linear.weight.abs().amax(dim=0).clamp_min(1e-4)
        factor = largest.clamp_min(1e-4) ** ALPHA / weight ** (1 - ALPHA)
        self.register_buffer("inverse", 1.0 / factor)
        self.linear = nn.Linear(linear.in_features, linear.out_features)
        with torch.no_grad():
            self.linear.weight.copy_(linear.weight * factor)
            self.linear.bias.copy_(linear.bias)

    def forward(self, x: Tensor) -> Tensor:
        """The same product as before."""
        return self.linear(x * self.inverse)


@torch.no_grad()
def smooth(net: network.Net, windows: list[Window]) -> None:
    """Replace the encoder's linear layers by smoothed ones, by what their inputs are on some texts."""
    largest: dict[str, Tensor] = {}
    hooks = []
    for name, module in net.named_modules():
        if isinstance(module, nn.Linear) and name.startswith("layers."):

            def keep(_: nn.Module, inputs: tuple[Tensor], name: str = name) -> None:
                top = inputs[0].abs().flatten(0, -2).amax(dim=0)
                largest[name] = torch.maximum(largest[name], top) if name in largest else top

            hooks.append(module.register_forward_pre_hook(keep))
    for window in windows:
        network.figures([net], window)
    for hook in hooks:
        hook.remove()
    for name, top in largest.items():
        parent, _, last = name.rpartition(".")
        layer = net.get_submodule(parent)
        setattr(layer, last, Smoothed(getattr(layer, last), top))


def export(net: network.Net, path: Path, windows: list[Window]) -> None:
    """ONNX with batch and length left open; weights of the encoder as int8, heads as they are."""
    net.eval()
    smooth(net, windows)
    net.word = RowScaled(net.word.weight.detach())
    ids = torch.ones(1, 16, dtype=torch.long)
    # One text at a time has no padding: without a mask the same figures come out sooner.
    inputs = (ids, torch.zeros_like(ids), torch.zeros_like(ids))
    names = ["ids", "shapes", "emphases"]
    axes = {name: {0: "batch", 1: "length"} for name in (*names, *network.Net.OUTPUTS)}
    with tempfile.TemporaryDirectory() as scratch:
        full = Path(scratch) / "full.onnx"
        torch.onnx.export(
            net,
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
        products = [n.name for n in nodes if n.op_type == "MatMul" and "/layers" in n.name]
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
    texts = [abstract["abstract"] for abstract, _ in data.load_parts(args.shared, [1])]
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
