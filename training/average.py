"""Average the weights of networks that were trained from the same start on other orders of the data.

    python training/average.py --weights a.pt b.pt --out model.pt

Networks from one start stay in one basin, where their mean is at least as good as each of them and costs nothing at run
time (Wortsman et al. 2022, "Model soups").
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

_State = TypeVar("_State")


def mean(states: Sequence[Mapping[str, _State]]) -> dict[str, _State]:
    """The mean of each named tensor, summed in the order given.

    Raises:
        ValueError: the networks do not have the same tensors.

    >>> mean([{"a": 1.0}, {"a": 2.0}])
    {'a': 1.5}
    """
    first, *others = states
    if any(set(state) != set(first) for state in others):
        raise ValueError("the files hold different networks; give weights that one version of train.py wrote")
    return {name: sum((state[name] for state in others), start=first[name]) / len(states) for name in first}  # type: ignore[call-overload]


def main() -> None:
    """Read the options, average, save."""
    import torch

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    torch.save(mean([torch.load(path) for path in args.weights]), args.out)


if __name__ == "__main__":
    main()
