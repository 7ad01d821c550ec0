"""The network: a MiniLM encoder (Wang et al. 2020; weights of all-MiniLM-L6-v2, Apache-2.0) with a head for each
question.

Heads read the state of a word's first piece. Slots of results are filled by pointing: a number asks with a query for
each slot, each mention answers with a key, and a learned key stands for "none".
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from sotagraph.extract.encoding import NUMBERS, RELATION_LABELS, ROLE_LABELS, SLOTS, TAGS, Window
from sotagraph.extract.wordpiece import EMPHASES, SHAPES

HIDDEN, LAYERS, HEADS, INNER, VOCABULARY, POSITIONS = 384, 6, 12, 1536, 30522, 512
POINT = 32


class Dropout(nn.Module):
    """Dropout of `dropped` in 256 values: a random byte for each, where `nn.Dropout` draws a float."""

    def __init__(self, dropped: int) -> None:
        super().__init__()
        self.dropped = dropped

    def forward(self, x: Tensor) -> Tensor:
        """`x` with some values 0 and the rest larger by as much, while training; else `x` itself."""
        if not self.training:
            return x
        words = torch.empty((x.numel() + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
        kept = (words.view(torch.uint8)[: x.numel()] >= self.dropped).view(x.shape)
        return x * (kept * torch.tensor(256 / (256 - self.dropped), dtype=x.dtype))


class Layer(nn.Module):
    """One post-norm transformer layer, as in BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(HIDDEN, HIDDEN) for _ in range(4))
        self.inner, self.outer = nn.Linear(HIDDEN, INNER), nn.Linear(INNER, HIDDEN)
        self.norm1, self.norm2 = nn.LayerNorm(HIDDEN, eps=1e-12), nn.LayerNorm(HIDDEN, eps=1e-12)
        self.drop = Dropout(26)

    def forward(self, x: Tensor, bias: Tensor | None) -> Tensor:
        """`x` is (batch, pieces, hidden); `bias` is added to attention scores, 0 where a piece may be seen."""
        batch, length, _ = x.shape
        q, k, v = (
            f(x).view(batch, length, HEADS, HIDDEN // HEADS).transpose(1, 2) for f in (self.query, self.key, self.value)
        )
        # No dropout on attention weights: drawing them took half of a training step on a CPU, and the fused kernel is
        # slower still. Scaling the queries spares a pass over the scores, and the softmax of bfloat16 sums in float32
        # by itself, so that autocast need not copy them.
        q = q * (1 / math.sqrt(HIDDEN // HEADS))
        with torch.autocast("cpu", enabled=False):
            scores = q @ k.transpose(-1, -2)
            if bias is not None:
                scores = scores + bias.to(q.dtype)
            mixed = scores.softmax(-1) @ v
        mixed = mixed.transpose(1, 2).reshape(batch, length, HIDDEN)
        x = self.norm1(x + self.out(mixed))
        return self.norm2(x + self.drop(self.outer(nn.functional.gelu(self.inner(x)))))


class Net(nn.Module):
    """Encoder and heads; see `OUTPUTS` for what forward returns."""

    OUTPUTS = ("tags", "roles", "relations", "numbers", "queries", "keys")

    def __init__(self) -> None:
        super().__init__()
        self.word = nn.Embedding(VOCABULARY, HIDDEN)
        self.position = nn.Embedding(POSITIONS, HIDDEN)
        self.kind = nn.Embedding(2, HIDDEN)
        self.shape = nn.Embedding(len(SHAPES), HIDDEN)
        self.emphasis = nn.Embedding(len(EMPHASES), HIDDEN)
        nn.init.zeros_(self.shape.weight)
        nn.init.zeros_(self.emphasis.weight)
        self.norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.drop = Dropout(26)
        self.tags = nn.Linear(HIDDEN, len(TAGS))
        self.roles = nn.Linear(HIDDEN, len(ROLE_LABELS))
        self.relations = nn.Linear(HIDDEN, len(RELATION_LABELS))
        self.numbers = nn.Linear(HIDDEN, len(NUMBERS))
        self.queries = nn.Linear(HIDDEN, len(SLOTS) * POINT)
        self.keys = nn.Linear(HIDDEN, len(SLOTS) * POINT)
        self.nothing = nn.Parameter(torch.zeros(len(SLOTS), POINT))

    def encode(self, ids: Tensor, shapes: Tensor, emphases: Tensor, mask: Tensor | None) -> Tensor:
        """(batch, pieces, hidden) states; `mask` is 1 where there is a piece, None where there is no padding."""
        x = (
            self.word(ids)
            + self.position.weight[: ids.shape[1]]
            + self.kind.weight[0]
            + self.shape(shapes)
            + self.emphasis(emphases)
        )
        x = self.drop(self.norm(x))
        bias = None if mask is None else (1.0 - mask[:, None, None, :].to(x.dtype)) * -1e4
        for layer in self.layers:
            x = layer(x, bias)
        return self.drop(x)

    def forward(self, ids: Tensor, shapes: Tensor, emphases: Tensor, mask: Tensor | None = None) -> tuple[Tensor, ...]:
        """All heads at all pieces, in the order of `OUTPUTS`."""
        return self.read(self.encode(ids, shapes, emphases, mask))

    def read(self, x: Tensor) -> tuple[Tensor, ...]:
        """All heads at given states, in the order of `OUTPUTS`."""
        return self.tags(x), self.roles(x), self.relations(x), self.numbers(x), self.queries(x), self.keys(x)


_NAMES = {
    "attention.self.query": "query", "attention.self.key": "key", "attention.self.value": "value",
    "attention.output.dense": "out", "attention.output.LayerNorm": "norm1", "intermediate.dense": "inner",
    "output.dense": "outer", "output.LayerNorm": "norm2",
}  # fmt: skip


def base(weights: Path) -> Net:
    """A new network on the published encoder weights (a ``model.safetensors`` in BERT's naming)."""
    net = Net()
    state = net.state_dict()
    for name, tensor in load_file(str(weights)).items():
        name = name.removeprefix("bert.")
        if name.startswith("embeddings."):
            ours = {
                "word_embeddings.weight": "word.weight",
                "position_embeddings.weight": "position.weight",
                "token_type_embeddings.weight": "kind.weight",
                "LayerNorm.weight": "norm.weight",
                "LayerNorm.bias": "norm.bias",
            }.get(name.removeprefix("embeddings."))
        elif name.startswith("encoder.layer."):
            number, _, rest = name.removeprefix("encoder.layer.").partition(".")
            stem, _, last = rest.rpartition(".")
            ours = f"layers.{number}.{_NAMES[stem]}.{last}"
        else:
            ours = None
        if ours:
            state[ours].copy_(tensor)
    net.load_state_dict(state)
    return net


@torch.no_grad()
def figures(nets: list[Net], window: Window) -> list[np.ndarray]:
    """Probabilities at the words of one window, averaged over networks; queries and keys are those of the first."""
    inputs = [torch.tensor([row]) for row in (window.ids, window.shapes, window.emphases, [1] * len(window.ids))]
    runs = [[output[0, window.heads] for output in net(*inputs)] for net in nets]
    tags, roles, relations, numbers = (torch.stack([run[i] for run in runs]) for i in range(4))
    averaged = [
        tags.softmax(-1).mean(0),
        roles.softmax(-1).mean(0),
        relations.sigmoid().mean(0),
        numbers.softmax(-1).mean(0),
    ]
    return [part.numpy() for part in (*averaged, runs[0][4], runs[0][5])]
