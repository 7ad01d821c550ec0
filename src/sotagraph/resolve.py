"""From a name as a user types it to the nodes that it means."""

from __future__ import annotations

import difflib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sotagraph.errors import NotFoundError
from sotagraph.graph import Graph
from sotagraph.names import key
from sotagraph.schema import NODE_KINDS

__all__ = ["Named", "Names"]

#: Nodes that a user may ask for by name.
ASKABLE = ("Paper", "Method", "Dataset", "Metric", "Task", "Repository", "Venue", "Author")


@dataclass(frozen=True, slots=True)
class Named:
    """A node with the names that it answers to, the best first: label and name, then the others."""

    id: str
    kind: str
    label: str
    names: tuple[str, ...]
    others: tuple[str, ...]


class Names:
    """Finds nodes by id, label, name, alias, long form, title or identifier.

    Of the ways in which a name can mean a node, the strictest that finds any counts: the id, the label as it is
    written, the name as it is written, the name by its key (``mini-F2F`` is ``MiniF2F``), an alias, an alias by key.

    >>> names = Names([Named("dataset/minif2f", "Dataset", "MiniF2F", ("MiniF2F",), ("mini F2F test",))])
    >>> names.find("mini-f2f"), names.find("Mini F2F Test", kinds=("Dataset",))
    (('dataset/minif2f',), ('dataset/minif2f',))
    """

    def __init__(self, named: Iterable[Named]) -> None:
        self.named = {one.id: one for one in named}
        self._tiers: list[dict[str, list[str]]] = [defaultdict(list) for _ in range(6)]
        for one in self.named.values():
            # A paper without a title is labelled by what it proposes, and that name means the thing, not the paper.
            label = one.label if one.kind != "Paper" else ""
            forms = ((one.id,), (label,), one.names, map(key, one.names), one.others, map(key, one.others))
            for tier, names in zip(self._tiers, forms, strict=True):
                for name in {name for name in names if name}:
                    tier[name].append(one.id)

    @classmethod
    def of(cls, graph: Graph) -> Names:
        """The names of a graph's nodes."""
        return cls(_named(node, data) for node, data in graph.nodes(data=True) if data["kind"] in ASKABLE)

    def find(self, name: str, kinds: Iterable[str] = ASKABLE) -> tuple[str, ...]:
        """Every node that the name means, sorted.

        Args:
            name: what the user typed.
            kinds: the kinds of node that are asked for, such as ("Dataset",).

        Raises:
            NotFoundError: nothing is called so; the message lists what is near.
        """
        wanted = tuple(kinds)
        name = name.strip()
        by_key = key(name)
        for number, tier in enumerate(self._tiers):
            found = tier.get(by_key if number in (3, 5) else name, ())
            if chosen := sorted(node for node in found if self.named[node].kind in wanted):
                return tuple(chosen)
        raise NotFoundError(self._nothing(name, wanted))

    def one(self, name: str, kinds: Iterable[str] = ASKABLE) -> str:
        """The one node that the name means.

        Raises:
            NotFoundError: nothing is called so, or several things are; the message lists them.
        """
        found = self.find(name, kinds)
        if len(found) > 1:
            listed = ", ".join(f"{node} ({self.named[node].label})" for node in found)
            raise NotFoundError(f"{name!r} is the name of {len(found)} things; give the id of one: {listed}")
        return found[0]

    def near(self, name: str, kinds: Iterable[str] = ASKABLE, limit: int = 5) -> tuple[str, ...]:
        """Labels of nodes whose names look like this one, the nearest first."""
        wanted = set(kinds)
        labels: dict[str, str] = {}
        for one in self.named.values():
            if one.kind in wanted:
                for form in (key(other) for other in (*one.names, *one.others)):
                    labels.setdefault(form, one.label)
        sought = key(name)
        close = difflib.get_close_matches(sought, sorted(labels), n=limit, cutoff=0.6)
        close += sorted(
            form for form in labels if sought and form and (sought in form or (len(form) > 3 and form in sought))
        )
        return tuple(dict.fromkeys(labels[form] for form in close))[:limit]

    def _nothing(self, name: str, kinds: tuple[str, ...]) -> str:
        what = " or ".join(NODE_KINDS[kind].key for kind in kinds) if len(kinds) < 4 else "node"
        near = self.near(name, kinds)
        if near:
            return f"no {what} is called {name!r}; near are {', '.join(near)}"
        have = sorted(one.label for one in self.named.values() if one.kind in kinds)
        if not have:
            return f"no {what} is called {name!r}; the graph holds none"
        listed = ", ".join(have[:5]) + (", …" if len(have) > 5 else "")
        return f"no {what} is called {name!r}; there are {len(have)}: {listed}"


def _named(node: str, data: Mapping[str, Any]) -> Named:
    def texts(*names: str) -> tuple[str, ...]:
        return tuple(str(data[name]) for name in names if name in data)

    others: list[str] = [*texts("long_form", "url"), *json.loads(data.get("aliases", "[]")), node.partition("/")[2]]
    others += json.loads(data.get("identifiers", "{}")).values()
    return Named(node, data["kind"], data["label"], texts("name", "title", "document_id"), tuple(others))
