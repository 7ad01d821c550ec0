"""From the names of single papers to the things of a corpus: joins, splits and variants, each with its reason.

Order of trust: a correction, a definition in some paper, the lexicon, the paper that coins a name, the context of a
bare name. Names are never joined because they look alike; what looks alike and was kept apart is listed by
`sotagraph.duplicates`. The outcome depends on the papers and corrections alone, not on their order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from sotagraph.corrections import Correction
from sotagraph.link.atoms import Lexicon, atoms_of, papers
from sotagraph.link.correct import correct_senses, correct_statements
from sotagraph.link.correct_results import correct_results
from sotagraph.link.entities import to_entities
from sotagraph.link.family import families
from sotagraph.link.grounds import Grounds
from sotagraph.link.lift import (
    Sorted,
    by_document,
    names_of,
    occurrences,
    results,
    statements,
    told_things,
    wider_ids,
)
from sotagraph.link.narrower import part_phrases
from sotagraph.link.prepare import prepare
from sotagraph.link.senses import assign
from sotagraph.link.things import things_of
from sotagraph.model import PAPER, Extraction, Knowledge, Result, Statement

__all__ = ["Grounds", "Lexicon", "link"]


def link(
    extractions: Iterable[Extraction],
    *,
    lexicon: Lexicon,
    corrections: Sequence[Correction] = (),
    warn: Callable[[str], None] | None = None,
    grounds: Grounds | None = None,
) -> Knowledge:
    """The linked corpus of some papers, the same for every order of the papers.

    `warn` is told of papers that are there twice and of corrections that no longer match anything. Papers that rest on
    the same `grounds` as in a former build are `Knowledge.unchanged`: all that they say but addresses is left out.

    >>> from sotagraph.model import Document, DocumentEntity
    >>> class Nothing:
    ...     def lookup(self, name: str) -> tuple[()]: return ()
    >>> def paper(key: str, name: str) -> Extraction:
    ...     entity = DocumentEntity(name=name, kind="dataset")
    ...     return Extraction(document=Document(id=key, text=name), entities=(entity,))
    >>> knowledge = link([paper("a", "MiniF2F"), paper("b", "miniF2F")], lexicon=Nothing())
    >>> [(e.id, e.name, e.aliases) for e in knowledge.entities]
    [('dataset/minif2f', 'MiniF2F', ('miniF2F',))]
    """
    corpus = papers(extractions)
    tell = warn or _silent
    for left, kept in corpus.shadowed:
        tell(f"{left}: the same paper as {kept} by its identifiers; {kept} stands for both")
    parted = part_phrases(corpus.extractions, lexicon)
    atoms = atoms_of(parted.extractions, lexicon)
    prepare(atoms)
    senses = assign(atoms)
    things = things_of(senses)
    if corrections:
        correct_senses(senses, things, corrections, tell)
        things = things_of(senses)
    of_papers = by_document(things)
    grounds = grounds or Grounds()
    if not any(correction.action.endswith(("-statement", "-result")) for correction in corrections):
        grounds.note(parted, of_papers)
    # What is not noted has a say in the variants, and comes first.
    said, scored = _lifted([e for e in parted.extractions if e.document.id not in grounds.noted], of_papers)
    documents = {e.document.id: e.document for e in parted.extractions}
    wider = wider_ids(parted.wider, of_papers)
    said = correct_statements(said, things, documents, corrections, tell, wider=wider)
    scored = correct_results(scored, things, documents, corrections, tell)
    spoken = {(s.subject, s.object) for s in said if s.predicate == "variantOf"}
    told = told_things(parted.told, of_papers)
    variants, implied = families(things, spoken, _sentences(parted.extractions), told=told)
    grounds.note_variants(variants)
    unchanged = grounds.unchanged()
    rest = grounds.noted.keys() - unchanged
    more, results_more = _lifted([e for e in parted.extractions if e.document.id in rest], of_papers)
    coded = [e for e in parted.extractions if e.document.id in unchanged and _has_code(e)]
    more += [one for one in _lifted(coded, of_papers)[0] if one.predicate == "hasCode"]
    things += implied
    entities, different = to_entities(things, senses, _tasks(parted.extractions))
    return Knowledge(
        documents=tuple(documents.values()),
        entities=tuple(sorted(entities, key=lambda entity: entity.id)),
        occurrences=tuple(occurrences(of_papers, (one for one in documents if one not in unchanged))),
        statements=tuple(sorted(said + more + variants, key=lambda said: said.evidence.document_id)),
        results=tuple(scored + results_more),
        different=tuple(different),
        ambiguous=tuple(sorted(r for e in entities for r in e.reasons if r.action == "ambiguous")),
        unchanged=frozenset(unchanged),
    )


def _lifted(extractions: Iterable[Extraction], of_papers: Mapping[str, Sorted]) -> tuple[list[Statement], list[Result]]:
    """What some papers say, between ids."""
    said: list[Statement] = []
    scored: list[Result] = []
    for extraction in extractions:
        names = names_of(of_papers.get(extraction.document.id, ()))
        said += statements(extraction, names)
        scored += results(extraction, names)
    return said, scored


def _silent(message: str) -> None:
    """Tell nobody."""


def _has_code(extraction: Extraction) -> bool:
    return any(said.predicate == "hasCode" for said in extraction.statements)


def _tasks(extractions: Iterable[Extraction]) -> dict[str, str]:
    """What papers say that they address, by document: the first task of the text."""
    found = {}
    for extraction in extractions:
        said = [s for s in extraction.statements if s.subject == PAPER and s.predicate == "addresses"]
        if said:
            found[extraction.document.id] = min(said, key=lambda s: (s.evidence.start, s.object)).object
    return found


def _sentences(extractions: Iterable[Extraction]) -> dict[str, list[tuple[int, int]]]:
    """The sentences that evidence names, by document."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for extraction in extractions:
        places = [said.evidence for said in extraction.statements] + [score.evidence for score in extraction.results]
        found[extraction.document.id] += [(place.start, place.end) for place in places]
    return found
