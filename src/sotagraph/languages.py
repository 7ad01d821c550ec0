"""Two ways to write a pair of languages: by their names or by their two-letter codes (ISO 639-1)."""

from __future__ import annotations

import re

__all__ = ["NAMES", "is_pair", "spell_pairs"]

#: Codes of the languages that papers translate between, without those that are English words (as, is, my, so, he).
NAMES = {
    "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech", "cz": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian",
    "fi": "Finnish", "fr": "French", "ga": "Irish", "gu": "Gujarati", "hi": "Hindi", "hr": "Croatian",
    "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "kk": "Kazakh", "ko": "Korean",
    "lt": "Lithuanian", "lv": "Latvian", "mr": "Marathi", "ne": "Nepali", "nl": "Dutch", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian",
    "sr": "Serbian", "sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "th": "Thai", "tr": "Turkish",
    "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
#: Where neither side is English, both have to be codes that are seldom anything else (Hi-Fi is no Hindi to Finnish).
_PLAIN = frozenset(("cs", "de", "es", "fr", "ja", "ko", "nl", "pt", "ru", "zh"))
_CODE = "|".join(NAMES)
_PAIR = re.compile(rf"(?<![\w-])({_CODE})\s?(?:-to-|[-–→⇒⇔↔]|->|(?<=\s)to(?=\s))\s?({_CODE})(?![\w-])", re.I)
_CODES = "|".join(form for code in NAMES for form in (code.upper(), code.title()))
#: Written together, one of the two English: ENDE, DEEN, EnFr.
_TOGETHER = re.compile(rf"(?<!\w)(?:(E[Nn])({_CODES})|({_CODES})(E[Nn]))(?!\w)")


def spell_pairs(text: str) -> str:
    """A name with the codes of a pair of languages spelt out; the order of the two stays.

    >>> [spell_pairs(name) for name in ("WMT14 En-De", "DE→EN", "ENFR", "de-en", "Hi-Fi")]
    ['WMT14 English-German', 'German-English', 'English-French', 'German-English', 'Hi-Fi']
    """
    return _TOGETHER.sub(_spelt, _PAIR.sub(_spelt, text))


def is_pair(name: str) -> bool:
    """Whether a name is nothing but the codes of a pair of languages.

    >>> [is_pair(name) for name in ("En-De", "DE→EN", "WMT14 En-De", "Hi-Fi", "English-German")]
    [True, True, False, False, False]
    """
    return (_PAIR.fullmatch(name) or _TOGETHER.fullmatch(name)) is not None and spell_pairs(name) != name


def _spelt(match: re.Match[str]) -> str:
    one, other = (code.casefold() for code in match.groups() if code)
    if (
        one == other
        or match[0][:2].isupper() != match[0][-2:].isupper()
        or ("en" not in (one, other) and not {one, other} <= _PLAIN)
    ):
        return match[0]
    return f"{NAMES[one]}-{NAMES[other]}"
