"""Every error that sotagraph raises on purpose.

::

    SotagraphError
    ├── InputError          what was read cannot be used: a missing path, an unreadable file, a directory without papers
    ├── ConfigError         an option, a corrections file or a parameter does not say what it must
    ├── BuildError          a directory is not a build, or was made by another version
    ├── NotFoundError       no such paper, entity, dataset or named query; the message lists what is near
    └── QueryError          SPARQL that does not parse, or that ran out of its time
        └── QueryTimeoutError   the second of these
"""

from __future__ import annotations

__all__ = [
    "BuildError",
    "ConfigError",
    "InputError",
    "NotFoundError",
    "QueryError",
    "QueryTimeoutError",
    "SotagraphError",
]


class SotagraphError(Exception):
    """Base of the tree; its message is one line fit for a terminal."""


class InputError(SotagraphError):
    """What was read cannot be used."""


class ConfigError(SotagraphError):
    """An option, a corrections file or a parameter does not say what it must."""


class BuildError(SotagraphError):
    """A directory is not a build, or was made by another version."""


class NotFoundError(SotagraphError):
    """No such paper, entity, dataset or named query."""


class QueryError(SotagraphError):
    """SPARQL that does not parse, or that ran out of its time."""

    #: Where the mistake stands, both counted from 1; None where the query as a whole is at fault.
    line: int | None = None
    column: int | None = None


class QueryTimeoutError(QueryError):
    """A query that was cut at its time limit."""
