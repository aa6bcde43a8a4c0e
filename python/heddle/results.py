# SPDX-License-Identifier: Apache-2.0
"""What came of a run: values that do not change."""
from __future__ import annotations

import base64
import html
import json
import os
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from heddle import _core
from heddle.errors import CheckError, InputError, OutputError, UsageError, _check_error
from heddle.experiment import Experiment, PathLike, path_of

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

    from heddle.runs import Again

    Array = npt.NDArray[Any]


class Path:
    """Where the time of the rank that returned last went, in seconds: the parts of its critical path (docs/model.md)."""

    __slots__ = ("startup", "propagation", "serialisation", "contention", "local_work", "waiting", "ps")

    startup: float
    propagation: float
    serialisation: float
    contention: float
    local_work: float
    waiting: float
    ps: dict[str, int]

    def __init__(self, parts: dict[str, int]) -> None:
        self.ps = {name.removesuffix("_s"): ps for name, ps in parts.items()}
        for name, value in self.ps.items():
            setattr(self, name, value * 1e-12)

    def __repr__(self) -> str:
        return "Path(" + ", ".join(f"{name}={value * 1e-12:g}" for name, value in self.ps.items()) + ")"


class Timeline:
    """What happened: `messages` is a structured array of them, which is C++'s own memory."""

    def __init__(self, core: _core.Result) -> None:
        self.messages: Array = core.messages()


class Result:
    """One algorithm's run. It has a time only if its result was right: else `time` and its like raise `failure`."""

    def __init__(self, run: _core.Run, core: _core.Result, again: Again) -> None:
        self._run = run
        self._core = core
        self._again = again
        self._document: dict[str, Any] | None = None
        failure = core.failure
        self.algorithm = core.algorithm
        self.model = core.model  # the network model that it ran under
        self.failure: CheckError | None = None
        if failure is not None:
            self.failure = _check_error(failure, self.algorithm, again.experiment)
            self.failure.__cause__ = core.cause

    @property
    def _data(self) -> dict[str, Any]:
        if self._document is None:
            self._document = dict(json.loads(self._core.json()))
        return self._document

    @property
    def passed(self) -> bool:
        """Whether every check did."""
        return self.failure is None

    def _measured(self, key: str) -> Any:
        if self.failure is not None:
            raise self.failure
        return self._data[key]

    @property
    def time(self) -> float:
        """Of the last rank, in seconds of emulated time."""
        return float(self._measured("time_s"))

    @property
    def time_ps(self) -> int:
        """The same in whole picoseconds."""
        if self.failure is not None:
            raise self.failure
        return self._core.time_ps

    @property
    def algbw(self) -> float | None:
        """Bytes of the vector over time, in bytes per second; None where no time passed."""
        return _float_or_none(self._measured("algbw_Bps"))

    @property
    def busbw(self) -> float | None:
        """The same as nccl-tests count it; None where there is none."""
        return _float_or_none(self._measured("busbw_Bps"))

    @property
    def rounds(self) -> Array:
        """A structured array with a row for each round; its length is the number of rounds."""
        self._measured("rounds")
        return self._core.rounds()

    @property
    def messages(self) -> int:
        """How many all ranks sent."""
        return int(self._measured("messages"))

    @property
    def messages_digest(self) -> int:
        """Equal for runs of the same messages."""
        self._measured("messages")
        return self._core.messages_digest

    @property
    def path(self) -> Path:
        """Where the time went: heddle.results.Path."""
        self._measured("time_s")
        return Path(self._core.path_ps())

    @property
    def ranks(self) -> Array:
        """A structured array with a row for each rank."""
        self._measured("time_s")
        return self._core.ranks()

    @property
    def links(self) -> Array:
        """A structured array with a row for each link of the fabric, by number."""
        self._measured("time_s")
        rows = self._core.links()
        columns = rows.dtype.names or ()
        types: list[tuple[str, Any]] = [("name", object), *((name, rows.dtype[name]) for name in columns)]
        named = np.empty(len(rows), types)
        named["name"] = self._core.link_names()
        for name in columns:
            named[name] = rows[name]
        return named

    @property
    def command(self) -> str:
        """What repeats it in a shell. Raises UsageError where its algorithm, operation or fabric is this program's own."""
        return self._core.command

    def _with(self, **kept: bool) -> _core.Run:
        """The run of this algorithm alone once more, with more kept of it. It is the same, as runs are."""
        self._measured("time_s")
        return self._again.one(self.algorithm, **kept)

    def _recorded(self) -> _core.Result:
        if not self._core.has_timeline:
            self._core = self._with(timeline=True).results[0]
        return self._core

    @property
    def timeline(self) -> Timeline:
        """What happened. A run that has kept none is made once more."""
        self._measured("time_s")
        return Timeline(self._recorded())

    def explain(self) -> str:
        """Where the time went, in some lines, as `heddle run --explain` has it."""
        self._measured("time_s")
        return self._recorded().explain().rstrip("\n")

    def matrix(self) -> npt.NDArray[np.int64]:
        """Bytes from rank to rank."""
        messages = self.timeline.messages
        ranks = len(self._core.ranks())
        sent = np.zeros((ranks, ranks), np.int64)
        between = messages[(messages["source"] >= 0) & (messages["dest"] >= 0)]
        np.add.at(sent, (between["source"], between["dest"]), between["bytes"])
        return sent

    def heatmap(self, of: str = "utilisation") -> Svg:
        """The fabric with each link's load: heddle.results.Svg."""
        return Svg(_written(self._with(timeline=of == "contention"), ".svg", {"--heatmap": None, "--heatmap-of": of}))

    def page(self) -> Page:
        """The page of `heddle run --html`: heddle.results.Page."""
        return Page(_written(self._with(sample=True), ".html", {"--html": None}))

    def trace(self, path: PathLike) -> None:
        """Writes what happened as a file that https://ui.perfetto.dev opens."""
        self._with(timeline=True).write({"--trace": path_of(path)})

    def to_dict(self) -> dict[str, Any]:
        """As the JSON document has it."""
        return dict(self._data)

    def __repr__(self) -> str:
        if self.failure is not None:
            return f"<heddle.Result {self.algorithm}: {self.failure.kind}>"
        return f"<heddle.Result {self.algorithm}: {self.time * 1e6:.3f} us>"


