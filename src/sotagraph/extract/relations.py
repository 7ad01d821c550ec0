"""Statements of a document, from what was decided about its names.

Roles say most of them (a proposed method is proposed, an evaluated dataset evaluated on); the further questions of
`decide.RELATION_TESTS` say the rest. The subject is the paper's main proposed method, or the paper where it has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from sotagraph.extract.comparisons import Comparisons
from sotagraph.extract.decide import Decided
from sotagraph.extract.proposals import NUMBERED
from sotagraph.extract.reading import Reading
from sotagraph.extract.shapes import is_variant_name
from sotagraph.extract.urls import code_urls
from sotagraph.model import PAPER, Evidence, Statement

__all__ = ["main_method", "statements"]

#: What is used is seldom beaten as well, so that must be likelier than elsewhere.
USED_AND_BEATEN = 0.55
#: A sentence that compares is often all that a paper says of a thing, which is then not used unless that is likely too.
USED_AND_EVEN, USED_AND_WON = 0.7, 0.5
#: Of what the paper itself proposes, much looks like a variant of its main method that annotators leave unsaid.
LEAST_VARIANT = 0.5
#: Nearly every task that is a name at all is one that the paper addresses.
LEAST_ADDRESSED = 0.25
#: Least certainty of a comparison that a sentence states.
STATED = 0.6
#: What makes a proposed method the main one. Any weights near these choose as well on the annotated abstracts.
_BY_RULE, _SURE, _TITLED, _PER_PLACE, _PER_RANK, _PART, _VARIANT = 0.5, 2.0, 1.0, 0.1, 0.1, 2.0, 0.5
_MOST_PLACES = 6


def main_method(decided: Sequence[Decided]) -> Decided | None:
    """The proposed method that the others belong to; None where nothing is proposed.

    A rule that found it proposed, certainty, the title, many places and an early one speak for it; being a part or a
    variant of something else speaks against it.
    """
    own = [d for d in decided if d.kind == "method" and d.role == "proposed"]
    ranks = {id(d): rank for rank, d in enumerate(sorted(own, key=lambda d: d.places[0]))}

    def standing(d: Decided) -> float:
        return (
            _BY_RULE * bool(d.cluster.rules - {NUMBERED})
            + _SURE * d.role_confidence
            + _TITLED * d.titled
            + _PER_PLACE * min(len(d.places), _MOST_PLACES)
            - _PER_RANK * ranks[id(d)]
            - _PART * (d.relations["partOf"] + _is_part(d))
            - _VARIANT * d.relations["variantOf"]
        )

    return max(own, key=lambda d: (standing(d), -d.places[0][0]), default=None)


def _is_part(decided: Decided) -> bool:
    """Whether the rule for numbered parts found it, and no other."""
    return decided.cluster.rules == {NUMBERED}


def statements(reading: Reading, decided: Sequence[Decided]) -> tuple[Statement, ...]:
    """All statements of a document, by predicate and place; each with the sentence that says it."""
    main = main_method(decided)
    compared = Comparisons(reading, [place for d in decided for place in d.places])
    found = [s for d in decided for s in _of(reading, d, main, compared)]
    found += [s for d in decided for s in _component(reading, d, decided, main)]
    found += _families(reading, decided, {(s.subject, s.predicate) for s in found})
    found += [_code(reading, *span) for span in code_urls(reading.text, reading.bounds)]
    best: dict[tuple[str, str, str], Statement] = {}
    for statement in found:
        best.setdefault((statement.subject, statement.predicate, statement.object), statement)
    return tuple(best.values())


def _of(reading: Reading, thing: Decided, main: Decided | None, compared: Comparisons) -> Iterator[Statement]:
    subject = PAPER if main is None or main is thing else main.name

    def say(subject: str, predicate: str, object_: str, confidence: float, rule: str) -> Statement:
        return Statement(
            subject=subject,
            predicate=predicate,
            object=object_,
            evidence=_evidence(reading, thing, predicate, rule),
            confidence=round(confidence * thing.confidence, 3),
        )

    role, name, chance = thing.role, thing.name, thing.relations
    rule = "title" if thing.titled else f"role {role}"
    if role == "proposed":
        yield say(PAPER, "proposes", name, thing.role_confidence, rule)
    elif role == "introduced":
        yield say(PAPER, "introduces", name, thing.role_confidence, rule)
    elif role == "evaluated":
        yield say(subject, "evaluatedOn", name, thing.role_confidence, rule)
    if thing.kind == "method" and role != "proposed":
        yield from _to_method(reading, say, subject, thing, compared)
    elif thing.kind == "dataset" and role == "mentioned" and "uses" in thing.likely:
        yield say(subject, "uses", name, chance["uses"], "uses")
    if thing.kind == "task" and role is None and chance["addresses"] >= LEAST_ADDRESSED:
        yield say(PAPER, "addresses", name, chance["addresses"], "task")


def _component(
    reading: Reading, thing: Decided, decided: Sequence[Decided], main: Decided | None
) -> Iterator[Statement]:
    """What one of the paper's own things is a part or a variant of."""
    whole = _whole(thing, decided, main)
    if whole is None or whole is thing or thing.role not in ("proposed", "introduced"):
        return
    chance = thing.relations
    if "partOf" in thing.likely or _is_part(thing):
        predicate, likely, rule = "partOf", max(chance["partOf"], 0.5), "component"
    elif chance["variantOf"] >= LEAST_VARIANT:
        predicate, likely, rule = "variantOf", chance["variantOf"], "variant"
    else:
        return
    yield Statement(
        subject=thing.name,
        predicate=predicate,
        object=whole.name,
        evidence=_evidence(reading, thing, predicate, rule),
        confidence=round(likely * thing.confidence, 3),
    )


