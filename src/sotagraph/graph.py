"""The linked corpus as a ``networkx.MultiDiGraph``, and as node-link JSON.

Every attribute is a str, int, float or bool; what is absent has no attribute; lists are JSON text. Each edge carries
the paper, the sentence and the rule that it rests on. Nodes and edges are added in sorted order, so that equal
knowledge gives equal bytes in every file. Characters that XML cannot carry become U+FFFD, one for one, so that offsets
stay true in every format. ``docs/ontology.md`` lists what a node and an edge may hold.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from decimal import Decimal
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any, TypeAlias

from sotagraph.content import Attributes, Content, Edge
from sotagraph.errors import BuildError
from sotagraph.exchange import to_edges_csv, to_gexf, to_graphml, to_json, to_nodes_csv
from sotagraph.ids import author_id, paper_id, repository_id, safe_iri, venue_id
from sotagraph.model import Document, Entity, Evidence, Knowledge, Reason, Result, Statement
from sotagraph.schema import LINKS, NODE_KINDS, VERSION

if TYPE_CHECKING:
    import networkx as nx

__all__ = [
    "Graph",
    "arrange",
    "from_json",
    "graph_of",
    "ordered",
    "result_edges",
    "to_content",
    "to_edges_csv",
    "to_gexf",
    "to_graph",
    "to_graphml",
    "to_json",
    "to_nodes_csv",
]

Graph: TypeAlias = "nx.MultiDiGraph[str]"
#: Source, target and predicate.
Ends: TypeAlias = tuple[str, str, str]

_KIND_OF_KEY = {kind.key: kind.name for kind in NODE_KINDS.values()}
_UNSAYABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")

#: Fields of a result → the predicate of the edge that leads to what the field names.
_RESULT_EDGES = (
    ("method", "ofMethod"),
    ("dataset", "onDataset"),
    ("metric", "byMetric"),
    ("task", "forTask"),
    ("baseline", "againstBaseline"),
)


def to_graph(knowledge: Knowledge) -> Graph:
    """The graph of a linked corpus.

    Where two documents are the same paper by their identifiers, the first stands for both, and what rests on the text
    of the other is left out, since its offsets would point into the wrong text. What linking has made a statement of a
    thing about itself is left out too.

    Raises:
        BuildError: a statement or result names an entity or a document that the knowledge does not hold.

    >>> document = Document(id="p1", text="We present DISCO.", year=2026)
    >>> disco = Entity(id="method/disco", kind="method", name="DISCO", label="DISCO")
    >>> evidence = Evidence(document_id="p1", start=0, end=17, rule="we-present")
    >>> said = Statement(subject="paper/p1", predicate="proposes", object="method/disco", evidence=evidence)
    >>> graph = to_graph(Knowledge(documents=(document,), entities=(disco,), statements=(said,)))
    >>> graph.nodes["paper/p1"]["label"], graph["paper/p1"]["method/disco"]["proposes|paper/p1"]["sentence"]
    ('DISCO', 'We present DISCO.')
    """
    return graph_of(to_content(knowledge))


def to_content(knowledge: Knowledge, former: Content | None = None) -> Content:
    """The same as a content: what the files of a build are made from.

    Of documents that are `Knowledge.unchanged`, their part is taken over from the `former` content.

    Raises:
        BuildError: a statement or result names an entity or a document that the knowledge does not hold.
    """
    return _Assembly(knowledge).content(former or Content())


def arrange(nodes: Mapping[str, Attributes], edges: Mapping[Ends, list[Attributes]]) -> Graph:
    """The graph of these nodes and edges in the order and with the edge keys that every graph of ours has.

    >>> edges = {("paper/p", "method/a", "uses"): [{"predicate": "uses", "paper": "paper/p", "rule": "r"}]}
    >>> nodes = {"paper/p": {"kind": "Paper"}, "method/a": {"kind": "Method"}}
    >>> list(arrange(nodes, edges).edges(keys=True))
    [('paper/p', 'method/a', 'uses|paper/p')]
    """
    return graph_of(ordered(nodes, edges))


def ordered(
    nodes: Mapping[str, Attributes],
    edges: Mapping[Ends, list[Attributes]],
    placed: Mapping[str, list[tuple[Edge, Attributes]]] | None = None,
) -> Content:
    """The same as a content; edges that are `placed`, by their source, have their keys and their order already."""
    placed = placed or {}
    of_kind: dict[str, list[str]] = {kind: [] for kind in NODE_KINDS}
    for node, data in nodes.items():
        of_kind[data["kind"]].append(node)
    content = Content({"schema": VERSION}, {node: nodes[node] for some in of_kind.values() for node in sorted(some)})
    leaving: dict[str, list[Ends]] = defaultdict(list)
    for ends in edges:
        leaving[ends[0]].append(ends)
    strange = sorted(leaving.keys() - content.nodes.keys())
    for source in (*content.nodes, *strange):
        there = placed.get(source, [])
        if source in leaving:
            new = [edge for ends in sorted(leaving[source]) for edge in _keyed(ends, edges[ends])]
            there = sorted([*there, *new], key=_by_place) if there else new
        content.edges.update(there)
    return content


def _keyed(ends: Ends, found: list[Attributes]) -> Iterator[tuple[Edge, Attributes]]:
    """The edges between two nodes in their order, each with a key; a number tells those of one paper apart."""
    source, target, predicate = ends
    if len(found) == 1:
        yield (source, target, f"{predicate}|{found[0].get('paper', '')}"), found[0]
        return
    same_paper: dict[str, int] = defaultdict(int)
    for data in _distinct(found):
        paper = data.get("paper", "")
        same_paper[paper] += 1
        number = f"|{same_paper[paper]}" if same_paper[paper] > 1 else ""
        yield (source, target, f"{predicate}|{paper}{number}"), data


def _by_place(edge: tuple[Edge, Attributes]) -> tuple[Any, ...]:
    """The order of the edges that leave a node."""
    (_, target, _), data = edge
    return target, data["predicate"], *_place(data)


def graph_of(content: Content) -> Graph:
    """The graph of a content; it shares no attributes with it."""
    import networkx as nx  # a build from pieces does without it

    graph: Graph = nx.MultiDiGraph(**content.attributes)
    for node, data in content.nodes.items():
        graph.add_node(node, **data)
    for (source, target, key), data in content.edges.items():
        graph.add_edge(source, target, key=key, **data)
    return graph


def result_edges(result: Mapping[str, Any]) -> Attributes:
    """The attributes that every edge of a result has in common: those of its evidence.

    >>> sorted(result_edges({"paper": "paper/p1", "start": 0, "end": 5, "rule": "r", "value": "1"}))
    ['end', 'paper', 'rule', 'start']
    """
    return {k: result[k] for k in ("paper", "sentence", "start", "end", "rule", "confidence") if k in result}


def from_json(text: str) -> Graph:
    """The graph behind `to_json`.

    Raises:
        BuildError: the text is not node-link JSON of a directed multigraph, or of another version.
    """
    import networkx as nx

    try:
        data = json.loads(text)
        graph: Graph = nx.MultiDiGraph(**data["graph"])
        for node in data["nodes"]:
            graph.add_node(node.pop("id"), **node)
        for edge in data["edges"]:
            graph.add_edge(edge.pop("source"), edge.pop("target"), key=edge.pop("key"), **edge)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BuildError(
            f"not the node-link JSON of a graph ({type(error).__name__}: {error}); build it again"
        ) from error
    if graph.graph.get("schema", VERSION) != VERSION:
        raise BuildError(f"the graph has schema {graph.graph['schema']!r}, this is {VERSION!r}; build it again")
    return graph


def _dump(value: object) -> str:
    """Plain JSON, as ``json.dumps(value, ensure_ascii=False)`` has it; that makes an encoder each time.

    >>> _dump({"a": ["b", 1, None]})
    '{"a": ["b", 1, null]}'
    """
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_dump, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{encode_basestring(name)}: {_dump(one)}' for name, one in value.items())}}}"
    return str(value) if type(value) is int else json.dumps(value)


def _sayable(text: str) -> str:
    # What can be printed in ASCII is nearly all of it, and soon seen.
    return text if text.isascii() and text.isprintable() else _UNSAYABLE.sub("\ufffd", text)


def _lean(attributes: Attributes) -> Attributes:
    """Attributes with what is absent left out; text is freed of what XML cannot carry."""
    return {
        name: _sayable(value) if isinstance(value, str) else value
        for name, value in attributes.items()
        if value is not None and value != "" and value != "[]"
    }


def _number(value: Decimal | None) -> str | None:
    """The shortest decimal: ``90.40`` and ``90.4`` are one value, `value_text` keeps what is printed."""
    if value is None:
        return None
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") or "0" if "." in text else text


class _Assembly:
    """Builds one graph: gathers nodes and edges, then adds them sorted."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.nodes: dict[str, Attributes] = {}
        self.edges: dict[Ends, list[Attributes]] = defaultdict(list)
        self.papers: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self.sentences: dict[tuple[str, int, int], str] = {}
        #: Documents whose paper is already there under another document's text.
        self.shadowed: set[str] = set()
        #: Venues and authors, as papers write them.
        self.named: dict[str, set[str]] = {"Venue": set(), "Author": set()}
        #: Papers whose part is taken over.
        self.unchanged = {paper_id(one) for one in knowledge.documents if one.id in knowledge.unchanged}
        self.entities = {entity.id: entity for entity in knowledge.entities}

    def content(self, former: Content) -> Content:
        for entity in self.knowledge.entities:
            self.nodes[entity.id] = _entity(entity)
        for document in self.knowledge.documents:
            self._paper(document, former)
        placed = self._taken_over(former) if self.unchanged else {}
        for statement in self.knowledge.statements:
            self._statement(statement)
        for result in self.knowledge.results:
            self._result(result)
        self._phrases()
        self._mentions()
        for left, right in self.knowledge.different:
            for source, target in ((left, right), (right, left)):
                self._edge(source, "differentFrom", target, {"rule": "homonym", "confidence": 1.0})
        content = ordered(self.nodes, self.edges, placed)
        if any(not self.nodes[paper]["label"] for paper in self.papers.values()):
            self._label_papers(content)
        return content

    def _taken_over(self, former: Content) -> dict[str, list[tuple[Edge, Attributes]]]:
        """The edges of papers that say the same as before, by their source, and their results among the nodes."""
        unchanged = self.unchanged
        for node, data in former.nodes.items():
            if data["kind"] == "Result" and data["paper"] in unchanged:
                self.nodes[node] = data
        found: dict[str, list[tuple[Edge, Attributes]]] = defaultdict(list)
        for item in former.edges.items():
            if item[1].get("paper") in unchanged:
                found[item[0][0]].append(item)
        return found

    def _edge(self, source: str, predicate: str, target: str, data: Attributes) -> None:
        if source not in self.nodes or target not in self.nodes:
            end = target if source in self.nodes else source
            raise BuildError(f"{source} {predicate} {target}: {end!r} is neither a paper nor an entity of the corpus")
        self.edges[source, target, predicate].append({"predicate": predicate, **data})

    def _evidence(self, evidence: Evidence, confidence: float) -> Attributes:
        if evidence.document_id not in self.papers:
            raise BuildError(f"evidence points at document {evidence.document_id!r}, which the corpus does not hold")
        found: Attributes = {"paper": self.papers[evidence.document_id]}
        # One string for all that rest on it: so it is written to the cache, and read from it, once.
        place = (evidence.document_id, evidence.start, evidence.end)
        sentence = self.sentences.get(place)
        if sentence is None:
            sentence = _sayable(self.texts[evidence.document_id][evidence.start : evidence.end])
            self.sentences[place] = sentence
        if sentence:
            found["sentence"] = sentence
        found |= {"start": evidence.start, "end": evidence.end}
        if rule := _sayable(evidence.rule):
            found["rule"] = rule
        found["confidence"] = float(confidence)
        return found

    def _paper(self, document: Document, former: Content) -> None:
        node = paper_id(document)
        self.papers[document.id] = node
        self.texts[document.id] = document.text
        if node in self.nodes:
            self.shadowed.add(document.id)
            return
        if node in self.unchanged:
            # Without a title it is called by what it puts forward, which may be called otherwise now.
            self.nodes[node] = former.nodes[node] if document.title else former.nodes[node] | {"label": ""}
            self._surroundings(document, node, tied=True)
            return
        identifiers = {_sayable(scheme): _sayable(value) for scheme, value in sorted(document.identifiers)}
        self.nodes[node] = {"kind": "Paper", "label": _sayable(document.title)} | _lean(
            {
                "document_id": document.id,
                "title": document.title,
                "year": document.year,
                "venue": document.venue,
                "url": document.url,
                "identifiers": _dump(identifiers) if identifiers else None,
                "source": document.source,
            }
        )
        self.nodes[node]["text"] = _sayable(document.text)
        self._surroundings(document, node)

    def _surroundings(self, document: Document, node: str, *, tied: bool = False) -> None:
        """The venue and the authors, as the first paper writes them; `tied` where there are edges to them already."""
        if tied and document.venue in self.named["Venue"] and self.named["Author"].issuperset(document.authors):
            return
        given = {"paper": node, "rule": "metadata", "confidence": 1.0}
        for predicate, kind, name, make_id in (
            ("publishedIn", "Venue", document.venue, venue_id),
            *(("writtenBy", "Author", author, author_id) for author in document.authors),
        ):
            self.named[kind].add(name)
            if name := _sayable(" ".join(name.split())):
                target = make_id(name)
                self.nodes.setdefault(target, {"kind": kind, "label": name, "name": name})
                if not tied:
                    self._edge(node, predicate, target, given)

    def _statement(self, statement: Statement) -> None:
        if statement.evidence.document_id in self.shadowed:
            return
        target = statement.object
        if statement.subject == target:
            return  # two names of a document, found to be one thing
        if statement.predicate == "hasCode" and target not in self.entities:
            target = self._repository(target)  # it has the address as the first paper writes it
        if statement.evidence.document_id in self.knowledge.unchanged:
            return
        data = self._evidence(statement.evidence, statement.confidence)
        self._edge(statement.subject, statement.predicate, target, data)

    def _repository(self, url: str) -> str:
        if url.startswith("repository/"):
            url = "https://" + url.removeprefix("repository/")
        node = repository_id(url)
        self.nodes.setdefault(node, _lean({"kind": "Repository", "label": node.partition("/")[2], "url": url}))
        return node

    def _result(self, result: Result) -> None:
        if result.evidence.document_id in self.shadowed:
            return
        evidence = self._evidence(result.evidence, result.confidence)
        if result.baseline == result.method:
            result = replace(result, baseline=None)  # likewise
        fillers = [(predicate, getattr(result, name)) for name, predicate in _RESULT_EDGES if getattr(result, name)]
        attributes: Attributes = {
            "value": _number(result.value),
            "value_max": _number(result.value_max),
            "value_text": result.value_text,
            "unit": result.unit,
            "result_kind": result.kind,
            "bound": result.bound,
            "condition": result.condition,
            "direction": result.direction,
            "baseline_value": _number(result.baseline_value),
        }
        # From content, so that a result keeps its name when another one is added before it.
        content = _dump({**attributes, "start": evidence["start"], "end": evidence["end"], "fillers": fillers})
        digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:10]
        node = f"result/{evidence['paper'].partition('/')[2]}-{digest}"
        if node in self.nodes:
            return
        label = self._result_label(result)
        self.nodes[node] = {"kind": "Result"} | _lean({"label": label, **attributes, **evidence})
        for predicate, target in (*fillers, ("reportedIn", evidence["paper"])):
            self._edge(node, predicate, target, evidence)

    def _result_label(self, result: Result) -> str:
        def name(entity_id: str | None) -> str:
            return self.entities[entity_id].name if entity_id in self.entities else ""

        number = " ".join(part for part in (result.bound or "", result.value_text) if part)
        what = {"absolute": "", "gain": " gain", "speedup": " speedup", "reduction": " reduction"}.get(result.kind, "")
        metric, dataset = name(result.metric), name(result.dataset)
        return number + what + (f" {metric}" if metric else "") + (f" on {dataset}" if dataset else "")

    def _phrases(self) -> None:
        """Note at each paper where its text names what: start, end and node, half-open and in their order."""
        named: dict[str, set[tuple[int, int, str]]] = defaultdict(set)
        for occurrence in self.knowledge.occurrences:
            if occurrence.document_id in self.papers and occurrence.document_id not in self.shadowed:
                paper = self.papers[occurrence.document_id]
                named[paper].update((said.start, said.end, occurrence.entity_id) for said in occurrence.mentions)
        for paper, phrases in named.items():
            if phrases:
                self.nodes[paper]["phrases"] = _dump(sorted(phrases))

    def _mentions(self) -> None:
        """Tie a paper to what it names where nothing else does, so that nothing hangs loose."""
        tied = {(source, target) for source, target, _ in self.edges}
        spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
        said: tuple[Statement | Result, ...] = (*self.knowledge.statements, *self.knowledge.results)
        for evidence in (item.evidence for item in said):
            spans[evidence.document_id].append((evidence.start, evidence.end))
        for occurrence in self.knowledge.occurrences:
            document_id = occurrence.document_id
            source, target = self.papers.get(document_id, ""), occurrence.entity_id
            if (source, target) in tied or document_id in self.shadowed or not occurrence.mentions:
                continue
            tied.add((source, target))
            first = min(occurrence.mentions, key=lambda mention: (mention.start, mention.end))
            start, end = _around(self.texts.get(document_id, ""), spans[document_id], first.start, first.end)
            evidence = Evidence(document_id=document_id, start=start, end=end, rule=first.rule or "mention")
            self._edge(source, "mentions", target, self._evidence(evidence, first.confidence))

    def _label_papers(self, content: Content) -> None:
        """A paper without a title is called by what it puts forward, parts and variants of that left out."""
        proposed: dict[str, dict[str, int]] = defaultdict(dict)
        lesser: set[tuple[str, str]] = set()
        for (source, target, _), data in content.edges.items():
            if data["predicate"] in ("proposes", "introduces"):
                proposed[source][target] = min(data["start"], proposed[source].get(target, data["start"]))
            elif data["predicate"] in ("partOf", "variantOf") and "paper" in data:
                lesser.add((data["paper"], source))
        for node, attributes in self.nodes.items():
            if attributes["kind"] == "Paper" and not attributes["label"]:
                own = proposed[node]
                whole = [thing for thing in own if (node, thing) not in lesser] or list(own)
                whole.sort(
                    key=lambda thing: (self.nodes[thing]["kind"] not in ("Method", "Dataset"), own[thing], thing)
                )
                attributes["label"] = _paper_label([self.nodes[thing]["label"] for thing in whole], attributes)