class Emulated:
    """A program's run: `time` in seconds, `returned` by rank, and the arrays of a Result."""

    def __init__(self, run: _core.Run, experiment: Experiment) -> None:
        self._run = run
        self._core = run.results[0]
        self.experiment = experiment
        failure = self._core.failure
        self.failure: CheckError | None = None
        if failure is not None:
            self.failure = _check_error(failure, None, experiment)
            self.failure.__cause__ = self._core.cause

    def _measured(self) -> _core.Result:
        if self.failure is not None:
            raise self.failure
        return self._core

    @property
    def time_ps(self) -> int:
        """Of the last rank, in picoseconds."""
        return self._measured().time_ps

    @property
    def time(self) -> float:
        """The same in seconds."""
        return self.time_ps * 1e-12

    @property
    def returned(self) -> list[Any]:
        """What each rank's function returned."""
        return self._measured().returned

    @property
    def ranks(self) -> Array:
        """A structured array with a row for each rank."""
        return self._measured().ranks()

    @property
    def rounds(self) -> Array:
        """A structured array with a row for each round."""
        return self._measured().rounds()

    @property
    def messages(self) -> int:
        """How many all ranks sent."""
        return int(self.ranks["messages"].sum())

    @property
    def timeline(self) -> Timeline:
        """What happened, of a run with timeline=True."""
        return Timeline(self._measured())


