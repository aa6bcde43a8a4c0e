# SPDX-License-Identifier: Apache-2.0
"""Drawn arguments, right and wrong: what is raised is a heddle.Error or a TypeError, and errors can be pickled."""
import pickle
import random
import threading

import numpy as np
import pytest
from rings import async_ring

import heddle
from heddle.experiment import _KEYWORDS
from heddle.mpi4py import Comm, program

CASES = 3000  # 10,000 take some three seconds of CPU
ODD = [None, True, False, 0, 1, -1, 3, 2**31, 2**63, 2**64, -2**63, 10**30, 0.5, -1.5, float("nan"), float("inf"), -float("inf"), 1e300,
       "", " ", "ring", "star:4", "star:0", "star:-1", "star:99999999999", "1KiB", "3parsecs", "\0", "\ud800", "\u00e9", "a" * 9999, b"x",
       (), [], {}, set(), object(), np.int32(4), np.float32(1.5), np.float64("nan"), np.array([1, 2]), np.zeros(0), np.dtype("f4"),
       np.float32, int, lambda: 0, range(3), ["star:4", None], [[]], 1j, Ellipsis, type]
NAMES = ["ring", "rabenseifner", "swing_bandwidth", "bucket", "all", "", "rign", "ring,ring", "ring,", "chain:segments=2"]
FABRICS = ["star:4", "ring:3", "torus:2x2", "star:1", "star:2", "hypercube:2"]
RIGHT = {"topology": FABRICS, "size": [0, 1, 4, 7, 64, "1KiB"], "dtype": ["i32", "bf16", np.float16, np.dtype("i8")],
         "op": ["sum", "max"], "bandwidth": [1e9, "10GB/s", "inf"], "latency": [0, 1e-6, "1us"], "root": [0, 1, 3], "ranks": [1, 2, 4],
         "in_place": [True, False]}
KEYWORDS = sorted({*_KEYWORDS, "topolgy", "type", "fabric", "on_failure", "timeline"} - {"plugin", "plugins", "transport", "distribute",
                                                                                      "clock", "explore"})


