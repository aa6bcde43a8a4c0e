# SPDX-License-Identifier: Apache-2.0
"""Schedules as values: written by hand, read from MSCCL's XML, or recorded from a run. They stand wherever an algorithm does."""
from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple, Optional, TypeVar

from heddle import _core
from heddle._core import Row
from heddle._core import Schedule as CoreSchedule
from heddle._core import ScheduleBuilder
from heddle.errors import Deadlock, InputError, RankMisused, WrongResult
from heddle.experiment import Experiment, PathLike, Value
from heddle.ranks import OwnAlgorithm, names_of, rows_of

_Made = TypeVar("_Made")


class Step(NamedTuple):
    """`kind` is MSCCL's: s, r, cpy, re, rrc, rrs, rcs, rrcs or nop. `source` and `target` are (buffer, index) or None.
    `after`: (thread, step) that it waits for, or None."""

    kind: str
    source: Optional[tuple[str, int]]
    target: Optional[tuple[str, int]]
    chunks: int
    after: Optional[tuple[int, int]]


class Thread(NamedTuple):
    """A thread block: it does its steps in order, and sends to one rank and receives from one; None: it does not."""

    id: int
    send_to: Optional[int]
    receive_from: Optional[int]
    channel: int
    steps: list[Step]


class Rank(NamedTuple):
    """What one rank does: chunks of scratch that it needs, and its threads."""

    scratch: int
    threads: list[Thread]


def _where() -> str:
    """The caller's line, outside of this package: "mine.py:12"."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "heddle":
        frame = frame.f_back
    return "" if frame is None else f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


def _at_line(function: Callable[..., _Made], *arguments: Any) -> _Made:
    """Calls it; what is wrong is said with the caller's line."""
    try:
        return function(*arguments)
    except InputError as error:
        raise InputError(f"{_where()}: {error}") from None


class Chunk:
    """Chunks side by side on one rank, as they are now. It is of no use once something else is written there."""

    __slots__ = ("_ref", "_schedule")

    def __init__(self, ref: _core.ChunkRef, schedule: Schedule) -> None:
        self._ref = ref
        self._schedule = schedule

    @property
    def rank(self) -> int:
        """Where they are."""
        return self._ref.rank

    @property
    def buffer(self) -> str:
        """"input", "output" or "scratch"."""
        return self._ref.buffer

    @property
    def index(self) -> int:
        """Of the first, in its buffer."""
        return self._ref.index

    @property
    def count(self) -> int:
        """How many."""
        return self._ref.count

    def copy(self, rank: int, buffer: str, index: int, *, ch: int = -1, send_tb: int = -1, recv_tb: int = -1) -> Chunk:
        """Puts them there, too, and returns what is there then. `ch`, `send_tb` and `recv_tb` choose a channel and threads."""
        return self._next(self._ref.copy, rank, buffer, index, ch, send_tb, recv_tb)

    def reduce(self, other: Chunk, *, ch: int = -1, send_tb: int = -1, recv_tb: int = -1) -> Chunk:
        """Adds other chunks to these, which stay where they are, and returns the sum."""
        if not isinstance(other, Chunk):
            raise InputError(f"{_where()}: {other!r}: not a chunk; what chunk(), copy() or reduce() returned is right")
        return self._next(self._ref.reduce, other._ref, ch, send_tb, recv_tb)

    def _next(self, make: Callable[..., _core.ChunkRef], *arguments: Any) -> Chunk:
        made = Chunk(_at_line(make, *arguments, _where()), self._schedule)
        self._schedule._core = None
        return made

    def __repr__(self) -> str:
        last = f"..{self.index + self.count - 1}" if self.count > 1 else ""
        return f"<heddle chunk {self.buffer[0]}[{self.index}{last}] of rank {self.rank}>"