def _paper_label(proposed: list[str], attributes: Attributes) -> str:
    if proposed:
        return ", ".join(proposed[:4]) + (", …" if len(proposed) > 4 else "")
    words = str(attributes["text"]).split()
    return (" ".join(words[:8]) + ("…" if len(words) > 8 else "")) or str(attributes["document_id"])


def _entity(entity: Entity) -> Attributes:
    kind = _KIND_OF_KEY.get(entity.kind)
    if kind is None:
        raise BuildError(f"entity {entity.id!r} has kind {entity.kind!r}; known are {', '.join(_KIND_OF_KEY)}")
    if entity.links and (unknown := sorted({name for name, _ in entity.links} - set(LINKS))):
        raise BuildError(f"entity {entity.id!r} has links by {unknown}; known are {', '.join(LINKS)}")
    if kind == "Repository":
        return {"kind": kind} | _lean({"label": entity.label or entity.name, "url": entity.name})
    name = _sayable(entity.name)
    label = name if entity.label in ("", entity.name) else _sayable(entity.label)
    found: Attributes = {"kind": kind, "label": label, "name": name}
    if aliases := sorted({_sayable(alias) for alias in entity.aliases} - {name}) if entity.aliases else []:
        found["aliases"] = _dump(aliases)
    if entity.long_form:
        found["long_form"] = _sayable(entity.long_form)
    if entity.links:
        found["links"] = _dump(sorted({(relation, safe_iri(iri)) for relation, iri in entity.links}))
    if entity.higher_is_better is not None:
        found["higher_is_better"] = entity.higher_is_better
    if entity.reasons:
        found["reasons"] = _dump([_reason(reason) for reason in sorted(set(entity.reasons))])
    return found


