"""Invented papers as a graph that keeps the graph contract: for trying the page, its tests and its benchmarks.

Nothing here is a real paper. `GraphBuilder` writes nodes and edges with the attributes that the page reads; `small`
is one hand-made corpus that shows every feature; `corpus` is a seeded one of any size.
"""

from __future__ import annotations

import json
import random
from itertools import pairwise

import networkx as nx

from sotagraph.names import key

__all__ = ["GraphBuilder", "corpus", "small"]

_BENCHMARKS = (
    "MiniF2F",
    "GSM8K",
    "MATH",
    "MMVP",
    "ImageNet-1K",
    "ProofNet",
    "SWE-bench",
    "HumanEval+",
    "COCO",
    "LIBERO",
)
_METRICS = ("accuracy", "pass@32", "pass@1", "F1", "BLEU", "mIoU", "FID", "success rate")
_TASKS = ("theorem proving", "image classification", "visual question answering", "code generation", "robot control")
_SYLLABLES = ("la", "mo", "ri", "ta", "ne", "xo", "vi", "du", "kel", "por", "sen", "bra", "fi", "gou", "zet", "hal")
_FIRST = ("Ada", "Bo", "Chen", "Dina", "Eli", "Fumi", "Gita", "Hugo")
_LAST = ("Moreau", "Okafor", "Lindqvist", "Tanaka", "Ferrari", "Novak", "Haddad", "Silva")


class GraphBuilder:
    """Writes a graph of the contract, paper by paper; every `fact` stands in a sentence of its paper.

    >>> builder = GraphBuilder()
    >>> paper = builder.paper("p1", "We propose Abc. It runs.", title="On Abc", year=2025)
    >>> builder.fact(paper, "proposes", builder.thing("Method", "Abc"), "We propose Abc.")
    >>> sorted(builder.graph)
    ['method/abc', 'paper/p1']
    """

    def __init__(self) -> None:
        self.graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        self._results = 0

    def paper(
        self, id: str, text: str, *, title: str = "", year: int | None = None, venue: str = "", **more: str
    ) -> str:
        """Add a paper and return its node id; `more` are further attributes such as ``url`` or ``identifiers``."""
        node = f"paper/{id}"
        attributes: dict[str, str | int] = {"kind": "Paper", "document_id": id, "text": text, **more}
        attributes["label"] = title or (" ".join(text.split()[:8]) + "…")
        if title:
            attributes["title"] = title
        if year is not None:
            attributes["year"] = year
        if venue:
            attributes["venue"] = venue
        self.graph.add_node(node, **attributes)
        if venue:
            place = self.thing("Venue", venue)
            self.graph.add_edge(
                node, place, key=f"publishedIn|{node}", predicate="publishedIn", paper=node, rule="metadata"
            )
        return node

    def thing(
        self, kind: str, name: str, *, id: str = "", label: str = "", aliases: tuple[str, ...] = (), **more: str | bool
    ) -> str:
        """Add a method, dataset, metric, task, repository, venue or author once and return its node id."""
        node = id or f"{kind.lower()}/{key(name) or len(self.graph)}"
        if node not in self.graph:
            attributes: dict[str, str | bool] = {"kind": kind, "label": label or name, "name": name, **more}
            if aliases:
                attributes["aliases"] = json.dumps(aliases, ensure_ascii=False)
            self.graph.add_node(node, **attributes)
        return node

    def fact(
        self, subject: str, predicate: str, object: str, sentence: str, *, paper: str = "", rule: str = "sample"
    ) -> None:
        """Add one edge whose sentence must stand in the text of `paper` (by default the subject)."""
        paper = paper or subject
        start = self.graph.nodes[paper]["text"].index(sentence)
        base = f"{predicate}|{paper}"
        number = sum(str(k).startswith(base) for k in self.graph.get_edge_data(subject, object, default={}))
        self.graph.add_edge(
            subject,
            object,
            key=f"{base}|{number}" if number else base,
            predicate=predicate,
            paper=paper,
            sentence=sentence,
            start=start,
            end=start + len(sentence),
            rule=rule,
            confidence=0.9,
        )

    def result(
        self, paper: str, sentence: str, *, value: str, unit: str = "", kind: str = "absolute", **ends: str
    ) -> str:
        """Add a result; `ends` are node ids under method, dataset, metric, task, baseline, or plain attributes."""
        self._results += 1
        node = f"result/{paper.partition('/')[2]}-{self._results}"
        start = self.graph.nodes[paper]["text"].index(sentence)
        fillers = {
            "method": "ofMethod",
            "dataset": "onDataset",
            "metric": "byMetric",
            "task": "forTask",
            "baseline": "againstBaseline",
        }
        attributes: dict[str, str | int | float] = {
            "kind": "Result",
            "label": f"{value}{'' if unit in ('%', 'x') else ' '}{unit}".strip(),
            "value": value,
            "value_text": value,
            "result_kind": kind,
            "paper": paper,
            "sentence": sentence,
            "start": start,
            "end": start + len(sentence),
            "rule": "sample",
            "confidence": 0.9,
        }
        attributes |= {"unit": unit} if unit else {}
        attributes |= {name: value for name, value in ends.items() if name not in fillers}
        self.graph.add_node(node, **attributes)
        for name, predicate in fillers.items():
            if name in ends:
                self.fact(node, predicate, ends[name], sentence, paper=paper)
        self.fact(node, "reportedIn", paper, sentence, paper=paper)
        return node