class Drawn:
    """A call of the module, of a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.call = None

    def one_of(self, *values):
        return self.random.choice([*ODD, *values])

    def small(self):
        value = self.one_of()
        return 2 if isinstance(value, int) and value > 8 else value

    def some(self, *names, value=None):
        return {name: (value or self.one_of)() for name in names if self.random.random() < 0.4}

    def keywords(self):
        drawn = {}
        if self.random.random() < 0.8:
            drawn = {"topology": self.random.choice(FABRICS), "size": self.random.choice([0, 4, 64, 100])}
        for keyword in self.random.choices(KEYWORDS, k=self.random.choice([0, 1, 1, 2, 3])):
            right = RIGHT.get(keyword) if self.random.random() < 0.5 else None
            drawn[keyword] = self.random.choice(right) if right else self.one_of()
        return drawn

    def make(self, experiment, runs, results):
        collective = self.random.choice(heddle.collectives()) if self.random.random() < 0.8 else self.one_of()
        algorithms = self.random.choice(NAMES) if self.random.random() < 0.7 else self.one_of()
        keywords = self.keywords()
        what = self.random.choice([self.run] * 8 + [self.check, self.sweep, self.fuzz, self.own, self.read, self.values,
                                                self.traffic, self.op, self.call_in_rank, self.mpi])
        self.call = (what.__name__, collective, algorithms, keywords)
        what(collective, algorithms, keywords, experiment, runs, results)

    def run(self, collective, algorithms, keywords, *_):
        heddle.run(collective, algorithms, **keywords)

    def check(self, collective, algorithms, keywords, *_):
        more = {"ranks": [2], **self.some("ranks", "counts", "dtypes", "ops", value=self.small)}
        heddle.check(self.random.choice([(collective, algorithms), algorithms]), **more)

    def sweep(self, collective, algorithms, keywords, *_):
        keywords = {name: value for name, value in keywords.items() if name not in ("on_failure", "timeline")}
        heddle.sweep(collective, algorithms, **keywords, **self.some("base", "tune", "jobs", value=self.small))

    def fuzz(self, collective, algorithms, keywords, *_):
        more = {"cases": 2, **self.some("cases", "seed", "most_ranks", "fault_once_in", "orders", value=self.small)}
        heddle.fuzz(self.random.choice([async_ring, [async_ring], algorithms]), **more)
        heddle.testing.cases(async_ring, self.small(), **self.some("seed", "most_ranks"))

    def own(self, collective, algorithms, keywords, *_):
        facts = self.some("commutative", "grid", "ranks", "dtypes", "ops", "credits", "name", "same_bits", "zzz")
        heddle.collective(collective, **facts)(self.one_of(async_ring.function))
        heddle.emulate(self.one_of(), **keywords)

    def read(self, collective, algorithms, keywords, experiment, runs, results):
        read = self.random.choice([heddle.read_osu, heddle.read_imb, heddle.read_nccl_tests, heddle.read_runs])
        self.random.choice([
            lambda: read(self.one_of(__file__), **self.some("algorithm", "ranks", "collective")),
            lambda: heddle.load(self.one_of(__file__, "/")),
            lambda: heddle.fit(self.one_of(runs), topology=self.one_of("star:4"), fitted=self.one_of("ring")),
            lambda: heddle.MeasuredRun(self.one_of(experiment), self.one_of()),
        ])()

    def traffic(self, collective, algorithms, *_):
        more = self.some("topology", "ranks", "placement", "placements", "seed", "tier", "plugins", value=self.small)
        heddle.traffic(collective, algorithms, **{"topology": "fattree:k=4", "ranks": 4, "placements": 2, **more})

    def op(self, collective, algorithms, *_):
        function = self.one_of(np.maximum, lambda a, b: a, lambda a, b: self.one_of(a))
        op = heddle.ReduceOp(self.one_of("mine"), function, **self.some("commutative", "idempotent"))
        heddle.run(collective, algorithms, topology="star:4", size=16, op=op)

    def array(self):
        return self.one_of(*[np.arange(4, dtype=dtype) for dtype in ("i4", "f8", "f2", "u1", "O", "S3")], *[np.ones((2, 2))] * 9)

    def call_in_rank(self, collective, *_):
        arrays, more = (self.array(), self.array()), self.some("op", "root", "counts", "received", "algorithm")

        async def program(comm):
            await comm.call(collective, *arrays, **more)

        heddle.emulate(program, topology="star:4")

    def mpi(self, *_):
        name = self.random.choice([name for name in dir(Comm) if not name.startswith("_")])
        arguments = [self.array() for _ in range(self.random.randrange(4))]
        heddle.emulate(program(lambda comm: getattr(comm, name)(*arguments)), topology="star:2")

    def values(self, collective, algorithms, keywords, experiment, runs, results):
        self.random.choice([
            lambda: heddle.Experiment(collective, **keywords),
            lambda: experiment.replace(**keywords),
            lambda: heddle.Experiment.parse(self.one_of("allreduce --topo star:4 --size 4")),
            lambda: heddle.compare(self.one_of(results), self.one_of(results), self.one_of()),
            lambda: heddle.algorithms(collective),
            lambda: results.best.heatmap(self.one_of()),
        ])()


def test_drawn_arguments_are_served_or_refused():
    experiment = heddle.Experiment("allreduce", topology="star:4", size=4, ranks=4, algorithm="ring")
    runs = heddle.MeasuredRuns([heddle.MeasuredRun(experiment, 1e-6)])
    results = heddle.run("allreduce", "ring", topology="star:2", size=4)
    drawn, refused = Drawn(1), 0
    for _ in range(CASES):
        try:
            drawn.make(experiment, runs, results)
        except heddle.Error as error:
            again = pickle.loads(pickle.dumps(error))
            assert type(again) is type(error) and str(again) == str(error)
            refused += 1
        except TypeError:
            refused += 1
        except Exception as error:
            pytest.fail(f"{drawn.call!r}: {type(error).__name__}: {error}")
    assert CASES / 2 < refused < CASES


def test_a_hundred_runs_in_each_of_four_threads():
    def times_of(ranks):
        return [result.time_ps for result in heddle.run("allreduce", ["ring", async_ring], topology=f"star:{ranks}", size=4 * ranks)]

    expected = {ranks: times_of(ranks) for ranks in (2, 3, 4, 5)}
    wrong = []

    def work(ranks):
        wrong.extend(ranks for _ in range(100) if times_of(ranks) != expected[ranks])

    threads = [threading.Thread(target=work, args=(ranks,)) for ranks in expected]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
