# SPDX-License-Identifier: Apache-2.0
"""Runs that were measured over a real network, and the speeds of a fabric on which emulated runs take as long."""
from __future__ import annotations

import html
import json
import math
import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

from heddle import _core
from heddle.errors import InputError
from heddle.experiment import Experiment, PathLike, Value, given_of, path_of, text_of
from heddle.ranks import Algorithms, OwnAlgorithm, names_of, rows_of
from heddle.results import save_text

if TYPE_CHECKING:
    import pandas

_MOST_SECONDS = 1e5  # as the readers in C++ have it
_MOST_RANKS = 1 << 24


@dataclass(frozen=True)
class MeasuredRun:
    """A call that was measured: `experiment` says collective, algorithm, ranks and size, and `time` how many seconds it took.

    >>> MeasuredRun(Experiment("allreduce", algorithm="ring", ranks=8, size=1024), 35.2e-6).time_ps
    35200000
    """

    experiment: Experiment
    time: float
    network: str = "a network"
    place: str = "a run of one's own"  #: "log.txt:17", for complaints
    rounds: int = 0  #: of the algorithm; 0: not known
    messages: int = 0  #: of all ranks; 0: not known

    def __post_init__(self) -> None:
        if not isinstance(self.experiment, Experiment):
            raise InputError(f"{self.experiment!r}: not a heddle.Experiment")
        for name in ("algorithm", "ranks") + (() if self.experiment.collective == "barrier" else ("size",)):
            if getattr(self.experiment, name) is None:
                raise InputError(f"{self.experiment!r}: a measured run says its {name}")
        if not _is_number(self.time) or not 1e-12 <= self.time <= _MOST_SECONDS:
            raise InputError(f"time={self.time!r}: a measured time is 1e-12 to {_MOST_SECONDS:g} seconds")

    @property
    def time_ps(self) -> int:
        """The time in whole picoseconds."""
        return round(self.time * 1e12)

    def to_dict(self) -> dict[str, Any]:
        """By the names that results have."""
        call = self.experiment
        return {"collective": call.collective, "algorithm": call.algorithm, "ranks": call.ranks, "bytes": call.size,
                "datatype": call.dtype, "time_s": self.time, "network": self.network, "place": self.place}

    @property
    def _tuple(self) -> tuple[_core.Experiment, int, str, str, int, int]:
        return self.experiment._core, self.time_ps, self.place, self.network, self.rounds, self.messages


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


class MeasuredRuns(Sequence[MeasuredRun]):
    """Measured runs, as a list that does not change: `+` puts those of several files together.

    `left_out` has a line for each part of a file that does not count.
    """

    def __init__(self, runs: Iterable[MeasuredRun] = (), left_out: Iterable[str] = ()) -> None:
        self._runs = tuple(runs)
        self.left_out = tuple(left_out)
        for run in self._runs:
            if not isinstance(run, MeasuredRun):
                raise InputError(f"{run!r}: not a heddle.MeasuredRun")

    def __len__(self) -> int:
        return len(self._runs)

    @overload
    def __getitem__(self, index: SupportsIndex) -> MeasuredRun: ...

    @overload
    def __getitem__(self, index: slice) -> MeasuredRuns: ...

    def __getitem__(self, index: SupportsIndex | slice) -> MeasuredRun | MeasuredRuns:
        if isinstance(index, slice):
            return MeasuredRuns(self._runs[index], self.left_out)
        return self._runs[index]

    def __iter__(self) -> Iterator[MeasuredRun]:
        return iter(self._runs)

    def __add__(self, other: Iterable[MeasuredRun]) -> MeasuredRuns:
        return MeasuredRuns([*self._runs, *other], [*self.left_out, *getattr(other, "left_out", ())])

    def __radd__(self, other: Iterable[MeasuredRun]) -> MeasuredRuns:
        return MeasuredRuns(other) + self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MeasuredRuns) and (self._runs, self.left_out) == (other._runs, other.left_out)

    def __hash__(self) -> int:
        return hash((self._runs, self.left_out))

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each run."""
        import pandas

        return pandas.DataFrame([run.to_dict() for run in self._runs])

    def __repr__(self) -> str:
        networks = ", ".join(dict.fromkeys(run.network for run in self._runs))
        return f"<heddle.MeasuredRuns: {len(self)} over {networks}>" if self._runs else "<heddle.MeasuredRuns: none>"


_KEYWORD_OF_FLAG = {"algo": "algorithm", "ranks": "ranks", "collective": "collective", "place": "in_place"}


def _in_python(message: str) -> str:
    """What a reader says of the command's flags, of the keywords here."""
    message = re.sub(r"try --log-(\w+) (\w+)", lambda said: f"try {_KEYWORD_OF_FLAG[said[1]]}={_literal(said[2])}", message)
    message = message.replace("--log-place in", "in_place=True").replace("leave --times out", "leave times= out")
    return re.sub(r"--log-(algo|ranks|collective)", lambda said: _KEYWORD_OF_FLAG[said[1]] + "=", message)


def _literal(word: str) -> str:
    return word if word.isdigit() else f'"{word}"'


def _read(path: PathLike, program: str, algorithm: str | None, ranks: int | None, collective: str | None, in_place: bool = False,
          times: str = "median") -> MeasuredRuns:
    if times not in ("median", "least"):
        raise InputError(f"times={times!r}: \"median\" or \"least\"")
    if ranks is not None:
        ranks = operator.index(ranks)
        if not 1 <= ranks <= _MOST_RANKS:
            raise InputError(f"ranks={ranks}: there are 1 to {_MOST_RANKS}")
    try:
        runs, left_out = _core.read_runs(path_of(path), times == "least", program, collective,
                                         names_of("" if algorithm is None else algorithm), ranks, bool(in_place))
    except InputError as error:
        raise type(error)(_in_python(str(error))) from None
    return MeasuredRuns([MeasuredRun(Experiment._of(core), ps / 1e12, network, place, rounds, messages)
                         for core, ps, place, network, rounds, messages in runs], left_out)


