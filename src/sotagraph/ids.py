"""Identifiers of the graph's nodes: ``<kind>/<key>``, the same for everyone who derives them from the same content.

Keys hold no control characters, no white space and nothing that XML cannot carry, so that an id is one token in every
file format. The RDF layer percent-encodes what an IRI may not hold.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from urllib.parse import quote

from sotagraph import names
from sotagraph.errors import BuildError
from sotagraph.memo import remembered
from sotagraph.model import Document

__all__ = ["author_id", "entity_id", "paper_id", "repository_id", "safe_iri", "safe_key", "venue_id"]

#: Schemes whose values name a paper everywhere, best first.
_PAPER_SCHEMES = ("arxiv", "doi", "openreview", "acl")
_UNSAFE = re.compile(r"[^!-~\u00a1-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|\s")


def safe_key(text: str) -> str:
    r"""The text itself where it is one clean token, else a readable form with a hash that keeps it unique.

    >>> safe_key("s000-01")
    's000-01'
    >>> safe_key("my paper\n").startswith("my-paper-")
    True
    """
    if text and not _UNSAFE.search(text):
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return "-".join(part for part in (*_UNSAFE.sub(" ", text).split(), digest) if part)


def paper_id(document: Document) -> str:
    """The paper's node: by its arXiv, DOI, OpenReview or ACL identifier, else by the document's own id.

    An arXiv version is dropped and a DOI is lower-cased, since neither tells papers apart.

    >>> paper_id(Document(id="a", text="", identifiers=(("arxiv", "2405.00001v2"),)))
    'paper/2405.00001'
    >>> paper_id(Document(id="s000-01", text=""))
    'paper/s000-01'
    """
    return _paper(document.id, document.identifiers)


@remembered()
def _paper(name: str, identifiers: tuple[tuple[str, str], ...]) -> str:
    known = {scheme.lower(): value for scheme, value in identifiers}
    for scheme in _PAPER_SCHEMES:
        if value := known.get(scheme, "").strip():
            if scheme == "arxiv":
                value = re.sub(r"v\d+$", "", value)
            return "paper/" + safe_key(value.lower() if scheme == "doi" else value)
    return "paper/" + safe_key(name)


@remembered()
def _key(name: str) -> str:
    return names.key(name) or safe_key(name)


@lru_cache(maxsize=1 << 16)
def entity_id(kind: str, name: str, *, homonym_of: str = "") -> str:
    """The node of a named thing; `homonym_of` is the paper key that tells it from another thing of the same name.

    >>> entity_id("dataset", "MiniF2F"), entity_id("method", "FACT", homonym_of="s000-07")
    ('dataset/minif2f', 'method/fact@s000-07')
    """
    key = _key(name)
    return f"{kind}/{key}@{safe_key(homonym_of)}" if homonym_of else f"{kind}/{key}"


def repository_id(url: str) -> str:
    """The node of an address: scheme, ``www.`` and a closing slash do not tell two addresses apart.

    >>> repository_id("https://www.github.com/a/B/") == repository_id("http://github.com/a/B")
    True
    """
    text = re.sub(r"^[a-z][a-z0-9+.-]*://(?:www\.)?", "", url.strip(), flags=re.IGNORECASE).rstrip("/")
    host, slash, rest = text.partition("/")
    return "repository/" + safe_key(host.lower() + slash + rest)


def safe_iri(text: str) -> str:
    """An absolute IRI with everything percent-encoded that an IRI may not hold.

    Raises:
        BuildError: the text does not begin with a scheme.

    >>> safe_iri("http://example.org/a b>c")
    'http://example.org/a%20b%3Ec'
    """
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text):
        raise BuildError(f"{text!r} is no absolute IRI; give it with its scheme, such as https://")
    before, mark, fragment = text.partition("#")
    fragment = fragment.replace("#", "%23")
    text = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", before + mark + fragment)
    return quote(text, safe="%:/?#@!$&'()*+,;=~", errors="surrogatepass")


def venue_id(name: str) -> str:
    """The node of a venue.

    >>> venue_id("ICLR 2026")
    'venue/iclr2026'
    """
    return entity_id("venue", name)


def author_id(name: str) -> str:
    """The node of an author, known by name alone.

    >>> author_id("Ada Example")
    'author/adaexample'
    """
    return entity_id("author", name)
