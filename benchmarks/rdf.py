"""Times of RDF and SPARQL on invented corpora: ``python benchmarks/rdf.py [PAPERS ...] [--rdflib]``.

For each size: making the graph and its triples, writing each format, loading, validating, and every named query on
Oxigraph; with ``--rdflib`` the queries on rdflib too, each cut after a minute. Times are processor time of this
process, the best of three, in milliseconds: on a machine that does nothing else, the time that one waits. Needs no data
beside itself.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from sotagraph import serialize
from sotagraph.graph import Graph, to_graph
from sotagraph.query import bind, named_queries
from sotagraph.rdf import to_rdflib
from sotagraph.resolve import Names
from sotagraph.schema import NAMESPACES
from sotagraph.store import Solutions, Store
from sotagraph.triples import to_named_graphs, to_triples
from sotagraph.validate import validate_triples
from synthetic import corpus

#: A query of rdflib that takes longer than this on its first run is not run again, in seconds.
_PATIENCE = 5
#: A query of rdflib is cut after this, in seconds of processor time.
_LIMIT = 60


class _Enough(BaseException):
    """The time is up. No `Exception`, so that no handler of the library takes it for a failure of its own."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `_Enough` in what runs here once it has used so much processor time; nothing where there is no timer."""

    def stop(*_: object) -> None:
        raise _Enough

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def best(run: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """The shortest of some runs in milliseconds, and what the last one gave."""
    took, value = [], None
    for _ in range(times):
        began = time.process_time()
        value = run()
        took.append(time.process_time() - began)
        if took[-1] > _PATIENCE:
            break
    return min(took) * 1000, value


def measure(papers: int, *, with_rdflib: bool) -> None:
    """Print the figures of one size."""
    knowledge = corpus(papers)
    took, graph = best(lambda: to_graph(knowledge), 1)
    print(f"\n## {papers} papers\n\n| step | ms |\n| --- | ---: |\n| graph | {took:.0f} |")
    took, triples = best(lambda: to_triples(graph), 1)
    print(f"| {len(triples)} triples | {took:.0f} |")
    for name, write in serialize.WRITERS.items():
        took, text = best(lambda write=write: write(triples), 1)
        print(f"| {name}, {len(text) / 1e6:.0f} MB | {took:.0f} |")
    took, _ = best(lambda: serialize.trig(to_named_graphs(graph)), 1)
    print(f"| graph to trig | {took:.0f} |")
    data = serialize.nt(triples).encode()
    took, store = best(lambda: Store.of_ntriples(data), 1)
    print(f"| load in memory | {took:.0f} |")
    took, findings = best(lambda: validate_triples(triples, engine="sparql"), 1)
    print(f"| validate by SPARQL, {len(findings)} findings | {took:.0f} |")
    _queries(graph, store, triples if with_rdflib else None)


def _queries(graph: Graph, store: Store, triples: Any) -> None:
    rdf = to_rdflib(triples) if triples is not None else None
    names = Names.of(graph)
    print("\n| query | rows | Oxigraph | rdflib |\n| --- | ---: | ---: | ---: |")
    values, ends = _values(graph), _ends(graph)
    for query in named_queries().values():
        chosen = {p.name: values[p.type] for p in query.parameters if p.default is None} | ends.get(query.name, {})
        text = bind(query, chosen, names)
        took, answer = best(lambda text=text: store.query(text))
        rows = len(answer.rows) if isinstance(answer, Solutions) else len(answer)
        other = "" if rdf is None else _beside(rdf, text, rows)
        print(f"| {query.name} | {rows} | {took:.1f} | {other} |", flush=True)


def _beside(rdf: Any, text: str, rows: int) -> str:
    """What rdflib takes for a query, with a word where its answer has another size."""
    prefixes = {prefix: namespace for prefix, namespace in NAMESPACES.items() if prefix}
    try:
        with limited(_LIMIT):
            took, found = best(lambda: list(rdf.query(text, initNs=prefixes)))
    except _Enough:
        return f"> {_LIMIT * 1000}"
    return f"{took:.0f}" + ("" if len(found) == rows else f" ({len(found)} rows)")


def _values(graph: Graph) -> dict[str, str]:
    """A value for each type of parameter: the busiest node of its kind, which is the hardest case."""

    def busiest(kind: str) -> str:
        return max(
            (n for n, data in graph.nodes(data=True) if data["kind"] == kind), key=lambda n: (graph.degree(n), n)
        )

    kinds = {"method": "Method", "dataset": "Dataset", "metric": "Metric", "task": "Task", "paper": "Paper"}
    return {key: busiest(kind) for key, kind in kinds.items()} | {"thing": busiest("Method"), "text": "tik"}


def _ends(graph: Graph) -> dict[str, dict[str, str]]:
    """Values for queries about what a thing says: the method that says most, as the busiest is the most told of."""
    methods = [node for node, data in graph.nodes(data=True) if data["kind"] == "Method"]
    teller = max(methods, key=lambda node: (graph.out_degree(node), node))
    told = max(target for _, target in graph.out_edges(teller))
    return {
        "benchmarks-of": {"subject": teller},
        "builds-on": {"method": teller},
        "evidence": {"subject": teller, "object": told},
    }


def main(arguments: list[str]) -> int:
    """Measure the sizes that are given, else one of 100,000 and one of a million triples."""
    sizes = [int(argument) for argument in arguments if argument.isdigit()] or [370, 3950]
    for size in sizes:
        measure(size, with_rdflib="--rdflib" in arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
