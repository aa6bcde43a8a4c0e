# SPDX-License-Identifier: Apache-2.0
"""run(): a collective by some algorithms, each checked and then timed."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, Literal

from heddle import _core
from heddle.errors import InputError
from heddle.experiment import Experiment, Value, text_of
from heddle.ranks import Algorithms, OwnAlgorithm, names_of, rows_of
from heddle.results import Emulated, Results

Program = Callable[[_core.Communicator], Any]  #: `async def` or `def`


class Again:
    """What makes one of a run's algorithms once more."""

    def __init__(self, experiment: Experiment, rows: list[_core.Row]) -> None:
        self.experiment = experiment
        self.rows = rows

    def under(self, model: str) -> Again:
        """The same under the model of one of the results."""
        return self if model == (self.experiment.model or "fluid") else Again(self.experiment.replace(model=model), self.rows)

    def one(self, algorithm: str, **kept: bool) -> _core.Run:
        """Its run alone."""
        return _core.run(self.experiment._core, algorithm, self.rows, _core.Kept(**kept), False)


def run(collective: str | Experiment, algorithms: Algorithms = "all", *, on_failure: Literal["raise", "keep"] = "raise",
        timeline: bool = False, **keywords: Value) -> Results:
    """Runs a collective by each of these algorithms, checks every result, and says how long it took in emulated time.

    `collective` is its name or an Experiment, which the keywords change; they are those of Experiment. `algorithms` is a name,
    a text with commas, or a list. A wrong result raises what says why; on_failure="keep" returns it among the others. `model`
    may be several: each runs under all of them, and the others are held against the first.

    >>> print(run("allreduce", "ring", topology="star:4", size="1KiB").best.time_ps)
    1230720
    """
    models = text_of(keywords["model"], "") if isinstance(keywords.get("model"), (list, tuple, str)) else ""
    if "," in models:
        keywords["model"] = None
    experiment = _experiment(collective, keywords)
    if on_failure not in ("raise", "keep"):
        raise InputError(f"on_failure={on_failure!r}: \"raise\" or \"keep\"")
    again = Again(experiment, rows_of(algorithms))
    kept = _core.Kept(timeline=timeline)
    results = Results(_core.run(experiment._core, names_of(algorithms), again.rows, kept, on_failure == "keep", models), again)
    if on_failure != "keep" and results.failures:
        raise results.failures[0]
    return results


def _experiment(collective: str | Experiment, keywords: dict[str, Value]) -> Experiment:
    return collective.replace(**keywords) if isinstance(collective, Experiment) else Experiment(collective, **keywords)


def _collective_of(algorithm: OwnAlgorithm | tuple[str, Algorithms]) -> tuple[str, Algorithms]:
    if isinstance(algorithm, OwnAlgorithm):
        return algorithm.collective, algorithm
    if isinstance(algorithm, (tuple, list)) and len(algorithm) == 2:
        return algorithm[0], algorithm[1]
    raise InputError(f"{algorithm!r}: neither an algorithm of one's own nor a pair; (\"allreduce\", \"ring\") is one")


def check(algorithm: OwnAlgorithm | tuple[str, Algorithms], *, ranks: int | Iterable[int] | None = None,
          counts: Iterable[int] | None = None, dtypes: Value = ("i32",), ops: Iterable[str] | None = None,
          topology: str = "star:{ranks}", **keywords: Value) -> int:
    """Runs an algorithm on so many ranks, with so many elements of these types, and raises the first wrong result.

    `algorithm` is one of one's own, or a collective and a name in a pair. Ranks are 1 to 17 unless others are given, or a
    schedule's own. `fabric` has as many endpoints. Counts are 0, 1, ranks - 1, ranks, ranks + 1 and
    1000 unless others are given. A call that the algorithm does not serve is an InputError. Returns how many runs were right.
    """
    collective, algorithms = _collective_of(algorithm)
    rows = rows_of(algorithms)
    right = 0
    if ranks is None:
        ranks = getattr(algorithm, "serves", range(1, 18))
    for p in [ranks] if isinstance(ranks, int) else ranks:
        for dtype in [dtypes] if isinstance(dtypes, str) else dtypes:
            for count in sorted({0, 1, max(p - 1, 0), p, p + 1, 1000}) if counts is None else counts:
                for op in [None] if ops is None else ops:
                    where = {"ranks": p} if "fabric" in keywords else {"topology": topology.format(ranks=p)}
                    experiment = Experiment(collective, dtype=dtype, op=op, **where, **keywords)
                    if collective != "barrier":
                        experiment = experiment.replace(size=count * experiment._core.element_size)
                    made = _core.run(experiment._core, names_of(algorithms), rows, _core.Kept(), False)
                    results = Results(made, Again(experiment, rows))
                    if results.failures:
                        raise results.failures[0]
                    right += len(results)
    return right


def emulate(program: Program, *, timeline: bool = False, on_failure: Literal["raise", "keep"] = "raise",
            **keywords: Value) -> Emulated:
    """Runs a function of (comm) on every rank of a fabric: heddle.results.Emulated. What it does is checked as far as any
    run is: that it ends, that every message is received, that no buffer changes under way.

    >>> async def hello(comm):
    ...     return comm.rank * 2
    >>> emulate(hello, topology="star:3").returned
    [0, 2, 4]
    """
    experiment = Experiment("barrier", **keywords)
    function = _core.Function(program, inspect.iscoroutinefunction(program))
    name = getattr(program, "__name__", "program")
    result = Emulated(_core.emulate(experiment._core, name, function, _core.Kept(timeline=timeline)), experiment)
    if on_failure != "keep" and result.failure is not None:
        raise result.failure
    return result
