# SPDX-License-Identifier: Apache-2.0
"""heddle in Python: collective communication on an emulated fabric, checked before it is timed. docs/python.md shows it."""
try:
    import numpy
except ModuleNotFoundError:
    raise ImportError("heddle needs numpy: python3-numpy on Debian, or pip install numpy") from None
del numpy

from heddle import errors
from heddle._core import version as __version__
from heddle._core import ReduceOp, algorithms, collectives, datatypes
from heddle.errors import *  # noqa: F403
from heddle.experiment import Experiment
from heddle import testing
from heddle.fabrics import Fabric
from heddle.fuzzing import Findings, fuzz
from heddle.measured import (Fit, MeasuredRun, MeasuredRuns, fit, read_imb, read_nccl_tests, read_osu, read_runs)
from heddle.ranks import ANY_SOURCE, Algorithm, collective
from heddle.results import Result, Results
from heddle.runs import check, emulate, run
from heddle.schedules import Schedule
from heddle.studies import Traffic, traffic
from heddle.sweeps import Comparison, Sweep, compare, load, sweep

__all__ = ["ANY_SOURCE", "Algorithm", "Comparison", "Experiment", "Fabric", "Findings", "Fit", "MeasuredRun", "MeasuredRuns",
           "ReduceOp", "Result", "Results", "Schedule", "Sweep", "Traffic", "algorithms", "check", "collective", "collectives", "compare", "datatypes",
           "emulate", "fit", "fuzz", "load", "read_imb", "read_nccl_tests", "read_osu", "read_runs", "run", "sweep", "testing",
           "traffic"]
__all__ += errors.__all__
