"""Fine-tune the extractor's encoder and heads on annotated abstracts.

    python training/train.py --shared ../shared --base BASE_DIR --out model.pt [--seed 1] [--epochs 14] [--parts 1,2]

BASE_DIR holds ``model.safetensors`` and ``vocab.txt`` of all-MiniLM-L6-v2. Part 6 is the development set and is never
trained on. Seeded; bf16 where the processor has it.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

import data
import net as network
import parts
from data import IGNORE, Example
from sotagraph.extract.encoding import NUMBERS, RELATION_LABELS, SLOTS, TAGS

NUMBER_WEIGHTS = torch.tensor([0.6, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5])


def collate(batch: list[Example]) -> tuple[tuple[Tensor, ...], list[Tensor]]:
    """Inputs of the first window of each example, padded, and for each the piece index of every word."""
    rows = [example.encoded.windows[0] for example in batch]
    length = max(len(row.ids) for row in rows)

    def pad(lists: list[list[int]]) -> Tensor:
        return torch.tensor([[*items, *[0] * (length - len(items))] for items in lists])

    mask = pad([[1] * len(row.ids) for row in rows])
    inputs = (pad([r.ids for r in rows]), pad([r.shapes for r in rows]), pad([r.emphases for r in rows]), mask)
    return inputs, [torch.tensor(row.heads) for row in rows]


def places(heads: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Row of the batch and piece of every word, where `heads` holds the pieces of each row's words."""
    return torch.cat([torch.full_like(h, i) for i, h in enumerate(heads)]), torch.cat(heads)


def loss_of(net: network.Net, batch: list[Example]) -> Tensor:
    """Sum of the losses of all heads over one batch."""
    inputs, heads = collate(batch)
    with torch.autocast("cpu", torch.bfloat16):
        outputs = net(*inputs)
    tags, roles, relations, numbers, queries, keys = (o.float() for o in outputs)
    total = torch.zeros(())
    row, column = places(heads)

    def gold(name: str) -> Tensor:
        return torch.tensor([x for e, h in zip(batch, heads, strict=True) for x in getattr(e, name)[: len(h)]])

    total = functional.cross_entropy(tags[row, column], gold("tags"), ignore_index=IGNORE)
    wanted = gold("roles")
    if (wanted != IGNORE).any():
        total = total + 0.3 * functional.cross_entropy(roles[row, column], wanted, ignore_index=IGNORE)
    known = [
        (i, int(h[w]), r)
        for i, (e, h) in enumerate(zip(batch, heads, strict=True))
        for w, r in enumerate(e.relations[: len(h)])
        if r
    ]
    if known:
        at = torch.tensor([k[0] for k in known]), torch.tensor([k[1] for k in known])
        truth = torch.tensor([k[2] for k in known])
        total = total + 1.0 * functional.binary_cross_entropy_with_logits(relations[at], truth)
    wanted = gold("numbers")
    if (wanted != IGNORE).any():
        total = total + 0.3 * functional.cross_entropy(
            numbers[row, column], wanted, weight=NUMBER_WEIGHTS, ignore_index=IGNORE
        )
    pointing = [slot_loss(net, e, h, queries[i], keys[i]) for i, (e, h) in enumerate(zip(batch, heads, strict=True))]
    told = [p for p in pointing if p is not None]
    if told:
        total = total + 0.3 * torch.cat(told).mean()
    return total


def slot_loss(net: network.Net, example: Example, heads: Tensor, queries: Tensor, keys: Tensor) -> Tensor | None:
    """Cross-entropy of pointing, one value a (number, slot) pair; any mention of the right thing counts as right."""
    starts = [w for w in example.starts if w < len(heads)]
    pairs = [
        (n, s, [starts.index(f) for f in fillers if f < len(heads)])
        for n, s, fillers in example.slots
        if n < len(heads)
    ]
    if not starts or not pairs:
        return None
    all_keys = keys[heads[starts]].view(len(starts), len(SLOTS), network.POINT)
    losses = []
    for number, slot, right in pairs:
        query = queries[heads[number]].view(len(SLOTS), network.POINT)[slot]
        scores = torch.cat([net.nothing[slot][None], all_keys[:, slot]]) @ query
        logs = scores.log_softmax(0)
        targets = [r + 1 for r in right] or [0]
        losses.append(-logs[targets].logsumexp(0))
    return torch.stack(losses)


