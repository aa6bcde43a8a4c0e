# SPDX-License-Identifier: Apache-2.0
"""Sweeps: which algorithm is best where, and whether two files of results are alike."""
import json
import os
import sys
import tempfile
from collections import namedtuple

from heddle import _core
from heddle.errors import CheckError, InputError, _check_error_of
from heddle.experiment import Experiment, _Flags, _unit, flag_of, given_of, text_of
from heddle.ranks import names_of, rows_of
from heddle.results import Page, Results, Svg

_AXES = ("--topo", "--preset", "--bw", "--latency", "--routing", "--placement", "--fault", "--model", "--ranks", "--size")
_FORMATS = {".json": "json", ".csv": "csv", ".html": "html", ".svg": "svg", ".txt": "table"}

Crossing = namedtuple("Crossing", "fabric from_ to below above at")
Crossing.__doc__ = "Where the best of a fabric changes; sizes are bytes, and at is None if nobody knows it."


class Sweep:
    """The results of a sweep. In a notebook it is the page of `heddle sweep --html`."""

    def __init__(self, core):
        self._core = core
        self._document = None

    @property
    def is_complete(self):
        """Whether all runs are here."""
        return self._core.is_complete

    def to_dict(self):
        """The JSON document of `heddle sweep --json`."""
        if self._document is None:
            self._document = json.loads(self._core.text("json"))
        return json.loads(json.dumps(self._document))

    @property
    def runs(self):
        """A dict for each run, as the JSON names its values."""
        return self.to_dict()["runs"]

    def to_pandas(self):
        """A row for each run, with columns as the JSON names them; `error` is the kind of check that failed."""
        import pandas

        rows = []
        for run in self.runs:
            row = {key: value for key, value in run.items() if not isinstance(value, (list, dict)) and key != "check"}
            row["error"] = run["error"]["kind"] if "error" in run else None
            rows.append(row)
        return pandas.DataFrame(rows)

    @property
    def crossings(self):
        """Where the best changes: a list of heddle.sweeps.Crossing."""
        return [Crossing(*(one.get(key) for key in ("fabric", "from", "to", "below", "above", "at")))
                for one in json.loads(self._core.crossings())]

    @property
    def failures(self):
        """The errors of runs whose result is wrong."""
        return [_check_error_of(run["error"]["kind"], run["error"]["explanation"], run["error"].get("facts"), run["algorithm"])
                for run in self.runs if "error" in run]

    def plot(self):
        """A line for each algorithm: heddle.results.Svg."""
        return Svg(self._core.text("svg"))

    def save(self, path):
        """Writes the command's file, by its suffix: .json, .csv, .html, .svg or .txt, which is the table."""
        suffix = os.path.splitext(os.fspath(path))[1]
        if suffix not in _FORMATS:
            raise InputError(f"'{os.fspath(path)}': no format has the suffix '{suffix}'; there are {', '.join(_FORMATS)}")
        text = self._core.text(_FORMATS[suffix])
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def __len__(self):
        return len(self.runs)

    def __iter__(self):
        return iter(self.runs)

    def __str__(self):
        return self._core.text("table").rstrip("\n")

    def __repr__(self):
        return f"<heddle.Sweep of {len(self)} runs{'' if self.is_complete else ', incomplete'}>"

    def _repr_html_(self):
        return Page(self._core.text("html"))._repr_html_()


def _points(flag, value):
    """The values of an axis, as texts."""
    unit = _unit(_Flags[flag][0])
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return [text_of(value, unit)]
    return [text_of(one, unit) for one in value]


def _fabrics(fabrics):
    """A list of them, each once."""
    if fabrics is None:
        return []
    fabrics = list(dict.fromkeys(fabrics if isinstance(fabrics, (list, tuple)) else [fabrics]))
    for fabric in fabrics:
        if not hasattr(fabric, "_given"):
            raise InputError(f"fabric={fabric!r}: not a heddle.Fabric; the text of a topology is topology=")
        if len(fabrics) > 1 and len(fabric._flags) > 1:
            raise InputError(f"{fabric!r} has speeds of its own, which one fabric of a sweep alone can have; "
                             "make a sweep of each")
    return fabrics


def _progress(asked):
    if not asked:
        return None
    if callable(asked):
        return asked

    def line(done, of, left):
        more = "" if left is None else f", {left:.0f} s left"
        sys.stderr.write(f"\rheddle: {done} of {of} runs{more}\033[K" + ("\n" if done == of else ""))
        sys.stderr.flush()

    return line


def sweep(collective, algorithms="all", *, base="", tune=None, jobs=None, progress=None, **keywords):
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
    axes = {}
    common = {}
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
    given = given_of(common)
    for fabric in fabrics:
        axes.setdefault("--topo", []).append(fabric._flags[0][1])
        for flag, text in fabric._flags[1:]:  # of one alone
            if flag in _AXES:
                axes.setdefault(flag, [text])
            elif flag not in dict(given):
                given.append((flag, text))
    asked = _core.Experiment.read(collective, given, [fabric._given for fabric in fabrics if fabric._given])
    core, raised = _core.sweep(asked, names_of(algorithms), rows_of(algorithms), axes, base, tune, jobs, _progress(progress))
    made = Sweep(core)
    if raised is not None:
        raised.sweep = made  # what was finished
        raise raised
    return made


class Saved:
    """Results of `heddle run --json` that were read from a file."""

    def __init__(self, text):
        self._text = text

    def to_dict(self):
        """The document."""
        return json.loads(self._text)


def load(path):
    """Reads what `heddle sweep --json` or Sweep.save wrote, or its journal: a Sweep. Of `heddle run --json`: a
    heddle.sweeps.Saved."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise InputError(f"'{os.fspath(path)}': {error.strerror}") from None
    try:
        document = json.loads(text)
    except ValueError:
        document = None
    if isinstance(document, list) or (isinstance(document, dict) and "planned" not in document and "runs" in document):
        return Saved(text)
    return Sweep(_core.read_sweep(os.fspath(path)))


class Comparison:
    """Two results held against each other, cell by cell. Printed, it is the table of `heddle compare`."""

    def __init__(self, is_worse, matched, unchanged, text, table):
        self.is_worse = is_worse
        self.matched = matched
        self.unchanged = unchanged
        self.differences = json.loads(text).get("differences", [])
        self._table = table

    def raise_if_worse(self):
        """Raises CheckError if something is slower, or fails, or is missing."""
        if self.is_worse:
            raise CheckError(self._table, kind="worse")

    def __str__(self):
        return self._table.rstrip("\n")

    def __repr__(self):
        return f"<heddle.Comparison of {self.matched} cells: {'worse' if self.is_worse else 'not worse'}>"


def _json_of(results):
    if isinstance(results, Sweep):
        return results._core.text("json")
    if isinstance(results, Results):
        return results._run.json()
    if isinstance(results, Saved):
        return results._text
    raise InputError(f"{results!r}: no results; a Sweep, Results or what heddle.load() reads")


def compare(before, now, tolerance=0.0):
    """Holds results against earlier ones: a Comparison. `tolerance`: 0.01 lets a cell take 1 % longer."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, results in (("before.json", before), ("now.json", now)):
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(_json_of(results))
        made = _core.compare(*paths, float(tolerance))
    return Comparison(*(part.replace(folder + os.sep, "") if isinstance(part, str) else part for part in made))