def small() -> nx.MultiDiGraph[str]:
    """Five invented papers with a leaderboard, homonyms, a lineage of three steps and an island.

    >>> graph = small()
    >>> graph.nodes["dataset/minif2f"]["label"], sum(k == "Result" for _, k in graph.nodes(data="kind"))
    ('MiniF2F', 6)
    """
    b = GraphBuilder()
    grpo = b.thing(
        "Method",
        "GRPO",
        aliases=("Group Relative Policy Optimization",),
        long_form="Group Relative Policy Optimization",
    )
    f2f = b.thing("Dataset", "MiniF2F", aliases=("miniF2F",), links='[["exactMatch", "https://example.org/minif2f"]]')
    p32 = b.thing("Metric", "pass@32", higher_is_better=True)
    proving = b.thing("Task", "theorem proving", aliases=("automated theorem proving",))

    s = (
        "We propose Larch, a prover built on GRPO for theorem proving.",
        r"Larch-8B reaches 84.6\% on MiniF2F at pass@32, and Larch-32B reaches 88.1\% in standard mode.",
        "With self-correction, Larch-32B reaches 90.4% on miniF2F, against 80.7% for Oakum.",
        "Code is at https://example.org/larch.",
    )
    paper = b.paper(
        "larch",
        " ".join(s),
        title="Larch: proving with small teams",
        year=2025,
        venue="ICLR 2026",
        url="https://example.org/p/larch",
        identifiers='{"arxiv": "2509.00001"}',
    )
    larch = b.thing("Method", "Larch", reasons='[{"action": "join", "rule": "exact key", "other": "larch"}]')
    eight, big = b.thing("Method", "Larch-8B"), b.thing("Method", "Larch-32B")
    oakum = b.thing("Method", "Oakum")
    b.fact(paper, "proposes", larch, s[0])
    b.fact(larch, "uses", grpo, s[0], paper=paper)
    b.fact(paper, "uses", grpo, s[0], rule="sample+own")
    b.fact(paper, "addresses", proving, s[0])
    b.fact(eight, "variantOf", larch, s[1], paper=paper)
    b.fact(big, "variantOf", larch, s[1], paper=paper)
    b.fact(larch, "evaluatedOn", f2f, s[1], paper=paper)
    b.fact(big, "outperforms", oakum, s[2], paper=paper)
    b.fact(paper, "hasCode", b.thing("Repository", "https://example.org/larch", url="https://example.org/larch"), s[3])
    common = {"dataset": f2f, "metric": p32, "task": proving, "direction": "higher"}
    b.result(paper, s[1], value="84.6", unit="%", method=eight, condition="pass@32", **common)
    b.result(paper, s[1], value="88.1", unit="%", method=big, condition="pass@32, standard mode", **common)
    b.result(
        paper,
        s[2],
        value="90.4",
        unit="%",
        method=big,
        condition="pass@32, self-correction",
        baseline=oakum,
        baseline_value="80.7",
        **common,
    )

    t = (
        "Oakum proves theorems by searching.",
        "Oakum obtains 80.7% on MiniF2F at pass@32 and is 1.8x faster than GRPO.",
        "It generalizes Larch Light.",
    )
    older = b.paper("oakum", " ".join(t), title="Oakum, a searching prover", year=2023, venue="NeurIPS 2023")
    b.fact(older, "proposes", oakum, t[0])
    b.fact(older, "addresses", proving, t[0])
    b.fact(oakum, "evaluatedOn", f2f, t[1], paper=older)
    b.fact(oakum, "generalizes", b.thing("Method", "Larch Light"), t[2], paper=older)
    b.result(older, t[1], value="80.7", unit="%", method=oakum, condition="pass@32", **common)
    b.result(older, t[1], value="1.8", unit="x", kind="speedup", method=oakum, baseline=grpo)

    u = ("We study Features at Convergence (FACT).", "FACT explains 71 of 80 heads of Larch.")
    fact_paper = b.paper("fact-a", " ".join(u), year=2024, venue="ICLR 2026")
    fact_a = b.thing(
        "Method",
        "FACT",
        id="method/fact@fact-a",
        label="FACT (Features at Convergence)",
        long_form="Features at Convergence",
    )
    b.fact(fact_paper, "proposes", fact_a, u[0])
    b.fact(fact_a, "uses", larch, u[1], paper=fact_paper)

    v = (
        "FACT forecasts time series with DConvBlock.",
        r"It reports 70.9\% accuracy on Tides.",
        "FACT is trained like GRPO.",
    )
    fact_other = b.paper("fact-b", " ".join(v), title="FACT for forecasting", year=2025, venue="ICLR 2026")
    fact_b = b.thing("Method", "FACT", id="method/fact@fact-b", label="FACT (forecasting)")
    b.fact(fact_other, "proposes", fact_b, v[0])
    b.fact(b.thing("Method", "DConvBlock"), "partOf", fact_b, v[0], paper=fact_other)
    b.fact(fact_b, "uses", grpo, v[2], paper=fact_other)
    accuracy = b.thing("Metric", "accuracy", higher_is_better=True)
    b.result(
        fact_other, v[1], value="70.9", unit="%", method=fact_b, dataset=b.thing("Dataset", "Tides"), metric=accuracy
    )
    b.graph.add_edge(fact_a, fact_b, key="differentFrom|", predicate="differentFrom", rule="homonym")
    b.graph.add_edge(fact_b, fact_a, key="differentFrom|", predicate="differentFrom", rule="homonym")

    w = "We present Skerry, alone on its island."
    island = b.paper("skerry", w, title="Skerry", year=2022)
    b.fact(island, "proposes", b.thing("Method", "Skerry"), w)
    return b.graph


