# SPDX-License-Identifier: Apache-2.0
"""Tests of one's own algorithms, for pytest.

    @pytest.mark.parametrize("case", testing.cases(my_ring, 200, seed=1))
    def test_drawn(case):
        case.run()
"""
from __future__ import annotations

from collections.abc import Iterable

from heddle import _core
from heddle.errors import _check_error
from heddle.experiment import Experiment
from heddle.fuzzing import own_of
from heddle.ranks import OwnAlgorithm, rows_of


class Case:
    """One call of an algorithm of one's own, as text: `run` raises CheckError if it fails."""

    def __init__(self, algorithm: OwnAlgorithm | Iterable[OwnAlgorithm], line: str) -> None:
        self.line = line
        self.algorithms = own_of(algorithm)

    @property
    def experiment(self) -> Experiment:
        """As a value."""
        return Experiment.parse(self.line)

    @property
    def __name__(self) -> str:
        return self.line  # what pytest names the test by

    def run(self) -> None:
        """Runs it with all checks."""
        failed = _core.run_case(self.line, rows_of(self.algorithms))
        if failed is None:
            return
        failure, cause = failed
        error = _check_error(failure, None, self.experiment)
        error.__cause__ = cause
        raise error

    def __repr__(self) -> str:
        return f"<heddle case {self.line}>"


def cases(algorithm: OwnAlgorithm | Iterable[OwnAlgorithm], n: int, *, seed: int = 1, most_ranks: int = 16) -> list[Case]:
    """The first n drawn calls of a seed, each a Case."""
    own = own_of(algorithm)
    bounds = _core.Bounds(seed, n, most_ranks)
    return [Case(own, _core.draw_case(rows_of(own), seed, index, bounds)) for index in range(n)]
