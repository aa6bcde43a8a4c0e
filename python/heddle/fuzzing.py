# SPDX-License-Identifier: Apache-2.0
"""Fuzzing: heddle draws calls of an algorithm of one's own, and makes what fails as small as it goes."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from heddle import _core
from heddle.errors import InputError, _check_error
from heddle.experiment import Experiment
from heddle.ranks import OwnAlgorithm, rows_of
from heddle.sweeps import Progress, _progress


class Finding:
    """A case that failed, made small: `line` repeats it, `failure` is its error, `test` is a test for pytest."""

    def __init__(self, line: str, failure: str, cause: BaseException | None, algorithms: list[OwnAlgorithm]) -> None:
        self.line = line
        self.failure = _check_error(failure, None, Experiment.parse(line))
        self.failure.__cause__ = cause
        self.algorithm = next((one for one in algorithms if f" {one.name} " in f" {line} "), algorithms[0])
        function = getattr(self.algorithm, "function", None)
        name = getattr(function, "__name__", None) or re.sub(r"\W", "_", self.algorithm.name)
        self.test = (f"def test_{name}_{self.failure.kind}():\n"
                     f"    heddle.testing.Case({name}, {line!r}).run()\n")

    def __repr__(self) -> str:
        return f"<heddle.Finding {self.failure.kind}: {self.line}>"


class Findings:
    """What fuzzing found. Printed, each finding is explained, with a test to paste."""

    def __init__(self, found: list[tuple[str, str, BaseException | None]], cases: int, algorithms: list[OwnAlgorithm]) -> None:
        self.cases = cases
        self.findings = [Finding(*one, algorithms) for one in found]

    @property
    def passed(self) -> bool:
        """Whether every case was right."""
        return not self.findings

    def raise_if_failed(self) -> None:
        """Raises the first finding's error."""
        if self.findings:
            first = self.findings[0]
            first.failure.explanation += f"\nto repeat it:\n{first.test}"
            raise first.failure

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __str__(self) -> str:
        if self.passed:
            return f"{self.cases} cases right"
        return "\n".join(f"{one.failure.kind}: {one.failure.explanation}\n  {one.line}\n{one.test}" for one in self.findings)

    def __repr__(self) -> str:
        return f"<heddle.Findings: {len(self)} in {self.cases} cases>"


def own_of(algorithms: OwnAlgorithm | Iterable[OwnAlgorithm]) -> list[OwnAlgorithm]:
    """A list of one's own algorithms."""
    all_of_them = [algorithms] if isinstance(algorithms, OwnAlgorithm) else list(algorithms)
    for one in all_of_them:
        if not isinstance(one, OwnAlgorithm):
            raise InputError(f"{one!r}: not an algorithm of one's own; a function with @heddle.collective above it, or a Schedule")
    return all_of_them


def fuzz(algorithms: OwnAlgorithm | Iterable[OwnAlgorithm], cases: int = 1000, *, seed: int = 1, most_ranks: int = 64,
         fault_once_in: int = 0, orders: int | None = None, keep_going: bool = False,
         progress: Progress | bool | None = None) -> Findings:
    """Draws calls of one's own algorithms, runs each with all checks, and makes what fails as small as it goes: Findings.

    The same bounds draw the same cases. `fault_once_in`: one case in so many has faults. `orders`: each case is run under
    all orders of events with so many delays, so `cases` and `most_ranks` should then be small. Cases run in threads of this
    process: one that never ends is not found, and Ctrl-C ends it.
    """
    own = own_of(algorithms)
    bounds = _core.Bounds(seed, cases, most_ranks, fault_once_in, orders, keep_going)
    found, made, _ = _core.fuzz(rows_of(own), bounds, _progress(progress))
    return Findings(found, made, own)
