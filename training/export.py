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

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

import net as network
from sotagraph.extract.encoding import NUMBERS, RELATION_LABELS, ROLE_LABELS, TAGS


def export(net: network.Net, path: Path) -> None:
    """ONNX with batch and length left open; weights of the encoder as int8, heads as they are."""
    net.eval()
    ids = torch.ones(1, 16, dtype=torch.long)
    inputs = (ids, torch.zeros_like(ids), torch.zeros_like(ids), torch.ones_like(ids))
    names = ["ids", "shapes", "emphases", "mask"]
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
        import onnx

        graph = onnx.load(str(full)).graph
        heads = [node.name for node in graph.node if node.op_type in ("MatMul", "Gemm") and "layers" not in node.name]
        quantize_dynamic(
            full,
            path,
            weight_type=QuantType.QInt8,
            per_channel=True,
            op_types_to_quantize=["MatMul", "Gather"],
            nodes_to_exclude=heads,
        )


def main() -> None:
    """Read the options, export, write the card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--note", default="")
    args = parser.parse_args()
    net = network.Net()
    net.load_state_dict(torch.load(args.weights))
    args.out.mkdir(parents=True, exist_ok=True)
    model = args.out / "model.onnx"
    export(net, model)
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
