"""Remembering what pure functions of strings gave, within a process and from one build to the next.

Linking asks the same few questions of some ten thousand names; the answers depend on the names and on the code alone.
`remembered` keeps them; `dump` gives those that were asked for as plain values, and `restore` takes them back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

__all__ = ["Memory", "dump", "memory", "remembered", "restore"]

#: More answers than this of one function are not kept.
_MOST = 1 << 18

_P = ParamSpec("_P")
_R = TypeVar("_R")


class _Remembered(Generic[_P, _R]):
    """A function with its answers; arguments are strings, given by position."""

    def __init__(self, function: Callable[_P, _R], pack: Callable[[_R], Any], unpack: Callable[[Any], _R]) -> None:
        update_wrapper(self, function)
        self.function, self.pack, self.unpack = function, pack, unpack
        self.answers: dict[Any, _R] = {}
        self.packed: dict[Any, Any] = {}

    def __call__(self, *args: _P.args, **options: _P.kwargs) -> _R:
        try:
            return self.answers[args]
        except KeyError:
            pass
        answer = self.unpack(self.packed[args]) if args in self.packed else self.function(*args, **options)
        if len(self.answers) >= _MOST:
            self.answers.clear()
        self.answers[args] = answer
        return answer


class Memory:
    """Plain values by plain keys, for what is no function of strings alone."""

    def __init__(self) -> None:
        self.known: dict[Any, Any] = {}
        self.used: dict[Any, Any] = {}

    def get(self, key: Any) -> Any:
        """The value, or None."""
        value = self.used.get(key)
        if value is None and (value := self.known.get(key)) is not None:
            self.put(key, value)
        return value

    def put(self, key: Any, value: Any) -> None:
        """Note a value."""
        if len(self.used) >= _MOST:
            self.used.clear()
        self.used[key] = value


_MEMORIES: dict[str, Memory] = {}
#: What `restore` was given.
_RESTORED: dict[str, dict[Any, Any]] = {}


def memory(name: str) -> Memory:
    """The memory of a name, which `dump` and `restore` keep too."""
    if name not in _MEMORIES:
        _MEMORIES[name] = Memory()
        _MEMORIES[name].known = _RESTORED.get(name, {})
    return _MEMORIES[name]


_FUNCTIONS: dict[str, _Remembered[Any, Any]] = {}


def remembered(
    *, pack: Callable[[Any], Any] = lambda answer: answer, unpack: Callable[[Any], Any] = lambda value: value
) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Decorate a pure function of strings; `pack` makes plain values of an answer, and `unpack` the answer of them.

    >>> @remembered()
    ... def twice(text: str) -> str:
    ...     return text + text
    >>> twice("ab"), dump()[f"{__name__}.twice"]
    ('abab', {('ab',): 'abab'})
    """

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        one = _Remembered(function, pack, unpack)
        name = f"{function.__module__}.{function.__qualname__}"
        one.packed = _RESTORED.get(name, {})
        _FUNCTIONS[name] = one
        return one

    return decorate


def dump() -> dict[str, dict[Any, Any]]:
    """By function, every answer that was asked for in this process, as plain values."""
    found = {}
    for name, one in _FUNCTIONS.items():
        known = one.packed
        found[name] = {args: known[args] if args in known else one.pack(a) for args, a in one.answers.items()}
    return found | {name: one.used for name, one in _MEMORIES.items()}


def restore(values: dict[str, dict[Any, Any]]) -> None:
    """Take back what `dump` gave; it must come from the same code."""
    _RESTORED.clear()
    _RESTORED.update(values)  # some of the functions may not be there before their module is imported
    for name, one in _FUNCTIONS.items():
        one.packed = values.get(name, {})
    for name, memory in _MEMORIES.items():
        memory.known = values.get(name, {})