def read_nccl_tests(path: PathLike, *, algorithm: str | None = None, ranks: int | None = None, collective: str | None = None,
                    in_place: bool = False) -> MeasuredRuns:
    """Reads what a program of nccl-tests printed. The log names no algorithm, so `algorithm` does. `ranks` and `collective` are
    for logs without their heads. `in_place` takes the second group of columns."""
    return _read(path, "nccl-tests", algorithm, ranks, collective, in_place)


def read_osu(path: PathLike, *, algorithm: str | None = None, ranks: int | None = None,
             collective: str | None = None) -> MeasuredRuns:
    """Reads what OSU's micro-benchmarks printed. Their tables say neither the algorithm nor the number of ranks."""
    return _read(path, "OSU's benchmarks", algorithm, ranks, collective)


def read_imb(path: PathLike, *, algorithm: str | None = None, ranks: int | None = None,
             collective: str | None = None) -> MeasuredRuns:
    """Reads what Intel's MPI benchmarks (IMB-MPI1) printed. Their tables say no algorithm."""
    return _read(path, "Intel's benchmarks", algorithm, ranks, collective)


def read_runs(path: PathLike, *, algorithm: str | None = None, ranks: int | None = None, collective: str | None = None,
              in_place: bool = False, times: Literal["median", "least"] = "median") -> MeasuredRuns:
    """Reads any file of measured runs: what `heddle run --transport mpi|tcp --json` wrote, a CSV with the columns collective,
    ranks, bytes and seconds, or a table of the programs above. The keywords say what the file does not. `times` says which
    iteration of a JSON document counts."""
    return _read(path, "", algorithm, ranks, collective, in_place, times)


@dataclass(frozen=True)
class FittedParameter:
    """One of a fabric's speeds, in SI units. `value` is None where the runs do not determine it. `error` is the standard error,
    as a part of the value."""

    value: float | None
    error: float | None


@dataclass(frozen=True)
class FittedFabric:
    """A shape with speeds that were fitted: run(fabric=…) takes it. `keywords` are those of Experiment that say the same."""

    keywords: dict[str, Value]

    _given = None  # it has no graph of its own

    @property
    def _flags(self) -> list[tuple[str, str]]:
        return given_of(self.keywords)

    def __hash__(self) -> int:
        return hash(tuple(sorted(self.keywords.items())))


_PARAMETERS = {"overhead": "overhead_s", "gamma": "gamma_s_per_byte", "latency": "latency_s", "bandwidth": "bandwidth_Bps"}


class Fit:
    """What fit() found. Printed, it is the table of `heddle fit`.

    `parameters` has "overhead", "gamma" and "latency" in seconds and "bandwidth" in bytes per second: FittedParameter each.
    `fabric` is the topology with these speeds.
    """

    def __init__(self, core: _core.Fit) -> None:
        self._core = core
        self._document: dict[str, Any] = json.loads(core.json())
        self.parameters = {name: FittedParameter(self._document["parameters"][key], self._document["standard_errors"][key])
                           for name, key in _PARAMETERS.items()}
        self.fabric = FittedFabric(Experiment._of(core.experiment()).to_dict())

    @property
    def runs(self) -> list[dict[str, Any]]:
        """A dict for each run: measured_s, emulated_s, and the difference as a part of the measured time."""
        return list(self.to_dict()["runs"])

    @property
    def preset(self) -> str:
        """The text of the preset's file that `heddle fit --out` writes."""
        return self._core.preset()

    def save(self, path: PathLike) -> None:
        """Writes the preset, for run(preset="file:mine.json"), which then says where its speeds come from."""
        save_text(path, self.preset)

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `heddle fit --json`."""
        return dict(json.loads(json.dumps(self._document)))

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each run."""
        import pandas

        return pandas.DataFrame(self.runs)

    def __str__(self) -> str:
        return self._core.table().rstrip("\n")

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={of.value!r}" for name, of in self.parameters.items())
        return f"<heddle.Fit of {self._document['context']['topology']}: {values}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def fit(runs: Iterable[MeasuredRun], *, topology: PathLike, fitted: Algorithms | None = None,
        own: OwnAlgorithm | Iterable[OwnAlgorithm] = ()) -> Fit:
    """Finds the speeds of a fabric with which emulated runs take what measured ones took.

    `topology` has as many endpoints as the runs have ranks, and all its links get the same speed. The runs of the algorithms
    `fitted` are fitted, and the others are predicted. Without it, those are fitted that `heddle fit` takes. `own`: algorithms of
    one's own that runs name.

    >>> call = Experiment("allreduce", topology="star:4", size=1024, bandwidth=1e9, latency=5e-6)
    >>> made = [call.replace(size=size) for size in (1024, 16384, 262144)]
    >>> from heddle import run
    >>> runs = [MeasuredRun(one.replace(algorithm="ring", ranks=4), run(one, "ring").best.time) for one in made]
    >>> found = fit(runs, topology="star:4").parameters
    >>> round(found["bandwidth"].value / 1e9, 3), found["overhead"].value
    (1.0, None)
    """
    given = runs if isinstance(runs, MeasuredRuns) else MeasuredRuns(runs)
    if not given:
        raise InputError("fit: no runs; heddle.read_runs(\"measured.json\") reads some")
    return Fit(_core.fit([run._tuple for run in given], list(given.left_out), text_of(topology, ""),
                         "" if fitted is None else names_of(fitted), rows_of(own)))