def _whole(thing: Decided, decided: Sequence[Decided], main: Decided | None) -> Decided | None:
    """What a component belongs to: of a dataset the first new dataset named before it, else the main method."""
    if thing.kind != "dataset":
        return main
    earlier = [
        d
        for d in decided
        if d.kind == "dataset" and d.role == "introduced" and "partOf" not in d.likely and d.places[0] < thing.places[0]
    ]
    return min(earlier, key=lambda d: d.places[0], default=main)


def _families(reading: Reading, decided: Sequence[Decided], said: set[tuple[str, str]]) -> Iterator[Statement]:
    """Variants by the shape of names: another's name with a size, a version or a leading word (X-8B, Sparse X).

    Only among the paper's own things: BART-large beside BART says nothing that the paper found worth saying.
    """
    own = [d for d in decided if d.role in ("proposed", "introduced")]
    for thing in own:
        bases = [d for d in own if d is not thing and d.kind == thing.kind and is_variant_name(thing.name, d.name)]
        base = max(bases, key=lambda d: len(d.name), default=None)
        if base is not None and not {(thing.name, "variantOf"), (thing.name, "partOf")} & said:
            evidence = _evidence(reading, thing, "variantOf", "variant by name")
            yield Statement(
                subject=thing.name,
                predicate="variantOf",
                object=base.name,
                evidence=evidence,
                confidence=thing.confidence,
            )


Say = Callable[[str, str, str, float, str], Statement]
_RECOVERS = re.compile(
    r"\b(?:recover(?:s|ing|ed)?|subsum(?:e|es|ing)|generali[sz](?:e|es|ing)|unif(?:y|ies|ying|iying)|encompass(?:es|ing)?)\b[^.;:]{0,60}$",
    re.IGNORECASE,
)
_SPECIAL_CASE = re.compile(
    r"^[^.;:]{0,80}?\b(?:special|limiting|particular|specific) (?:cases?|instances?)\b", re.IGNORECASE
)
_AS = re.compile(r"\b(?:as|are|is)\b", re.IGNORECASE)


def _is_special_case(reading: Reading, thing: Decided) -> bool:
    """Whether a sentence says that the paper's own thing recovers, subsumes or unifies this one."""
    for start, end in thing.places:
        low, high = reading.bounds[reading.sentence_of(start)]
        before, after = reading.text[low:start], reading.text[end:high]
        case = _SPECIAL_CASE.search(after)
        if case and (_AS.search(case.group()) or _RECOVERS.search(before)):
            return True
    return False


