"""Prepare the encoder on abstracts that the extractor annotated, before it learns from people's annotations.

    python training/pretrain.py --shared ../shared --base BASE_DIR --more more.jsonl --out start.pt [--epochs 1]

Three lessons at once, so that no lesson is forgotten for another:

- the heads learn what `annotate.py` wrote down, on texts of which a part is masked (Xie et al. 2020, "noisy student");
- the encoder learns to guess the masked pieces, which needs no label (Devlin et al. 2019);
- heads of their own, thrown away afterwards, learn the labels of the permissive corpora, whose borders differ.

Start from the published encoder; give the result to ``train.py --init``.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

import data
import net as network
from data import IGNORE, Example
from sotagraph.extract.encoding import encode
from train import collate, learn, loss_of, places, settings

#: Corpora whose licences allow their labels into what ships.
CORPORA = ("scirex", "tdmsci", "crossner-ai")
#: Part of the pieces that is hidden, as in BERT; of these, four in five become [MASK].
MASKED = 0.15


@dataclass(eq=False)
class Foreign(Example):
    """A text of another corpus: its own labels at its words."""

    corpus: str = ""
    labels: list[int] = field(default_factory=list)


class Lessons(nn.Module):
    """What hangs on the encoder only while it is prepared."""

    def __init__(self, sizes: dict[str, int]) -> None:
        super().__init__()
        self.transform = nn.Sequential(
            nn.Linear(network.HIDDEN, network.HIDDEN), nn.GELU(), nn.LayerNorm(network.HIDDEN)
        )
        self.bias = nn.Parameter(torch.zeros(network.VOCABULARY))
        self.corpora = nn.ModuleDict({name: nn.Linear(network.HIDDEN, size) for name, size in sizes.items()})

    def pieces(self, states: Tensor, table: Tensor) -> Tensor:
        """Scores of all pieces of the vocabulary at each state; the embedding table is read backwards."""
        return self.transform(states) @ table.t() + self.bias


def foreign(shared: Path, vocab: dict[str, int]) -> tuple[list[Foreign], dict[str, int]]:
    """Texts of the corpora with begin and inside labels, and how many labels each corpus has."""
    texts: list[Foreign] = []
    sizes: dict[str, int] = {}
    for corpus in CORPORA:
        kinds: dict[str, int] = {}
        for part in ("train", "dev"):
            for line in (shared / f"corpora/{corpus}/{part}.jsonl").read_text(encoding="utf-8").splitlines():
                item = json.loads(line)
                encoded = encode(item["text"], vocab)
                labels = [0] * len(encoded.words)
                for entity in item["entities"]:
                    kind = kinds.setdefault(entity["label"], len(kinds))
                    start = item["token_offsets"][entity["start"]][0]
                    end = item["token_offsets"][entity["end"] - 1][1]
                    inside = [
                        i for i, word in enumerate(encoded.words) if start <= encoded.plain.offsets[word.start] < end
                    ]
                    for place, word in enumerate(inside):
                        labels[word] = 1 + 2 * kind + bool(place)
                if encoded.words:
                    empty = [0] * len(labels)
                    texts.append(Foreign(item["doc_id"], encoded, empty, [], [], [], corpus=corpus, labels=labels))
        sizes[corpus] = 1 + 2 * len(kinds)
    return texts, sizes


def hide(ids: Tensor, mask: Tensor, vocab: dict[str, int], draw: torch.Generator) -> tuple[Tensor, Tensor]:
    """Ids of which some are hidden, and where they are."""
    chance = torch.rand(ids.shape, generator=draw)
    special = (ids == vocab["[CLS]"]) | (ids == vocab["[SEP]"]) | (mask == 0)
    hidden = (chance < MASKED) & ~special
    shown = ids.clone()
    shown[hidden & (chance < MASKED * 0.8)] = vocab["[MASK]"]
    swap = hidden & (chance >= MASKED * 0.9)
    shown[swap] = torch.randint(1000, network.VOCABULARY, (int(swap.sum()),), generator=draw)
    return shown, hidden


class Hidden(nn.Module):
    """The network as `loss_of` calls it, with some pieces hidden; keeps the loss of guessing them."""

    def __init__(self, net: network.Net, lessons: Lessons, vocab: dict[str, int], seed: int) -> None:
        super().__init__()
        self.net, self.lessons, self.vocab = net, lessons, vocab
        self.draw = torch.Generator().manual_seed(seed)
        self.guessing = torch.zeros(())
        self.nothing = net.nothing

    def forward(self, ids: Tensor, shapes: Tensor, emphases: Tensor, mask: Tensor) -> tuple[Tensor, ...]:
        """All heads of the network on what is left of the text."""
        shown, hidden = hide(ids, mask, self.vocab, self.draw)
        states = self.net.encode(shown, shapes, emphases, mask)
        scores = self.lessons.pieces(states[hidden], self.net.word.weight)
        self.guessing = functional.cross_entropy(scores.float(), ids[hidden]) if len(scores) else torch.zeros(())
        return self.net.read(states)


def lesson(hidden: Hidden, batch: list[Example]) -> Tensor:
    """The loss of one batch, either of abstracts or of texts of one corpus."""
    first = batch[0]
    if not isinstance(first, Foreign):
        return loss_of(hidden, batch) + 0.3 * hidden.guessing
    inputs, heads = collate(batch)
    with torch.autocast("cpu", torch.bfloat16):
        states = hidden.net.encode(*inputs)
        scores = hidden.lessons.corpora[first.corpus](states)
    labels = torch.tensor([x for e, h in zip(batch, heads, strict=True) for x in e.labels[: len(h)]])  # type: ignore[attr-defined]
    return 0.5 * functional.cross_entropy(scores[places(heads)].float(), labels, ignore_index=IGNORE)


def batches(examples: list[Example], size: int, pieces: int, rng: random.Random) -> list[list[Example]]:
    """Examples of one source and of like length together."""
    groups: dict[str, list[Example]] = {}
    for example in examples:
        groups.setdefault(example.corpus if isinstance(example, Foreign) else "", []).append(example)
    out = []
    for _, group in sorted(groups.items()):
        order = sorted(group, key=lambda e: len(e.encoded.words) + rng.random() * 40)
        at = 0
        while at < len(order):
            # Short sentences come in larger batches.
            count = max(size, min(4 * size, pieces // max(1, len(order[at].encoded.words))))
            out.append(order[at : at + count])
            at += count
    rng.shuffle(out)
    return out


def main() -> None:
    """Read the options, prepare, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--more", type=Path, required=True, help="what annotate.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-4)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    vocab = data.vocabulary(args.base / "vocab.txt")
    net = network.base(args.base / "model.safetensors")
    more = [json.loads(line) for line in args.more.read_text(encoding="utf-8").splitlines()]
    examples: list[Example] = [data.make_example(item["abstract"], item["gold"], vocab) for item in more]
    texts, sizes = foreign(args.shared, vocab)
    examples += texts
    hidden = Hidden(net, Lessons(sizes), vocab, args.seed)
    rng = random.Random(args.seed)
    plan = [batches(examples, 8, 1600, rng) for _ in range(args.epochs)]
    optimizer, schedule = settings(net, args.rate, sum(map(len, plan)), list(hidden.lessons.parameters()))
    for epoch, items in enumerate(plan, 1):
        hidden.train()
        start, total, guessed = time.perf_counter(), 0.0, 0.0
        for number, batch in enumerate(items, 1):
            loss = lesson(hidden, batch)
            learn(loss, hidden, optimizer, schedule)
            total, guessed = total + float(loss.detach()), guessed + float(hidden.guessing.detach())
            if number % 100 == 0:
                means = f"loss {total / number:.3f} pieces {guessed / number:.2f}"
                print(f"epoch {epoch} {number}/{len(items)} {means} {time.perf_counter() - start:.0f} s", flush=True)
        torch.save(net.state_dict(), args.out)


if __name__ == "__main__":
    main()
