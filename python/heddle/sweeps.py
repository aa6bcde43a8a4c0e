# SPDX-License-Identifier: Apache-2.0
"""Sweeps: which algorithm is best where, and whether two files of results are alike."""
from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from heddle import _core
from heddle.errors import CheckError, InputError, _check_error_of
from heddle.experiment import Experiment, PathLike, Value, _Flags, _unit, flag_of, given_of, own_op_of, path_of, text_of
from heddle.ranks import Algorithms, names_of, rows_of
from heddle.results import Page, Results, Svg, save_text

if TYPE_CHECKING:
    import pandas

_AXES = ("--topo", "--preset", "--bw", "--latency", "--routing", "--placement", "--fault", "--model", "--ranks", "--size")
_FORMATS = {".json": "json", ".csv": "csv", ".html": "html", ".svg": "svg", ".txt": "table"}

Progress = Callable[[int, int, Optional[float]], Any]  #: called with runs done, all runs, and seconds left, where they are known


class Crossing(NamedTuple):
    """Where the best of a fabric changes; sizes are bytes, and at is None if nobody knows it."""

    fabric: str
    from_: str
    to: str
    below: int
    above: int
    at: float | None


class Sweep:
    """The results of a sweep. In a notebook it is the page of `heddle sweep --html`."""

    def __init__(self, core: _core.SweepDocument) -> None:
        self._core = core
        self._document: dict[str, Any] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether all runs are here."""
        return self._core.is_complete

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `heddle sweep --json`."""
        if self._document is None:
            self._document = dict(json.loads(self._core.text("json")))
        return dict(json.loads(json.dumps(self._document)))

    @property
    def runs(self) -> list[dict[str, Any]]:
        """A dict for each run, as the JSON names its values."""
        return list(self.to_dict()["runs"])

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each run, with columns as the JSON names them; `error` is the kind of check that failed."""
        import pandas

        rows = []
        for run in self.runs:
            row = {key: value for key, value in run.items() if not isinstance(value, (list, dict)) and key != "check"}
            row["error"] = run["error"]["kind"] if "error" in run else None
            rows.append(row)
        return pandas.DataFrame(rows)

    @property
    def crossings(self) -> list[Crossing]:
        """Where the best changes: a list of heddle.sweeps.Crossing."""
        return [Crossing(*(one.get(key) for key in ("fabric", "from", "to", "below", "above", "at")))
                for one in json.loads(self._core.crossings())]

    @property
    def failures(self) -> list[CheckError]:
        """The errors of runs whose result is wrong."""
        return [_check_error_of(run["error"]["kind"], run["error"]["explanation"], run["error"].get("facts"), run["algorithm"])
                for run in self.runs if "error" in run]

    def plot(self) -> Svg:
        """A line for each algorithm: heddle.results.Svg."""
        return Svg(self._core.text("svg"))

    def save(self, path: PathLike) -> None:
        """Writes the command's file, by its suffix: .json, .csv, .html, .svg or .txt, which is the table."""
        suffix = os.path.splitext(path_of(path))[1]
        if suffix not in _FORMATS:
            raise InputError(f"'{path_of(path)}': no format has the suffix '{suffix}'; there are {', '.join(_FORMATS)}")
        save_text(path, self._core.text(_FORMATS[suffix]))

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.runs)

    def __str__(self) -> str:
        return self._core.text("table").rstrip("\n")

    def __repr__(self) -> str:
        return f"<heddle.Sweep of {len(self)} runs{'' if self.is_complete else ', incomplete'}>"

    def _repr_html_(self) -> str:
        return Page(self._core.text("html"))._repr_html_()


def _points(flag: str, value: Value) -> list[str]:
    """The values of an axis, as texts."""
    unit = _unit(_Flags[flag][0])
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return [text_of(value, unit)]
    return [text_of(one, unit) for one in value]


def _fabrics(fabrics: Any) -> list[Any]:
    """A list of them, each once."""
    if fabrics is None:
        return []
    several: list[Any] = list(dict.fromkeys(fabrics if isinstance(fabrics, (list, tuple)) else [fabrics]))
    for fabric in several:
        if not hasattr(fabric, "_given"):
            raise InputError(f"fabric={fabric!r}: not a heddle.Fabric; the text of a topology is topology=")
        if len(several) > 1 and len(fabric._flags) > 1:
            raise InputError(f"{fabric!r} has speeds of its own, which one fabric of a sweep alone can have; "
                             "make a sweep of each")
    return several


def _progress(asked: Progress | bool | None) -> Progress | None:
    if not asked:
        return None
    if callable(asked):
        return asked

    def line(done: int, of: int, left: float | None) -> None:
        more = "" if left is None else f", {left:.0f} s left"
        sys.stderr.write(f"\rheddle: {done} of {of} runs{more}\033[K" + ("\n" if done == of else ""))
        sys.stderr.flush()

    return line