def _reason(reason: Reason) -> dict[str, str]:
    values = {name: getattr(reason, name) for name in _REASON_FIELDS}
    return {name: _sayable(value) for name, value in values.items() if value}


_REASON_FIELDS = tuple(one.name for one in fields(Reason))


def _distinct(edges: list[Attributes]) -> Iterable[Attributes]:
    """Edges between the same ends by place, each place and rule once with its best confidence."""
    seen: set[tuple[Any, ...]] = set()
    for edge in sorted(edges, key=lambda edge: (_place(edge), -edge.get("confidence", 1))):
        if (place := _place(edge)) not in seen:
            seen.add(place)
            yield edge


def _place(edge: Attributes) -> tuple[str, int, int, str]:
    return edge.get("paper", ""), edge.get("start", -1), edge.get("end", -1), edge.get("rule", "")


def _around(text: str, spans: list[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """The shortest known sentence that holds the range, else a rough cut at full stops."""
    holding = [span for span in spans if span[0] <= start and end <= span[1]]
    if holding:
        return min(holding, key=lambda span: (span[1] - span[0], span))
    begins = [0, *(match.end() for match in _SENTENCE_END.finditer(text))]
    ends = [*(match.start() for match in _SENTENCE_END.finditer(text)), len(text.rstrip())]
    return max(b for b in begins if b <= start), min((e for e in ends if e >= end), default=end)
