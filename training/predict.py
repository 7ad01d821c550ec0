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


def place(directory: Path, key: str) -> Path:
    """The file of one abstract's figures; ids of papers have signs that some file systems do not take.

    >>> place(Path("kept"), "arxiv:2305.04180v1").name
    'arxiv_2305.04180v1.npz'
    """
    return directory / f"{key.replace(':', '_')}.npz"


def load_prediction(directory: Path, key: str, text: str) -> Prediction:
    """The kept figures of one abstract.

    Raises:
        StaleError: they are for other words than the text now has.
    """
    path = place(directory, key)
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
    import parts

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True, nargs="+", help="several are averaged")
    parser.add_argument("--parts", type=parts.numbers, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    vocab = data.vocabulary(args.base / "vocab.txt")
    nets = []
    for path in args.weights:
        net = network.Net()
        net.load_state_dict(torch.load(path))
        nets.append(net.eval())
    for key, (abstract, _) in parts.load(args.shared, args.parts).items():
        encoded = encode(abstract, vocab)
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
            place(args.out, key), **{n: a.astype(np.float16) for n, a in zip(FIELDS, kept, strict=True)}
        )


if __name__ == "__main__":
    main()
