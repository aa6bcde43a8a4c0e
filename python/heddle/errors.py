# SPDX-License-Identifier: Apache-2.0
"""Everything that heddle raises: C++'s names, below heddle.Error. Each is also a class that Python's users catch."""
import json

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


def _number(text):
    """An element's value, which C++ has as text."""
    for kind in (int, float):
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

    kind = None
    _known = ()

    def __init__(self, explanation, facts=None, algorithm=None, experiment=None, kind=None):
        super().__init__(explanation)
        self.explanation = explanation
        self.facts = facts or {}
        self.algorithm = algorithm
        self.experiment = experiment
        if kind is not None:
            self.kind = kind
        for name in self._known:
            setattr(self, name, self._fact(name))

    def _fact(self, name):
        if name == "time":
            return self.facts.get("time_s")
        if name in ("got", "expected"):
            return _number(self.facts.get(name, ""))
        if name in ("missing", "doubled", "foreign", "blocked", "cycle"):
            return self.facts.get(name, [])
        return self.facts.get(name)

    def __reduce__(self):
        return _check_error_of, (self.kind, self.explanation, self.facts, self.algorithm, self.experiment)

    def __str__(self):
        return f"{self.algorithm}: {self.explanation}" if self.algorithm else self.explanation


class WrongResult(CheckError):
    """An element is wrong. `missing` and `doubled` are ranks, `foreign` contributions that are in it and should not be."""

    kind = "wrong_result"
    _known = ("rank", "element", "got", "expected", "missing", "doubled", "foreign")


class InputChanged(CheckError):
    """An input that must stay as it is was changed."""

    kind = "input_changed"
    _known = ("rank", "element", "got", "expected")


class WrongOrder(CheckError):
    """Contributions were combined in an order that the operation does not allow."""

    kind = "order"
    _known = ("rank", "element", "got", "expected")


class DifferentBits(CheckError):
    """Ranks that must agree differ, each within what roundings allow."""

    kind = "different_bits"
    _known = ("rank", "element", "got", "expected")


class RunToRun(CheckError):
    """Another order of events gives another result, both within what roundings allow."""

    kind = "run_to_run"
    _known = ("rank", "element", "got", "expected")


class Deadlock(CheckError):
    """Ranks wait for each other for ever. `blocked` says what each waits for; in `cycle` each rank waits for the next."""

    kind = "deadlock"
    _known = ("time", "blocked", "cycle")


class Hygiene(CheckError):
    """Messages that nobody received, or requests that nobody waited for: `left` of them."""

    kind = "hygiene"
    _known = ("rank", "left")


class Truncation(CheckError):
    """A message was longer than its receive."""

    kind = "truncation"
    _known = ("rank", "time")


class RankMisused(CheckError, UsageError):
    """A rank used its communicator wrongly, and the run failed for it."""

    kind = "usage"
    _known = ("rank", "time")


class RankFailed(CheckError):
    """A rank raised something, which is the `__cause__`."""

    kind = "rank_failed"
    _known = ("rank", "time", "exception")


class TooFast(CheckError):
    """It took less time than anything can."""

    kind = "too_fast"


class Endless(CheckError):
    """It goes on for ever, or so it seems."""

    kind = "endless"
    _known = ("rank", "time")


class NotRepeatable(CheckError):
    """The same call once more goes another way."""

    kind = "not_repeatable"


_CLASSES = {
    kind.kind: kind
    for kind in (WrongResult, InputChanged, WrongOrder, DifferentBits, RunToRun, Deadlock, Hygiene, Truncation, RankMisused,
                 RankFailed, TooFast, Endless, NotRepeatable)
}


def _check_error_of(kind, explanation, facts=None, algorithm=None, experiment=None):
    return _CLASSES.get(kind, CheckError)(explanation, facts, algorithm, experiment, kind)


def _check_error(text, algorithm=None, experiment=None):
    """Of a failure as C++ writes it."""
    failure = json.loads(text)
    return _check_error_of(failure["kind"], failure["explanation"], failure.get("facts"), algorithm, experiment)