def sweep(collective: str | Experiment, algorithms: Algorithms = "all", *, base: str = "", tune: int | None = None,
          jobs: int | None = None, progress: Progress | bool | None = None, **keywords: Value) -> Sweep:
    """Runs every algorithm at every point of the axes, checked, over all cores: a Sweep.

    The keywords are run()'s. Of topology, size, preset, bandwidth, latency, routing, placement, fault, model and ranks,
    each may be a list, or a text that names several values, as "32B:128MiB:x4". So may `fabric`, beside
    topologies. `tune`: of each algorithm at most so many
    variants that its options make. `progress`: True writes a line; a function is called with (done, all, seconds left or
    None).

    >>> s = sweep("allreduce", "ring,rabenseifner", topology=["star:4", "ring:8"], size="1KiB:1MiB:x32")
    >>> len(s), s.is_complete
    (12, True)
    """
    axes: dict[str, list[str]] = {}
    common: dict[str, Value] = {}
    fabrics = _fabrics(keywords.pop("fabric", None))
    if isinstance(collective, Experiment):
        common = collective.to_dict()
        if collective.fabric is not None and not fabrics and "topology" not in keywords:
            fabrics = [collective.fabric]
            del common["topology"]
        elif fabrics:
            common = {keyword: value for keyword, value in common.items() if keyword != "topology"}
        collective = collective.collective
    for keyword, value in {**common, **keywords}.items():
        flag = flag_of(keyword)
        if flag in _AXES and value is not None:
            axes[flag] = _points(flag, value)
        elif flag not in _AXES:
            common[keyword] = value
    common = {keyword: value for keyword, value in common.items() if flag_of(keyword) not in _AXES}
    common, op = own_op_of(common)
    given = given_of(common)
    for fabric in fabrics:
        axes.setdefault("--topo", []).append(fabric._flags[0][1])
        for flag, text in fabric._flags[1:]:  # of one alone
            if flag in _AXES:
                axes.setdefault(flag, [text])
            elif flag not in dict(given):
                given.append((flag, text))
    asked = _core.Experiment.read(collective, given, [fabric._given for fabric in fabrics if fabric._given], op)
    core, raised = _core.sweep(asked, names_of(algorithms), rows_of(algorithms), axes, base, tune, jobs, _progress(progress))
    made = Sweep(core)
    if raised is not None:
        raised.__dict__["sweep"] = made  # what was finished
        raise raised
    return made


class Saved:
    """Results of `heddle run --json` that were read from a file."""

    def __init__(self, text: str) -> None:
        self._text = text

    def to_dict(self) -> Any:
        """The document."""
        return json.loads(self._text)


def load(path: PathLike) -> Sweep | Saved:
    """Reads what `heddle sweep --json` or Sweep.save wrote, or its journal: a Sweep. Of `heddle run --json`: a
    heddle.sweeps.Saved."""
    name = path_of(path)
    try:
        with open(name, encoding="utf-8") as file:
            text = file.read()
    except (OSError, ValueError) as error:  # no such file, or no text
        raise InputError(f"{name!r}: {getattr(error, 'strerror', None) or error}") from None
    try:
        document = json.loads(text)
    except ValueError:
        document = None
    if isinstance(document, list) or (isinstance(document, dict) and "planned" not in document and "runs" in document):
        return Saved(text)
    return Sweep(_core.read_sweep(name))


Comparable = Union[Sweep, Results, Saved]


class Comparison:
    """Two results held against each other, cell by cell. Printed, it is the table of `heddle compare`."""

    def __init__(self, is_worse: bool, matched: int, unchanged: int, text: str, table: str) -> None:
        self.is_worse = is_worse
        self.matched = matched
        self.unchanged = unchanged
        self.differences = json.loads(text).get("differences", [])
        self._table = table

    def raise_if_worse(self) -> None:
        """Raises CheckError if something is slower, or fails, or is missing."""
        if self.is_worse:
            raise CheckError(self._table, kind="worse")

    def __str__(self) -> str:
        return self._table.rstrip("\n")

    def __repr__(self) -> str:
        return f"<heddle.Comparison of {self.matched} cells: {'worse' if self.is_worse else 'not worse'}>"


def _json_of(results: Comparable) -> str:
    if isinstance(results, Sweep):
        return results._core.text("json")
    if isinstance(results, Results):
        return results._run.json()
    if isinstance(results, Saved):
        return results._text
    raise InputError(f"{results!r}: no results; a Sweep, Results or what heddle.load() reads")


def compare(before: Comparable, now: Comparable, tolerance: float = 0.0) -> Comparison:
    """Holds results against earlier ones: a Comparison. `tolerance`: 0.01 lets a cell take 1 % longer."""
    with tempfile.TemporaryDirectory() as folder:
        for name, results in (("before.json", before), ("now.json", now)):
            save_text(os.path.join(folder, name), _json_of(results))
        paths = [os.path.join(folder, name) for name in ("before.json", "now.json")]
        is_worse, matched, unchanged, text, table = _core.compare(paths[0], paths[1], float(tolerance))
    return Comparison(is_worse, matched, unchanged, text.replace(folder + os.sep, ""), table.replace(folder + os.sep, ""))
