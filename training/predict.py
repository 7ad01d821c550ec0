"""Keep a trained network's figures for annotated abstracts, so that later fits see what it says of papers it has not
read.

python training/predict.py --shared ../shared --base BASE_DIR --weights fold0.pt --parts 1,4,8,12 --out DIR
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from sotagraph.extract.encoding import SLOTS, encode
from sotagraph.extract.tagger import Prediction

FIELDS = ("tags", "roles", "relations", "numbers", "queries", "keys", "nothing")


class StaleError(ValueError):
    """Figures that were kept before the text was cut into words otherwise."""


def load_prediction(path: Path, text: str) -> Prediction:
    """The kept figures of one text.

    Raises:
        StaleError: they are for other words than the text now has.
    """
    kept = np.load(path)
    encoded = encode(text, {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2})
    if len(kept["tags"]) != len(encoded.words):
        raise StaleError(f"{path} holds {len(kept['tags'])} words, the text has {len(encoded.words)}; predict anew")
    return Prediction(encoded=encoded, **{name: kept[name].astype(np.float32) for name in FIELDS})


def main() -> None:
    """Read the options, predict, keep."""
    import torch

    import data
    import net as network

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True, nargs="+", help="several are averaged")
    parser.add_argument("--parts", type=lambda s: [int(x) for x in s.split(",")], required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    vocab = data.vocabulary(args.base / "vocab.txt")
    nets = []
    for path in args.weights:
        net = network.Net()
        net.load_state_dict(torch.load(path))
        nets.append(net.eval())
    for abstract, _ in data.load_parts(args.shared, args.parts):
        encoded = encode(abstract["abstract"], vocab)
        rows = [network.figures(nets, window) for window in encoded.windows]
        tags, roles, relations, numbers, queries, keys = (np.concatenate(column) for column in zip(*rows, strict=True))
        shape = (-1, len(SLOTS), network.POINT)
        kept = (
            tags,
            roles,
            relations,
            numbers,
            queries.reshape(shape),
            keys.reshape(shape),
            nets[0].nothing.detach().numpy(),
        )
        np.savez_compressed(
            args.out / f"{abstract['id']}.npz", **{n: a.astype(np.float16) for n, a in zip(FIELDS, kept, strict=True)}
        )


if __name__ == "__main__":
    main()
