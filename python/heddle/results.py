# SPDX-License-Identifier: Apache-2.0
"""What came of a run: values that do not change."""
import html
import json
import os
import tempfile

import numpy as np

from heddle import _core
from heddle.errors import UsageError, _check_error


class Path:
    """Where the time of the rank that returned last went, in seconds: the parts of its critical path (docs/model.md)."""

    __slots__ = ("startup", "propagation", "serialisation", "contention", "local_work", "waiting", "ps")

    def __init__(self, parts):
        self.ps = {name.removesuffix("_s"): ps for name, ps in parts.items()}
        for name, value in self.ps.items():
            setattr(self, name, value * 1e-12)

    def __repr__(self):
        return "Path(" + ", ".join(f"{name}={value * 1e-12:g}" for name, value in self.ps.items()) + ")"


class Timeline:
    """What happened: `messages` is a structured array of them, which is C++'s own memory."""

    def __init__(self, core):
        self.messages = core.messages()


class Result:
    """One algorithm's run. It has a time only if its result was right: else `time` and its like raise `failure`."""

    def __init__(self, run, core, again):
        self._run = run
        self._core = core
        self._again = again
        self._document = None
        failure = core.failure
        self.algorithm = core.algorithm
        self.failure = None
        if failure is not None:
            self.failure = _check_error(failure, self.algorithm, again.experiment)
            self.failure.__cause__ = core.cause

    @property
    def _data(self):
        if self._document is None:
            self._document = json.loads(self._core.json())
        return self._document

    @property
    def passed(self):
        """Whether every check did."""
        return self.failure is None

    def _measured(self, key):
        if self.failure is not None:
            raise self.failure
        return self._data[key]

    @property
    def time(self):
        """Of the last rank, in seconds of emulated time."""
        return self._measured("time_s")

    @property
    def time_ps(self):
        """The same in whole picoseconds."""
        if self.failure is not None:
            raise self.failure
        return self._core.time_ps

    @property
    def algbw(self):
        """Bytes of the vector over time, in bytes per second; None where no time passed."""
        return self._measured("algbw_Bps")

    @property
    def busbw(self):
        """The same as nccl-tests count it; None where there is none."""
        return self._measured("busbw_Bps")

    @property
    def rounds(self):
        """A structured array with a row for each round; its length is the number of rounds."""
        self._measured("rounds")
        return self._core.rounds()

    @property
    def messages(self):
        """How many all ranks sent."""
        return self._measured("messages")

    @property
    def messages_digest(self):
        """Equal for runs of the same messages."""
        self._measured("messages")
        return self._core.messages_digest

    @property
    def path(self):
        """Where the time went: heddle.results.Path."""
        self._measured("time_s")
        return Path(self._core.path_ps())

    @property
    def ranks(self):
        """A structured array with a row for each rank."""
        self._measured("time_s")
        return self._core.ranks()

    @property
    def links(self):
        """A structured array with a row for each link of the fabric, by number."""
        self._measured("time_s")
        rows = self._core.links()
        named = np.empty(len(rows), [("name", object)] + [(name, rows.dtype[name]) for name in rows.dtype.names])
        named["name"] = self._core.link_names()
        for name in rows.dtype.names:
            named[name] = rows[name]
        return named

    @property
    def command(self):
        """What repeats it in a shell."""
        return self._core.command

    def _with(self, **kept):
        """The run of this algorithm alone once more, with more kept of it. It is the same, as runs are."""
        self._measured("time_s")
        return self._again.one(self.algorithm, **kept)

    def _recorded(self):
        if not self._core.has_timeline:
            self._core = self._with(timeline=True).results[0]
        return self._core

    @property
    def timeline(self):
        """What happened. A run that has kept none is made once more."""
        self._measured("time_s")
        return Timeline(self._recorded())

    def explain(self):
        """Where the time went, in some lines, as `heddle run --explain` has it."""
        self._measured("time_s")
        return self._recorded().explain().rstrip("\n")

    def matrix(self):
        """Bytes from rank to rank."""
        messages = self.timeline.messages
        ranks = len(self._core.ranks())
        sent = np.zeros((ranks, ranks), np.int64)
        between = messages[(messages["source"] >= 0) & (messages["dest"] >= 0)]
        np.add.at(sent, (between["source"], between["dest"]), between["bytes"])
        return sent

    def heatmap(self, of="utilisation"):
        """The fabric with each link's load: heddle.results.Svg."""
        return Svg(_written(self._with(timeline=of == "contention"), ".svg", "heatmap", heatmap_of=of))

    def page(self):
        """The page of `heddle run --html`: heddle.results.Page."""
        return Page(_written(self._with(sample=True), ".html", "html"))

    def trace(self, path):
        """Writes what happened as a file that https://ui.perfetto.dev opens."""
        self._with(timeline=True).write({"trace": os.fspath(path)})

    def to_dict(self):
        """As the JSON document has it."""
        return dict(self._data)

    def __repr__(self):
        if self.failure is not None:
            return f"<heddle.Result {self.algorithm}: {self.failure.kind}>"
        return f"<heddle.Result {self.algorithm}: {self.time * 1e6:.3f} us>"


