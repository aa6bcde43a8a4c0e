# SPDX-License-Identifier: Apache-2.0
"""Everything that heddle raises: C++'s names, below heddle.Error. Each is also a class that Python's users catch."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heddle.experiment import Experiment

__all__ = ["CheckError", "Deadlock", "DifferentBits", "Endless", "Error", "Hygiene", "InputChanged", "InputError", "NotRepeatable",
           "OutOfMemory", "OutputError", "RankFailed", "RankMisused", "ResourceError", "RunToRun", "TooFast", "Truncation",
           "UsageError", "WrongOrder", "WrongResult"]


class Error(Exception):
    """Everything that heddle raises is one."""


class InputError(Error, ValueError):
    """What was asked for cannot be: one line that says what, where and what would be right."""


class ResourceError(InputError, OSError):
    """The system refused memory, threads or processes."""


class OutOfMemory(ResourceError, MemoryError):
    """An allocation was refused."""


class OutputError(Error, OSError):
    """What has been measured cannot be written."""


class UsageError(Error, RuntimeError):
    """A rank used its communicator wrongly, or a result was asked for what it has not."""


def _number(text: str) -> int | float | str | None:
    """An element's value, which C++ has as text."""
    kinds: tuple[type[int], type[float]] = (int, float)
    for kind in kinds:
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None


class CheckError(Error, AssertionError):
    """A run that ended, but must not count. `kind` is one word, and `explanation` has several lines.

    `experiment` is the heddle.Experiment whose run failed, or None. `algorithm` is its name. What else is known of the
    failure is in attributes that its class names, and all of it in the dict `facts`.
    """

    kind: str | None = None
    _known: tuple[str, ...] = ()

    def __init__(self, explanation: str, facts: dict[str, Any] | None = None, algorithm: str | None = None,
                 experiment: Experiment | None = None, kind: str | None = None) -> None:
        super().__init__(explanation)
        self.explanation = explanation
        self.facts = facts or {}
        self.algorithm = algorithm
        self.experiment = experiment
        if kind is not None:
            self.kind = kind
        for name in self._known:
            setattr(self, name, self._fact(name))

    def _fact(self, name: str) -> Any:
        if name == "time":
            return self.facts.get("time_s")
        if name in ("got", "expected"):
            return _number(self.facts.get(name, ""))
        if name in ("missing", "doubled", "foreign", "blocked", "cycle"):
            return self.facts.get(name, [])
        return self.facts.get(name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _check_error_of, (self.kind, self.explanation, self.facts, self.algorithm, self.experiment)

    def __str__(self) -> str:
        return f"{self.algorithm}: {self.explanation}" if self.algorithm else self.explanation


class _AtElement(CheckError):
    """An element of a rank is not what it must be."""

    rank: int
    element: int
    got: Any
    expected: Any
    _known: tuple[str, ...] = ("rank", "element", "got", "expected")


class WrongResult(_AtElement):
    """An element is wrong. `missing` and `doubled` are ranks, `foreign` contributions that are in it and should not be."""

    kind = "wrong_result"
    missing: list[int]
    doubled: list[int]
    foreign: list[Any]
    _known = (*_AtElement._known, "missing", "doubled", "foreign")


class InputChanged(_AtElement):
    """An input that must stay as it is was changed."""

    kind = "input_changed"


class WrongOrder(_AtElement):
    """Contributions were combined in an order that the operation does not allow."""

    kind = "order"


class DifferentBits(_AtElement):
    """Ranks that must agree differ, each within what roundings allow."""

    kind = "different_bits"


class RunToRun(_AtElement):
    """Another order of events gives another result, both within what roundings allow."""

    kind = "run_to_run"


class Deadlock(CheckError):
    """Ranks wait for each other for ever. `blocked` says what each waits for; in `cycle` each rank waits for the next."""

    kind = "deadlock"
    time: float
    blocked: list[dict[str, Any]]
    cycle: list[int]
    _known = ("time", "blocked", "cycle")


class Hygiene(CheckError):
    """Messages that nobody received, or requests that nobody waited for: `left` of them."""

    kind = "hygiene"
    rank: int
    left: int
    _known = ("rank", "left")


class Truncation(CheckError):
    """A message was longer than its receive."""

    kind = "truncation"
    rank: int
    time: float
    _known = ("rank", "time")


class RankMisused(CheckError, UsageError):
    """A rank used its communicator wrongly, and the run failed for it."""

    kind = "usage"
    rank: int
    time: float
    _known = ("rank", "time")


class RankFailed(CheckError):
    """A rank raised something, which is the `__cause__`."""

    kind = "rank_failed"
    rank: int
    time: float
    exception: str
    _known = ("rank", "time", "exception")


class TooFast(CheckError):
    """It took less time than anything can."""

    kind = "too_fast"


class Endless(CheckError):
    """It goes on for ever, or so it seems."""

    kind = "endless"
    rank: int
    time: float
    _known = ("rank", "time")


class NotRepeatable(CheckError):
    """The same call once more goes another way."""

    kind = "not_repeatable"


_CLASSES: dict[str, type[CheckError]] = {
    str(kind.kind): kind
    for kind in (WrongResult, InputChanged, WrongOrder, DifferentBits, RunToRun, Deadlock, Hygiene, Truncation, RankMisused,
                 RankFailed, TooFast, Endless, NotRepeatable)
}


def _check_error_of(kind: str | None, explanation: str, facts: dict[str, Any] | None = None, algorithm: str | None = None,
                    experiment: Experiment | None = None) -> CheckError:
    return _CLASSES.get(kind or "", CheckError)(explanation, facts, algorithm, experiment, kind)


def _check_error(text: str, algorithm: str | None = None, experiment: Experiment | None = None) -> CheckError:
    """Of a failure as C++ writes it."""
    failure = json.loads(text)
    return _check_error_of(failure["kind"], failure["explanation"], failure.get("facts"), algorithm, experiment)
