# SPDX-License-Identifier: Apache-2.0
"""Algorithms and programs of one's own: functions that each rank runs."""
from __future__ import annotations

import inspect
import os
import traceback
from collections.abc import Callable, Iterable
from typing import Any, Union

from heddle import _core
from heddle._core import Arguments, Communicator
from heddle.errors import InputError, UsageError

RankFunction = Callable[[Communicator, Arguments], Any]  #: `async def` or `def`

ANY_SOURCE: int = -1  #: of irecv and recv: from whoever sends first


class OwnAlgorithm:
    """What stands wherever an algorithm's name does: it has a `collective` and a `name`. heddle.Algorithm, heddle.Schedule."""

    collective: str
    name: str
    _row: Any  # a _core.Row: kept, or made of a schedule when it is asked for


class Algorithm(OwnAlgorithm):
    """A collective whose ranks run a Python function. It stands wherever an algorithm's name does. heddle.collective makes it."""

    def __init__(self, collective: str, function: RankFunction, name: str | None = None, **facts: Any) -> None:
        if not callable(function):
            raise InputError(f"{function!r}: not a function of (comm, args)")
        unknown = set(facts) - _FACTS
        if unknown:
            raise InputError(_core.unknown_name("fact of an algorithm", min(unknown), sorted(_FACTS)))
        if collective not in _core.collectives():
            raise InputError(_core.unknown_name("collective", str(collective), _core.collectives()))
        self.collective = collective
        self.function = function
        if name is not None and not isinstance(name, str):
            raise InputError(f"name={name!r}: of type {type(name).__name__}; a text is right")
        self.name = name or str(getattr(function, "__name__", "of_one's_own"))
        self.is_async = inspect.iscoroutinefunction(function)
        self.__doc__ = function.__doc__
        self._row = _core.Row(collective, self.name, function, self.is_async, facts)

    def __call__(self, comm: Communicator, args: Arguments) -> Any:
        return self.function(comm, args)

    def __repr__(self) -> str:
        return f"<heddle.Algorithm {self.collective} {self.name}>"


Algorithms = Union[str, OwnAlgorithm, Iterable[Union[str, OwnAlgorithm]]]  #: a name, a text with commas, or a list

_FACTS = {"buffered", "commutative", "credits", "dtypes", "equal_blocks", "grid", "independent_of_size", "ops", "ranks",
          "same_bits", "same_bits_in_any_order"}


def collective(name: str, /, **facts: Any) -> Callable[[RankFunction], Algorithm]:
    """Makes an algorithm of a function of (comm, args) that each rank runs: `@heddle.collective("allreduce")`.

    An `async def` awaits its operations. A plain `def` has a thread for each rank, and its operations block: some ten times
    slower, and the same results and times.

    Facts are as heddle's registry has them. Needs: commutative (the operation must be), grid, equal_blocks, ranks=4 (so
    many and no others), dtypes, ops, buffered. Promises: credits, same_bits and same_bits_in_any_order (of sums of floats;
    True unless said), independent_of_size (a part of a large vector may be run for the whole). `name` is the function's
    unless name= says another.
    """

    def decorate(function: RankFunction) -> Algorithm:
        return Algorithm(name, function, **facts)

    return decorate


def rows_of(algorithms: Algorithms) -> list[_core.Row]:
    """The rows in Python of a list of algorithms and names."""
    if not isinstance(algorithms, (Iterable, OwnAlgorithm)):
        raise InputError(f"{algorithms!r}: no algorithms; a name, a function with @heddle.collective above it, or a list of these")
    if isinstance(algorithms, (str, OwnAlgorithm)):
        algorithms = [algorithms]
    named: dict[tuple[str, str], OwnAlgorithm] = {}
    for one in algorithms:
        if isinstance(one, OwnAlgorithm) and named.setdefault((one.collective, one.name), one) is not one:
            raise InputError(f"two algorithms for {one.collective} are called {one.name}; give one another name=")
    return [one._row for one in named.values()]


def names_of(algorithms: Algorithms) -> str:
    """The command's text for a name, a text with commas, an algorithm of one's own, or a list of these."""
    if isinstance(algorithms, str):
        return algorithms
    if isinstance(algorithms, OwnAlgorithm):
        return algorithms.name
    names = []
    for one in algorithms:
        if not isinstance(one, (str, OwnAlgorithm)):
            raise InputError(f"{one!r}: no algorithm; a name, a function with @heddle.collective above it, or a Schedule")
        names.append(one if isinstance(one, str) else one.name)
    return ",".join(names)


class _RunOver(BaseException):
    """Goes through a rank's function to end it: its run is given up."""


def _raise_run_over() -> None:
    raise _RunOver("the run is given up")


def _short(path: str) -> str:
    return os.path.basename(path)


def _place(coroutine: Any) -> str:
    """Where a coroutine waits, innermost: "mine.py:12"."""
    place = "?"
    while coroutine is not None:
        frame = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "gi_frame", None)
        if frame is not None:
            place = f"{_short(frame.f_code.co_filename)}:{frame.f_lineno}"
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "gi_yieldfrom", None)
    return place


def _told(error: BaseException) -> tuple[bool, str]:
    """Of what a rank raised: whether it is a wrong use of heddle, and its text."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {_short(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    if isinstance(error, UsageError):
        return True, f"{error}{'' if ' at ' in str(error) else place}"
    # asyncio raises where nothing runs its loop, before a rank could see what is awaited.
    own = [frame for frame in frames if f"{os.sep}asyncio{os.sep}" not in frame.filename]
    if frames and own and own[-1] is not frames[-1]:
        place = f"{_short(own[-1].filename)}:{own[-1].lineno}"
        return True, f"a rank awaits asyncio at {place} ({error}); it awaits its communicator's operations alone"
    return False, f"{type(error).__name__}: {error}{place}"