class Emulated:
    """A program's run: `time` in seconds, `returned` by rank, and the arrays of a Result."""

    def __init__(self, run, experiment):
        self._run = run
        self._core = run.results[0]
        self.experiment = experiment
        failure = self._core.failure
        self.failure = None
        if failure is not None:
            self.failure = _check_error(failure, None, experiment)
            self.failure.__cause__ = self._core.cause

    def _measured(self):
        if self.failure is not None:
            raise self.failure
        return self._core

    @property
    def time_ps(self):
        """Of the last rank, in picoseconds."""
        return self._measured().time_ps

    @property
    def time(self):
        """The same in seconds."""
        return self.time_ps * 1e-12

    @property
    def returned(self):
        """What each rank's function returned."""
        return self._measured().returned

    @property
    def ranks(self):
        """A structured array with a row for each rank."""
        return self._measured().ranks()

    @property
    def rounds(self):
        """A structured array with a row for each round."""
        return self._measured().rounds()

    @property
    def messages(self):
        """How many all ranks sent."""
        return int(self.ranks["messages"].sum())

    @property
    def timeline(self):
        """What happened, of a run with timeline=True."""
        return Timeline(self._measured())


def _written(run, suffix, what, **more):
    """A text that C++ writes to files."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "it" + suffix)
        run.write({what: path, **more})
        with open(path, encoding="utf-8") as file:
            return file.read()


class Svg:
    """A picture, which a notebook shows."""

    def __init__(self, text):
        self.text = text

    def _repr_svg_(self):
        return self.text

    def save(self, path):
        """As it is."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)


class Page:
    """A page for a browser, with all that it shows in it. A notebook shows it in a frame."""

    def __init__(self, text):
        self.text = text

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self.text)}" width="100%" height="700" style="border:0"></iframe>'

    def save(self, path):
        """As it is."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)


class Results:
    """What came of a run's algorithms, in their order; by name, too. Printed, it is the command's table."""

    def __init__(self, run, again):
        self._run = run
        self._all = [Result(run, core, again) for core in run.results]
        self.experiment = again.experiment
        self.left_out = dict(run.left_out)

    @property
    def best(self):
        """The right one that took least time, of several the first."""
        right = [result for result in self._all if result.passed]
        if not right:
            raise UsageError("best: no algorithm's result is right" if self._all else "best: no algorithm has run")
        return min(right, key=lambda result: result.time_ps)

    @property
    def failures(self):
        """The errors of those whose result is wrong."""
        return [result.failure for result in self._all if not result.passed]

    def to_dict(self):
        """The JSON document of `heddle run --json`."""
        return json.loads(self._run.json())

    def to_pandas(self):
        """A row for each algorithm, with columns as the JSON names them."""
        import pandas

        rows = []
        for result in self._all:
            row = {key: value for key, value in result.to_dict().items() if not isinstance(value, (list, dict))}
            row["error"] = None if result.passed else result.failure.kind
            rows.append(row)
        return pandas.DataFrame(rows)

    def __len__(self):
        return len(self._all)

    def __iter__(self):
        return iter(self._all)

    def __getitem__(self, name):
        if isinstance(name, (int, slice)):
            return self._all[name]
        for result in self._all:
            if result.algorithm == name:
                return result
        if name in self.left_out:
            raise KeyError(f"{name} was left out: {self.left_out[name]}")
        raise KeyError(_core.unknown_name("result", str(name), [result.algorithm for result in self._all]))

    def __str__(self):
        return self._run.table().rstrip("\n")

    def __repr__(self):
        return f"<heddle.Results of {', '.join(result.algorithm for result in self._all)}>"

    def _repr_html_(self):
        columns = ("algorithm", "time_s", "algbw_Bps", "busbw_Bps", "rounds", "messages")
        head = "".join(f"<th>{column}</th>" for column in columns)
        lines = []
        for result in self._all:
            cells = [result.algorithm] + [result.to_dict().get(column, "") for column in columns[1:]]
            if not result.passed:
                cells[1] = result.failure.kind
            lines.append("<tr>" + "".join(f"<td>{html.escape(_cell(cell))}</td>" for cell in cells) + "</tr>")
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _cell(value):
    return f"{value:.6g}" if isinstance(value, float) else "" if value is None else str(value)
