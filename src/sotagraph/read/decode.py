"""From bytes to text: byte order marks, line ends, broken UTF-8 and control characters, each seen and told."""

from __future__ import annotations

import codecs
import re

from sotagraph.errors import InputError
from sotagraph.read.base import Warn

__all__ = ["decode", "tidy"]

#: How many lines with broken bytes are told one by one.
_TOLD = 5
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
#: Control characters (tab and line end apart) and halves of surrogate pairs: no output format can carry them.
_UNFIT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


def decode(data: bytes, *, name: str, warn: Warn) -> str:
    r"""The text of a file: UTF-8, or UTF-16 where it begins with that mark; line ends become ``\n``.

    Bytes that are not UTF-8 become U+FFFD, so that the rest of their record is kept; each such line is told.

    Raises:
        InputError: the data is not text.

    >>> decode(b"\xef\xbb\xbfone\r\ntwo", name="a.txt", warn=print)
    'one\ntwo'
    >>> decode(b"one\ncaf\xe9", name="a.txt", warn=print)
    a.txt:2: not UTF-8; the broken bytes are read as U+FFFD
    'one\ncaf�'
    """
    if data.startswith(_UTF16):
        return _line_ends(data.decode("utf-16", errors="replace"))
    if data[:8192].count(0) > len(data[:8192]) // 10:
        raise InputError(f"{name}: not a text file; want UTF-8 text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = _broken(data.removeprefix(codecs.BOM_UTF8), name=name, warn=warn)
    return _line_ends(text)


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _broken(data: bytes, *, name: str, warn: Warn) -> str:
    lines, faults = [], []
    for number, raw in enumerate(re.split(rb"\r\n|\r|\n", data), 1):
        line = raw.decode("utf-8", errors="replace")
        lines.append(line)
        if "\ufffd".encode() not in raw and "\ufffd" in line:
            faults.append(number)
    for number in faults[:_TOLD]:
        warn(f"{name}:{number}: not UTF-8; the broken bytes are read as U+FFFD")
    if len(faults) > _TOLD:
        warn(f"{name}: {len(faults) - _TOLD} more lines are not UTF-8; is the file in another encoding?")
    return "\n".join(lines)


def tidy(text: str) -> tuple[str, int]:
    r"""The text without what no output format can carry, and how many characters that changed.

    Control characters become blanks, halves of surrogate pairs U+FFFD, one for one, so that lengths stay.

    >>> tidy("a\x00b \ud800")
    ('a b �', 2)
    """
    return _UNFIT.subn(lambda match: " " if match[0] < "\ud800" else "\ufffd", _line_ends(text))