def _written(run: _core.Run, suffix: str, flags: dict[str, str | None]) -> str:
    """A text that C++ writes to a file: that of the flag without a value."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "it" + suffix)
        run.write({flag: path if value is None else value for flag, value in flags.items()})
        with open(path, encoding="utf-8") as file:
            return file.read()


def save_text(path: PathLike, text: str) -> None:
    """Writes a file; raises OutputError where it cannot be."""
    try:
        with open(path_of(path), "w", encoding="utf-8") as file:
            file.write(text)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise OutputError(f"{path_of(path)}: cannot be written: {getattr(error, 'strerror', None) or error}") from None


class Svg:
    """A picture, which a notebook shows."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _repr_svg_(self) -> str:
        return self.text[self.text.index("<svg"):]  # within a page there is no XML declaration, and nbconvert refuses one

    def _repr_html_(self) -> str:
        """For pages made of a notebook: nbconvert takes what an SVG within a page is made of for unsafe, and leaves it out."""
        data = base64.b64encode(self.text.encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{data}" style="max-width:100%">'

    def save(self, path: PathLike) -> None:
        """As it is."""
        save_text(path, self.text)


class Page:
    """A page for a browser, with all that it shows in it. A notebook shows it in a frame."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.text)}" width="100%" height="700" style="border:0"></iframe>'

    def save(self, path: PathLike) -> None:
        """As it is."""
        save_text(path, self.text)


class Results:
    """What came of a run's algorithms, in their order; by name, too, or by name and model. Printed, it is the command's table."""

    def __init__(self, run: _core.Run, again: Again) -> None:
        self._run = run
        self._all = [Result(run, core, again.under(core.model)) for core in run.results]
        self.experiment = again.experiment
        self.left_out = dict(run.left_out)

    @property
    def best(self) -> Result:
        """The right one that took least time, of several the first."""
        right = [result for result in self._all if result.passed]
        if not right:
            raise UsageError("best: no algorithm's result is right" if self._all else "best: no algorithm has run")
        return min(right, key=lambda result: result.time_ps)

    @property
    def failures(self) -> list[CheckError]:
        """The errors of those whose result is wrong."""
        return [result.failure for result in self._all if result.failure is not None]

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `heddle run --json`."""
        return dict(json.loads(self._run.json()))

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each algorithm, with columns as the JSON names them."""
        import pandas

        rows = []
        for result in self._all:
            row = {key: value for key, value in result.to_dict().items() if not isinstance(value, (list, dict))}
            row["error"] = None if result.failure is None else result.failure.kind
            rows.append(row)
        return pandas.DataFrame(rows)

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._all)

    @overload
    def __getitem__(self, name: int | str | tuple[str, str]) -> Result: ...

    @overload
    def __getitem__(self, name: slice) -> list[Result]: ...

    def __getitem__(self, name: int | str | tuple[str, str] | slice) -> Result | list[Result]:
        if isinstance(name, (int, slice)):
            return self._all[name]
        for result in self._all:
            if name in (result.algorithm, (result.algorithm, result.model)):
                return result
        if isinstance(name, str) and name in self.left_out:
            raise KeyError(f"{name} was left out: {self.left_out[name]}")
        raise KeyError(_core.unknown_name("result", str(name), [result.algorithm for result in self._all]))

    def __str__(self) -> str:
        return self._run.table().rstrip("\n")

    def __repr__(self) -> str:
        return f"<heddle.Results of {', '.join(result.algorithm for result in self._all)}>"

    def _repr_html_(self) -> str:
        columns = ("algorithm", "time_s", "algbw_Bps", "busbw_Bps", "rounds", "messages")
        head = "".join(f"<th>{column}</th>" for column in columns)
        lines = []
        for result in self._all:
            cells = [result.algorithm] + [result.to_dict().get(column, "") for column in columns[1:]]
            if result.failure is not None:
                cells[1] = result.failure.kind
            lines.append("<tr>" + "".join(f"<td>{html.escape(_cell(cell))}</td>" for cell in cells) + "</tr>")
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _float_or_none(value: Any) -> float | None:
    return None if value is None else float(value)


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else "" if value is None else str(value)