_ORIGIN = re.compile(
    r"\b(?:versions?|variants?|extensions?|adaptations?|modifications?|forms?) of (?:the )?$"
    r"|\b(?:adapt|modif|extend)\w* $",
    re.IGNORECASE,
)


def _is_origin(reading: Reading, thing: Decided) -> bool:
    """Whether the paper's own thing is said to be a form of this one, which is then no rival ("a version of GRPO")."""
    return any(_ORIGIN.search(reading.text[max(0, start - 30) : start]) for start, _ in thing.places)


def _to_method(reading: Reading, say: Say, subject: str, thing: Decided, compared: Comparisons) -> Iterator[Statement]:
    """What the paper's own thing does to a method of others."""
    chance, name = thing.relations, thing.name
    if _is_special_case(reading, thing):
        yield say(subject, "generalizes", name, 0.8, "special case")
        return
    even = compared.even(thing.places)
    won = not even and compared.won(thing.places) and not _is_origin(reading, thing)
    if thing.role == "used" and chance["uses"] >= (USED_AND_EVEN if even else USED_AND_WON if won else 0.0):
        yield say(subject, "uses", name, thing.role_confidence, "role used")
    if even:
        yield say(subject, "comparedWith", name, STATED, "stated comparison")
    elif won:
        yield say(subject, "outperforms", name, max(chance["outperforms"], STATED), "stated victory")
    else:
        yield from _by_role(reading, say, subject, thing)
    if "generalizes" in thing.likely or compared.generalized(thing.places):
        yield say(subject, "generalizes", name, max(chance["generalizes"], STATED), "generalizes")


def _by_role(reading: Reading, say: Say, subject: str, thing: Decided) -> Iterator[Statement]:
    """The comparison that role and trained figures tell where no sentence states one."""
    chance, name = thing.relations, thing.name
    if thing.role == "used":
        if chance["outperforms"] >= USED_AND_BEATEN and not _is_origin(reading, thing):
            yield say(subject, "outperforms", name, chance["outperforms"], "outperforms")
    elif thing.role == "compared":
        stronger = chance["outperforms"] >= chance["comparedWith"]
        predicate = "outperforms" if stronger else "comparedWith"
        likely = max(chance["outperforms"], chance["comparedWith"], 0.5)
        yield say(subject, predicate, name, likely, f"role compared, {predicate}")


def _evidence(reading: Reading, thing: Decided, predicate: str, rule: str) -> Evidence:
    """The sentence of the mention that best shows the predicate.

    For what is proposed, the sentence in which a rule found that; else by the model, or the first where it has no say.
    """
    place = thing.places[0]
    spans = {(p.start, p.end) for p in reading.proposals} if predicate in ("proposes", "introduces") else set()
    if said := next((p for p in thing.places if p in spans), None):
        place = said
    elif reading.prediction is not None and predicate in _labels():
        place = _best_place(reading, thing, predicate)
    low, high = reading.original(*reading.bounds[reading.sentence_of(place[0])])
    return Evidence(document_id=reading.document.id, start=low, end=high, rule=rule)


def _labels() -> tuple[str, ...]:
    from sotagraph.extract.encoding import RELATION_LABELS

    return RELATION_LABELS


def _best_place(reading: Reading, thing: Decided, predicate: str) -> tuple[int, int]:
    assert reading.prediction is not None
    word_at = reading.prediction.encoded.word_at
    column = _labels().index(predicate)
    table = reading.prediction.relations
    scored = [(float(table[i, column]), -a, (a, b)) for a, b in thing.places if (i := word_at(a)) is not None]
    return max(scored)[2] if scored else thing.places[0]


def _code(reading: Reading, start: int, end: int, low: int, high: int) -> Statement:
    sentence = reading.original(low, high)
    evidence = Evidence(document_id=reading.document.id, start=sentence[0], end=sentence[1], rule="address of code")
    a, b = reading.original(start, end)
    return Statement(
        subject=PAPER, predicate="hasCode", object=reading.document.text[a:b], evidence=evidence, confidence=0.95
    )