@torch.no_grad()
def evaluate(net: network.Net, examples: list[Example]) -> str:
    """A line of development figures: F1 of core mentions, accuracy of roles and numbers, F1 of relation labels."""
    net.eval()
    hit = said = true = role_hit = role_all = number_hit = number_all = 0
    rel = [[0, 0, 0] for _ in RELATION_LABELS]
    slot_hit = slot_all = 0
    for example in examples:
        inputs, (heads,) = collate([example])
        tags, roles, relations, numbers, queries, keys = net(*inputs)
        got, want = (
            spans([TAGS[i] for i in tags[0, heads].argmax(-1)]),
            spans([TAGS[i] for i in example.tags[: len(heads)]]),
        )
        neutral = {(a, b) for a, b, k in want if k.endswith("?")}
        got = {s for s in got if not s[2].endswith("?") and s[:2] not in neutral}
        want = {s for s in want if not s[2].endswith("?")}
        hit, said, true = hit + len(got & want), said + len(got), true + len(want)
        for word, (role, number) in enumerate(zip(example.roles[: len(heads)], example.numbers, strict=False)):
            if role > 0:
                role_all += 1
                role_hit += int(roles[0, heads[word]].argmax()) == role
            if number >= 0 and NUMBERS[number] != "optional":
                number_all += 1
                number_hit += int(numbers[0, heads[word]].argmax()) == number
            if truth := example.relations[word]:
                for i, t in enumerate(truth):
                    p = float(relations[0, heads[word], i]) > 0
                    rel[i][0] += bool(t) and p
                    rel[i][1] += p
                    rel[i][2] += bool(t)
        losses = slot_loss(net, example, heads, queries[0], keys[0])
        if losses is not None:
            slot_all += len(losses)
            slot_hit += int((losses < 0.6931).sum())
    relation = " ".join(f"{p}={200 * h / max(1, s + t):.0f}" for p, (h, s, t) in zip(RELATION_LABELS, rel, strict=True))
    f1 = 200 * hit / max(1, said + true)
    return (
        f"core P {100 * hit / max(1, said):.1f} R {100 * hit / max(1, true):.1f} F {f1:.1f} "
        f"| role {100 * role_hit / max(1, role_all):.1f} number {100 * number_hit / max(1, number_all):.1f} "
        f"slot {100 * slot_hit / max(1, slot_all):.1f} | {relation}"
    )


def spans(tags: list[str]) -> set[tuple[int, int, str]]:
    """Half-open word ranges of BIO tags with their kinds; an I without its B opens a span."""
    out: set[tuple[int, int, str]] = set()
    start, kind = 0, ""
    for i, tag in enumerate([*tags, "O"]):
        bi, _, name = tag.partition("-")
        if bi != "I" or name != kind:
            if kind:
                out.add((start, i, kind))
            start, kind = (i, name) if bi != "O" else (0, "")
    return out


def settings(
    net: network.Net, rate: float, steps: int, more: list[nn.Parameter] | None = None
) -> tuple[torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler]:
    """AdamW with linear warm-up and decay; heads, and what `more` holds, learn five times as fast as the encoder."""
    # Rows of words that training never sees would stay behind the rest, and their gradient costs as much as a layer.
    net.word.weight.requires_grad_(False)
    body, heads = [], list(more or ())
    for name, parameter in net.named_parameters():
        if not name.startswith("word."):
            (body if name.startswith(("position", "kind", "norm", "layers")) else heads).append(parameter)
    groups = [{"params": body, "lr": rate}, {"params": heads, "lr": 5 * rate}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: min((s + 1) / (0.08 * steps), max(0.02, 1 - s / steps))
    )
    return optimizer, schedule


def learn(
    loss: Tensor,
    net: nn.Module,
    optimizer: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LRScheduler,
) -> None:
    """One step down the gradient of a loss, which is cut to length 1."""
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    schedule.step()


def train(
    net: network.Net,
    examples: list[Example],
    dev: list[Example],
    *,
    epochs: int,
    rate: float,
    seed: int,
    batch: int = 8,
) -> None:
    """Fine-tune; the weights of the last epochs are averaged."""
    steps = epochs * ((len(examples) + batch - 1) // batch)
    optimizer, schedule = settings(net, rate, steps)
    rng = random.Random(seed)
    torch.manual_seed(seed)
    averaged = torch.optim.swa_utils.AveragedModel(net)
    for epoch in range(epochs):
        net.train()
        start, total = time.perf_counter(), 0.0
        order = sorted(examples, key=lambda e: len(e.tags) + rng.random() * 60)
        batches = [order[i : i + batch] for i in range(0, len(order), batch)]
        rng.shuffle(batches)
        for items in batches:
            loss = loss_of(net, items)
            learn(loss, net, optimizer, schedule)
            total += float(loss.detach())
        if epoch >= epochs - 4:
            averaged.update_parameters(net)
        line = evaluate(net, dev) if dev and epoch % 4 == 3 else ""
        print(
            f"epoch {epoch + 1} loss {total / len(batches):.3f} {time.perf_counter() - start:.0f} s {line}", flush=True
        )
    net.load_state_dict(averaged.module.state_dict())
    if dev:
        print("averaged", evaluate(net, dev), flush=True)


def main() -> None:
    """Read the options, train, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--init", type=Path, help="start from these weights instead of the published encoder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--order",
        type=int,
        default=0,
        help="another order of the data from the same start, so that weights can be averaged",
    )
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--parts", type=parts.numbers, default=list(parts.SHARED))
    parser.add_argument("--dev", type=parts.numbers, default=[parts.DEVELOPMENT])
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    vocab = data.vocabulary(args.base / "vocab.txt")
    net = network.base(args.base / "model.safetensors")
    if args.init:
        net.load_state_dict(torch.load(args.init), strict=False)
    train(
        net,
        data.examples(args.shared, args.parts, vocab),
        data.examples(args.shared, args.dev, vocab),
        epochs=args.epochs,
        rate=args.rate,
        seed=args.seed + 1000 * args.order,
    )
    torch.save(net.state_dict(), args.out)


if __name__ == "__main__":
    main()