class Schedule(OwnAlgorithm):
    """A collective as a schedule: chunks that are copied and reduced, one after the other, as in MSCCL's language.

    Threads, channels and dependencies follow from what is done to which chunk. `chunks` is of the whole vector. `in_place`:
    whether input and output are one vector (all but alltoall, unless it is said). `instances`: so many side by side, each on
    a part of every chunk. `slots`: so many messages of a channel may be under way; where that locks up, steps are taken
    apart. `fuse=False` always takes them apart.

    >>> s = Schedule("broadcast", ranks=3, chunks=1)
    >>> part = s.chunk(0, "input", 0)
    >>> for rank in 1, 2:
    ...     part = part.copy(rank, "input", 0)
    >>> s.check(slots=1)
    >>> s.messages, s.ranks[1].threads[0].steps[0].kind
    (2, 'rcs')
    """

    _builder: ScheduleBuilder | None  # None: it was read or recorded, and does not change
    _core: CoreSchedule | None  # None: it is not built, or something was written since

    def __init__(self, collective: str, *, ranks: int, chunks: int, in_place: bool | None = None, root: int = 0,
                 name: str = "schedule", instances: int = 1, slots: int = 1, fuse: bool = True) -> None:
        self._builder = _at_line(_core.ScheduleBuilder, name, collective, ranks, chunks, in_place, root)
        self._choice = (bool(fuse), slots, instances)
        self._core = None
        self.collective = collective
        self.name = _own_name(name)

    @classmethod
    def _of(cls, core: CoreSchedule, name: str) -> Schedule:
        made = object.__new__(cls)
        made._builder = None
        made._core = core
        made.collective = core.collective
        made.name = name
        return made

    @classmethod
    def load(cls, path: PathLike, *, collective: str | None = None) -> Schedule:
        """Reads MSCCL's XML. `collective`: what a file that does not say is for. Results call it
        msccl:PATH, as the command does."""
        path = os.fspath(path)
        return cls._of(_core.Schedule.read_file(path, collective), "msccl:" + path)

    @classmethod
    def from_msccl(cls, text: str, *, name: str | None = None, collective: str | None = None) -> Schedule:
        """Reads MSCCL's XML from a text, as msccl-tools and TACCL write it. `name`: the text's own unless it is said."""
        core = _core.Schedule.read(text, "msccl", collective)
        return cls._of(core, _own_name(re.sub(r"[^\w.-]", "_", core.name) if name is None else name))

    @classmethod
    def record(cls, algorithm: str | OwnAlgorithm, collective: str = "allreduce", **keywords: Value) -> Schedule:
        """What the ranks of an algorithm did, in a checked run of it. The keywords are those of run().

        >>> Schedule.record("swing_bandwidth", topology="torus:4x4").messages
        512
        """
        of = algorithm.collective if isinstance(algorithm, OwnAlgorithm) else collective
        experiment = Experiment(of, algorithm=names_of(algorithm), **keywords)
        core = _core.Schedule.record(experiment._core, rows_of(algorithm))
        return cls._of(core, _own_name(re.sub(r"[^\w.-]", "_", f"{names_of(algorithm)}_recorded")))

    def chunk(self, rank: int, buffer: str, index: int, count: int = 1) -> Chunk:
        """What is in a rank's "input", "output" or "scratch" now: a heddle.schedules.Chunk."""
        if self._builder is None:
            raise InputError(f"{_where()}: the schedule {self.name} was read, and does not change")
        return Chunk(_at_line(self._builder.chunk, rank, buffer, index, count), self)

    def _made(self) -> CoreSchedule:
        """As C++ has it: of what was written so far."""
        if self._core is None:
            assert self._builder is not None  # what was read has a _core from the first
            self._core = self._builder.build(*self._choice)
        return self._core

    @property
    def _row(self) -> Row:
        return self._made().row(self.name)

    def check(self, slots: int | None = None) -> None:
        """Raises a CheckError if a call of it would fail, without a run: Deadlock where its threads wait for each other for ever
        with so many slots for each channel (None: any number), RankMisused for a race, and WrongResult for what its chunks hold
        in the end.
        """
        core = self._made()
        stuck = core.stuck(slots)
        if stuck:
            raise Deadlock(stuck, algorithm=self.name)
        for in_place in (True, False):
            race = core.race(in_place)
            if race:
                raise RankMisused(f"a race: {race}", algorithm=self.name)
            wrong = core.contents(in_place)
            if wrong:
                raise WrongResult(wrong, algorithm=self.name)
            if not core.is_looked_through(in_place):
                raise InputError(f"{self.name}: too large to be checked without a run; heddle.run checks it with one")

    @property
    def serves(self) -> int:
        """How many ranks it has, and no other number."""
        return self._made().size

    @property
    def messages(self) -> int:
        """How many all ranks send to others."""
        return self._made().messages

    @property
    def ranks(self) -> list[Rank]:
        """What each rank does, as plain values: a list of heddle.schedules.Rank."""
        return [Rank(scratch, [Thread(number, to, source, channel, [Step(*step) for step in steps])
                               for number, to, source, channel, steps in threads])
                for scratch, threads in self._made().ranks()]

    @property
    def chunks(self) -> int:
        """Of the whole vector."""
        return self._made().chunks

    @property
    def least_slots(self) -> int | None:
        """So many messages of a channel must fit; 0: sends may wait for their receives. None: it locks up with any number."""
        return self._made().least_slots

    def to_msccl(self) -> str:
        """MSCCL's XML."""
        return self._made().xml()

    def to_goal(self, size: Value = None, dtype: Value = "i32", gamma: float = 0.0) -> str:
        """GOAL, which LogGOPSim and others simulate, of a call of this size. None: an element in each chunk. `gamma`: seconds of
        local work for each byte."""
        return self._made().goal(Experiment(self.collective, size=size, dtype=dtype)._core, float(gamma))

    def save(self, path: PathLike) -> None:
        """Writes MSCCL's XML."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_msccl())

    def __repr__(self) -> str:
        return f"<heddle.Schedule {self.collective} {self.name}>"


def _own_name(name: str) -> str:
    """What stands where the command has an algorithm's name."""
    if not isinstance(name, str) or not re.fullmatch(r"[\w.-]+", name):
        raise InputError(f"name={name!r}: a schedule's name has letters, digits, '_', '-' and '.'; try \"my_ring\"")
    return name