def corpus(papers: int, *, seed: int = 1) -> nx.MultiDiGraph[str]:
    """A seeded corpus of invented papers in topics; about five nodes a paper, most of them in one component.

    >>> graph = corpus(20)
    >>> len({kind for _, kind in graph.nodes(data="kind")})
    9
    """
    random_ = random.Random(seed)
    b = GraphBuilder()
    metrics = [b.thing("Metric", name, higher_is_better=name != "FID") for name in _METRICS]
    topics = [_Topic(b, random_, number) for number in range(max(3, papers // 25))]
    for number in range(papers):
        _paper(b, random_, number, metrics, topics)
    return b.graph


class _Topic:
    """A field with its own tasks, datasets and methods, from which its papers choose most of the time."""

    def __init__(self, b: GraphBuilder, random_: random.Random, number: int) -> None:
        kinds = ("", "few-shot ", "multilingual ", "open-set ", "streaming ")
        task = _TASKS[number % len(_TASKS)]
        self.tasks = [b.thing("Task", f"{kinds[number // len(_TASKS) % len(kinds)]}{task}")]
        first = _BENCHMARKS[number] if number < len(_BENCHMARKS) else f"{_name(random_)}-{number}"
        self.datasets = [b.thing("Dataset", first)]
        self.methods = [b.thing("Method", _name(random_)) for _ in range(3)]


def _name(random_: random.Random) -> str:
    name = "".join(random_.choice(_SYLLABLES) for _ in range(random_.choice((2, 3, 3, 3))))
    return name.capitalize() + random_.choice(("", "", "Net", "-7B", "Former", "GPT", "++", "-XL"))


def _paper(b: GraphBuilder, random_: random.Random, number: int, metrics: list[str], topics: list[_Topic]) -> None:
    name = _name(random_)
    topic = random_.choice(topics)
    far = random_.choice(topics) if random_.random() < 0.15 else topic
    # A third of the papers coin a benchmark too; choices lean to the early, so that hubs grow as they do in literature.
    coined = f"{_name(random_)}Bench" if random_.random() < 0.33 else ""
    base, rival = (t.methods[int(len(t.methods) * random_.random() ** 3)] for t in (far, topic))
    dataset = topic.datasets[int(len(topic.datasets) * random_.random() ** 3)]
    metric, task = random_.choice(metrics), random_.choice(topic.tasks)
    value = f"{random_.uniform(40, 99):.1f}"
    label = {node: b.graph.nodes[node]["name"] for node in (base, rival, dataset, metric, task)}
    said = [
        f"Progress in {label[task]} is limited by what models can keep in mind over long horizons.",
        f"We propose {name}, a method built on {label[base]} for {label[task]}.",
        f"On {label[dataset]}, {name} reaches {value}% {label[metric]} and outperforms {label[rival]} by far.",
        f"We also release {coined}, a benchmark of {random_.randint(2, 90) * 100} problems."
        if coined
        else "Ablations confirm each part.",
        f"Its module {name}-Gate carries most of the gain, and all code is public at https://example.org/{number}.",
    ]
    paper = b.paper(
        f"p{number:05d}",
        " ".join(said),
        title=f"{name}: {label[task]} with {label[base]}",
        year=random_.randint(2019, 2026),
        venue=random_.choice(("ICLR", "NeurIPS", "ACL", "CVPR")),
    )
    method = b.thing("Method", name)
    gate = b.thing("Method", f"{name}-Gate")
    b.fact(paper, "proposes", method, said[1])
    b.fact(method, "uses", base, said[1], paper=paper)
    b.fact(paper, "uses", base, said[1], rule="sample+own")
    b.fact(paper, "addresses", task, said[1])
    b.fact(method, "evaluatedOn", dataset, said[2], paper=paper)
    b.fact(method, "outperforms", rival, said[2], paper=paper)
    b.fact(gate, "partOf", method, said[4], paper=paper)
    b.fact(
        paper,
        "hasCode",
        b.thing("Repository", f"https://example.org/{number}", url=f"https://example.org/{number}"),
        said[4],
    )
    b.result(
        paper,
        said[2],
        value=value,
        unit="%",
        method=method,
        dataset=dataset,
        metric=metric,
        task=task,
        direction="higher",
    )
    for first, last in pairwise((random_.choice(_FIRST), random_.choice(_LAST), "")):
        if last:
            author = b.thing("Author", f"{first} {last}")
            b.graph.add_edge(
                paper, author, key=f"writtenBy|{paper}", predicate="writtenBy", paper=paper, rule="metadata"
            )
    if coined:
        bench = b.thing("Dataset", coined)
        b.fact(paper, "introduces", bench, said[3])
        topic.datasets.append(bench)
    topic.methods.append(method)
