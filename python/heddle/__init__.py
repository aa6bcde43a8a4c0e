# SPDX-License-Identifier: Apache-2.0
"""heddle in Python: collective communication on an emulated fabric, checked before it is timed. docs/python.md shows it."""
from heddle import errors
from heddle._core import version as __version__
from heddle._core import algorithms, collectives, datatypes
from heddle.errors import *  # noqa: F403
from heddle.experiment import Experiment
from heddle.ranks import ANY_SOURCE, Algorithm, collective
from heddle.results import Result, Results
from heddle.runs import check, emulate, run

__all__ = ["ANY_SOURCE", "Algorithm", "Experiment", "Result", "Results", "algorithms", "check", "collective", "collectives", "datatypes",
           "emulate", "run", *errors.__all__]
