# SPDX-License-Identifier: Apache-2.0
"""mpi4py's names on heddle's ranks, for programs that are plain functions. docs/python.md says what is served.

    from heddle.mpi4py import MPI, program   # in place of: from mpi4py import MPI

    def main(comm): ...                      # or main(), which uses MPI.COMM_WORLD

    heddle.emulate(program(main), topology="star:4")
"""
from __future__ import annotations

import functools
import inspect
import operator
import pickle
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import numpy as np

from heddle import _core
from heddle.errors import UsageError

_here = threading.local()  # .world: the Comm of the rank whose thread this is


def program(main: Callable[..., Any]) -> Callable[[_core.Communicator], Any]:
    """What heddle.emulate runs: `main` on each rank, with MPI.COMM_WORLD as its argument if it takes one."""
    takes_world = bool(inspect.signature(main).parameters)

    @functools.wraps(main)
    def rank(comm: _core.Communicator) -> Any:
        _here.world = Comm(comm)
        return main(_here.world) if takes_world else main()

    return rank


def _said_of(what: str) -> str:
    return f"{what}: heddle does not serve it; docs/python.md says what it serves of mpi4py"


def _missing(what: str) -> AttributeError:
    return AttributeError(_said_of(what))


class Op:
    """One of MPI's operations: of arrays, and of any objects."""

    def __init__(self, name: str, of_arrays: _core.ReduceOp | str, of_objects: Callable[[Any, Any], Any]) -> None:
        self.name = name
        self.of_arrays = of_arrays
        self.of_objects = of_objects

    @classmethod
    def Create(cls, function: Callable[[Any, Any, Any], Any], commute: bool = False) -> Op:
        """Of function(in, inout, datatype), which combines arrays of numpy in place. The datatype is None."""
        def combine(a: Any, b: Any) -> Any:
            inout = np.copy(b)
            function(a, inout, None)
            return inout

        name = getattr(function, "__name__", "of_one's_own")
        return cls(name, _core.ReduceOp(name, combine, commutative=commute), combine)

    def Free(self) -> None:
        """Nothing is left to do."""

    def __repr__(self) -> str:
        return f"<heddle.mpi4py op {self.name}>"


class Datatype:
    """One of MPI's types in a buffer's list. The array says what its elements are, and has to agree."""

    def __init__(self, name: str, dtype: str) -> None:
        self.name = name
        self.dtype: np.dtype[Any] = np.dtype(dtype)


class Status:
    """What was received. Wait and Recv fill it in."""

    def __init__(self) -> None:
        self._peer, self._tag, self._bytes = -1, -1, 0

    def _fill(self, core: _core.Status, size: int) -> None:
        self._peer, self._tag, self._bytes = core.peer, core.tag, core.count * size

    def Get_source(self) -> int:
        """The sender."""
        return self._peer

    def Get_tag(self) -> int:
        """The message's."""
        return self._tag

    def Get_count(self, datatype: Datatype | None = None) -> int:
        """In elements of a type, or in bytes."""
        return self._bytes // (1 if datatype is None else datatype.dtype.itemsize)

    source = property(Get_source)
    tag = property(Get_tag)
    count = property(Get_count)


class Request:
    """A message under way, or none."""

    def __init__(self, comm: _core.Communicator, core: _core.Operation | None, size: int = 1, pickled: Any = None) -> None:
        self._comm = comm
        self._core = core
        self._size = size  # of an element
        self._pickled = pickled  # where an object comes

    def Wait(self, status: Status | None = None) -> bool:
        """Blocks until it has completed."""
        if self._core is not None:
            made = self._comm.wait(self._core)
            self._core = None
            if status is not None:
                status._fill(made, self._size)
        return True

    def wait(self, status: Status | None = None) -> Any:
        """The same. Returns the object that irecv() receives."""
        self.Wait(status)
        return None if self._pickled is None else pickle.loads(self._pickled.tobytes())

    @staticmethod
    def Waitall(requests: Iterable[Request]) -> bool:
        """Blocks until all have completed."""
        return all([one.Wait() for one in requests])

    @staticmethod
    def waitall(requests: Iterable[Request]) -> list[Any]:
        """The same. Returns what wait() returns of each."""
        return [one.wait() for one in requests]

    def __getattr__(self, name: str) -> Any:
        raise _missing(f"Request.{name}")


class _Buffer:
    """An array, or mpi4py's list: [array, type], [array, count, type], [array, counts, displacements, type]."""

    def __init__(self, given: Any) -> None:
        self.counts: list[int] | None = None
        self.displacements: list[int] | None = None
        array, rest = given, []
        if isinstance(given, (list, tuple)):
            array, rest = given[0], [part for part in given[1:] if part is not None]
        if len(rest) == 1 and isinstance(rest[0], tuple):  # (counts, displacements)
            rest = list(rest[0])
        if isinstance(array, (bytes, bytearray, memoryview)):
            array = np.frombuffer(array, np.uint8)
        if not isinstance(array, np.ndarray):
            raise UsageError(f"a buffer is an array of numpy, or a list with one; this is of type {type(array).__name__}; "
                             "names in lower case take any object")
        if rest and isinstance(rest[-1], (Datatype, str)):
            named = rest.pop()
            dtype = named.dtype if isinstance(named, Datatype) else np.dtype(named)
            if dtype.itemsize != array.dtype.itemsize:
                raise UsageError(f"a buffer of {array.dtype} is said to be of {dtype}")
        flat = array.reshape(-1) if array.flags.c_contiguous else array
        if rest and isinstance(rest[0], (int, np.integer)):
            flat = flat[:int(rest[0])]
        elif rest:
            self.counts = [int(count) for count in rest[0]]
            if len(rest) > 1:
                self.displacements = [int(at) for at in rest[1]]
        self.array = flat

    def packed(self) -> Any:
        """Its blocks one behind the other: the array itself where they lie so."""
        assert self.counts is not None
        if self.lies_packed():
            return self.array[:sum(self.counts)]
        blocks = zip(self.displacements or [], self.counts)
        return np.concatenate([self.array[:0]] + [self.array[at:at + count] for at, count in blocks])

    def lies_packed(self) -> bool:
        """Whether the blocks lie one behind the other."""
        ends = np.cumsum([0] + (self.counts or []))[:-1].tolist()
        return self.displacements is None or self.displacements == ends

    def unpack(self, packed: Any) -> None:
        """Puts blocks to where they belong."""
        if self.lies_packed():
            return
        begin = 0
        for at, count in zip(self.displacements or [], self.counts or []):
            self.array[at:at + count] = packed[begin:begin + count]
            begin += count


def _array(given: Any) -> Any:
    return None if given is None or given is MPI.IN_PLACE else _Buffer(given).array


def _bytes_of(objects: Iterable[Any]) -> tuple[Any, list[int]]:
    """Pickled, one behind the other, and how many bytes each takes."""
    texts = [pickle.dumps(one) for one in objects]
    return np.frombuffer(bytearray(b"".join(texts)), np.uint8), [len(text) for text in texts]


def _objects_of(array: Any, counts: Sequence[int]) -> list[Any]:
    ends = np.cumsum(counts).tolist()
    return [pickle.loads(array[end - count:end].tobytes()) for end, count in zip(ends, counts)]


class Comm:
    """A communicator with mpi4py's names, over heddle's of a plain function.

    Names in upper case take arrays, and names in lower case pickle any object. Collectives run by heddle's algorithms.
    """

    def __init__(self, comm: _core.Communicator) -> None:
        self._heddle = comm

    # ---- who ----

    def Get_rank(self) -> int:
        """This rank."""
        return self._heddle.rank

    def Get_size(self) -> int:
        """How many ranks there are."""
        return self._heddle.size

    rank = property(Get_rank)
    size = property(Get_size)

    def Split(self, color: int = 0, key: int = 0) -> Comm | None:
        """A communicator of those with this color; None (MPI.COMM_NULL) for MPI.UNDEFINED."""
        made = self._heddle.split(-1 if color == MPI.UNDEFINED else color, key)
        return None if made is None else Comm(made)

    def Dup(self) -> Comm:
        """Another one of the same ranks."""
        return Comm(self._heddle.split(0, self._heddle.rank))

    def Free(self) -> None:
        """Nothing is left to do."""

    def Abort(self, errorcode: int = 0) -> NoReturn:
        """Fails the run."""
        raise UsageError(f"Abort({errorcode})")

    # ---- messages ----

    def Send(self, buf: Any, dest: int, tag: int = 0) -> None:
        """Returns when the buffer may change."""
        if dest != MPI.PROC_NULL:
            self._heddle.send(dest, _array(buf), tag)

    def Recv(self, buf: Any, source: int = -1, tag: int | None = None, status: Status | None = None) -> None:
        """Receives into an array."""
        self.Irecv(buf, source, tag).Wait(status)

    def Isend(self, buf: Any, dest: int, tag: int = 0) -> Request:
        """Returns at once: a Request."""
        return Request(self._heddle, None if dest == MPI.PROC_NULL else self._heddle.isend(dest, _array(buf), tag))

    def Irecv(self, buf: Any, source: int = -1, tag: int | None = None) -> Request:
        """Returns at once: a Request."""
        if source == MPI.PROC_NULL:
            return Request(self._heddle, None)
        array = _array(buf)
        return Request(self._heddle, self._heddle.irecv(source, array, _tag(tag)), array.dtype.itemsize)

    def Sendrecv(self, sendbuf: Any, dest: int, sendtag: int = 0, recvbuf: Any = None, source: int = -1,
                 recvtag: int | None = None, status: Status | None = None) -> None:
        """Both at once."""
        arrives = self.Irecv(recvbuf, source, recvtag)
        leaves = self.Isend(sendbuf, dest, sendtag)
        leaves.Wait()
        arrives.Wait(status)

    def send(self, obj: Any, dest: int, tag: int = 0) -> None:
        """Of any object."""
        self.isend(obj, dest, tag).Wait()

    def isend(self, obj: Any, dest: int, tag: int = 0) -> Request:
        """Of any object; returns at once."""
        return self.Isend(_bytes_of([obj])[0], dest, tag)

    def recv(self, buf: Any = None, source: int = -1, tag: int | None = None, status: Status | None = None) -> Any:
        """The object that comes."""
        if source == MPI.PROC_NULL:
            return None
        found = self._heddle.probe(source, _tag(tag))
        return self.irecv(np.empty(found.count, np.uint8), found.peer, found.tag).wait(status)

    def irecv(self, buf: Any = None, source: int = -1, tag: int | None = None) -> Request:
        """Returns at once. The object takes 32 KiB at most, as in mpi4py, unless `buf` is as long as it needs."""
        room = np.empty(32768 if buf is None else buf, np.uint8) if buf is None or isinstance(buf, int) else _array(buf)
        if source == MPI.PROC_NULL:
            return Request(self._heddle, None)
        return Request(self._heddle, self._heddle.irecv(source, room, _tag(tag)), 1, room)

    def sendrecv(self, sendobj: Any, dest: int, sendtag: int = 0, recvbuf: Any = None, source: int = -1,
                 recvtag: int | None = None, status: Status | None = None) -> Any:
        """Both at once, of any objects."""
        leaves = self.isend(sendobj, dest, sendtag)
        arrived = self.recv(recvbuf, source, recvtag, status)
        leaves.Wait()
        return arrived

    # ---- collectives of arrays ----

    def Barrier(self) -> None:
        """Returns when all have called it."""
        self._heddle.call("barrier")

    barrier = Barrier

    def Bcast(self, buf: Any, root: int = 0) -> None:
        """The root's array to all."""
        self._heddle.call("broadcast", _array(buf), root=root)

    def Reduce(self, sendbuf: Any, recvbuf: Any, op: Op | None = None, root: int = 0) -> None:
        """All arrays combined, at the root."""
        into = _array(recvbuf) if self.rank == root else None
        self._heddle.call("reduce", into, _array(sendbuf), op=_op(op), root=root)

    def Allreduce(self, sendbuf: Any, recvbuf: Any, op: Op | None = None) -> None:
        """All arrays combined, everywhere."""
        self._heddle.call("allreduce", _array(recvbuf), _array(sendbuf), op=_op(op))

    def Reduce_scatter_block(self, sendbuf: Any, recvbuf: Any, op: Op | None = None) -> None:
        """All arrays combined, a block to each rank."""
        self.Reduce_scatter(sendbuf, recvbuf, None, op)

    def Reduce_scatter(self, sendbuf: Any, recvbuf: Any, recvcounts: Sequence[int] | None = None, op: Op | None = None) -> None:
        """All arrays combined, to each rank a block of so many elements."""
        if sendbuf is MPI.IN_PLACE:
            raise UsageError(_said_of("Reduce_scatter with MPI.IN_PLACE"))
        counts = None if recvcounts is None else [int(count) for count in recvcounts]
        self._heddle.call("reduce_scatter", _array(recvbuf), _array(sendbuf), op=_op(op), counts=counts)

    def Gather(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> None:
        """Equal blocks to the root."""
        into = _array(recvbuf) if self.rank == root else None
        self._heddle.call("gather", into, _array(sendbuf), root=root)

    def Scatter(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> None:
        """Equal blocks from the root."""
        data = _array(sendbuf) if self.rank == root else None
        self._heddle.call("scatter", _array(recvbuf), data, root=root)

    def Allgather(self, sendbuf: Any, recvbuf: Any) -> None:
        """Equal blocks to all."""
        self._heddle.call("allgather", _array(recvbuf), _array(sendbuf))

    def Allgatherv(self, sendbuf: Any, recvbuf: Any) -> None:
        """Blocks to all: recvbuf is [array, counts] or [array, counts, displacements, type]."""
        into = self._blocks("Allgatherv", recvbuf)
        made = into.packed()
        if sendbuf is MPI.IN_PLACE and not into.lies_packed():
            raise UsageError(_said_of("Allgatherv with MPI.IN_PLACE and displacements"))
        self._heddle.call("allgather", made, _array(sendbuf), counts=into.counts)
        into.unpack(made)

    def Alltoall(self, sendbuf: Any, recvbuf: Any) -> None:
        """An equal block from each to each."""
        self._heddle.call("alltoall", _array(recvbuf), _array(sendbuf))

    def Alltoallv(self, sendbuf: Any, recvbuf: Any) -> None:
        """A block from each to each, with counts on both sides."""
        if sendbuf is MPI.IN_PLACE:
            raise UsageError(_said_of("Alltoallv with MPI.IN_PLACE"))
        data, into = self._blocks("Alltoallv", sendbuf), self._blocks("Alltoallv", recvbuf)
        made = into.packed()
        self._heddle.call("alltoall", made, data.packed(), counts=data.counts, received=into.counts)
        into.unpack(made)

    def _blocks(self, name: str, given: Any) -> _Buffer:
        buffer = _Buffer(given)
        if buffer.counts is None:
            raise UsageError(f"{name}: [array, counts] says how many elements each rank has")
        return buffer

    # ---- collectives of any objects ----

    def bcast(self, obj: Any, root: int = 0) -> Any:
        """The root's object to all: its length, and then its bytes."""
        data = _bytes_of([obj])[0] if self.rank == root else None
        length = np.array([0 if data is None else len(data)])
        self._heddle.call("broadcast", length, root=root)
        if data is None:
            data = np.empty(int(length[0]), np.uint8)
        self._heddle.call("broadcast", data, root=root)
        return obj if self.rank == root else pickle.loads(data.tobytes())

    def _lengths(self, own: int) -> list[int]:
        lengths = np.empty(self.size, np.int64)
        self._heddle.call("allgather", lengths, np.array([own]))
        return [int(length) for length in lengths]

    def gather(self, sendobj: Any, root: int = 0) -> list[Any] | None:
        """All objects, in the order of ranks, at the root: lengths to all, and then the bytes."""
        data, _ = _bytes_of([sendobj])
        counts = self._lengths(len(data))
        into = np.empty(sum(counts), np.uint8) if self.rank == root else None
        self._heddle.call("gather", into, data, root=root, counts=counts)
        return None if into is None else _objects_of(into, counts)

    def scatter(self, sendobj: Sequence[Any] | None, root: int = 0) -> Any:
        """One of the root's objects to each: lengths to all, and then the bytes."""
        data, lengths = None, np.empty(self.size, np.int64)
        if self.rank == root:
            if sendobj is None or len(sendobj) != self.size:
                raise UsageError(f"scatter: the root has one object for each of {self.size} ranks")
            data, counts = _bytes_of(sendobj)
            lengths[:] = counts
        self._heddle.call("broadcast", lengths, root=root)
        into = np.empty(int(lengths[self.rank]), np.uint8)
        self._heddle.call("scatter", into, data, root=root, counts=[int(length) for length in lengths])
        return pickle.loads(into.tobytes())

    def allgather(self, sendobj: Any) -> list[Any]:
        """All objects, in the order of ranks, everywhere."""
        data, _ = _bytes_of([sendobj])
        counts = self._lengths(len(data))
        into = np.empty(sum(counts), np.uint8)
        self._heddle.call("allgather", into, data, counts=counts)
        return _objects_of(into, counts)

    def alltoall(self, sendobj: Sequence[Any]) -> list[Any]:
        """One object from each to each."""
        if len(sendobj) != self.size:
            raise UsageError(f"alltoall: one object for each of {self.size} ranks")
        data, lengths = _bytes_of(sendobj)
        counts = np.empty(self.size, np.int64)
        self._heddle.call("alltoall", counts, np.array(lengths))
        into = np.empty(int(counts.sum()), np.uint8)
        self._heddle.call("alltoall", into, data, counts=lengths, received=[int(count) for count in counts])
        return _objects_of(into, counts.tolist())

    def reduce(self, sendobj: Any, op: Op | None = None, root: int = 0) -> Any:
        """All objects combined in the order of ranks, at the root, which gathers them."""
        gathered = self.gather(sendobj, root)
        return None if gathered is None else functools.reduce((op or MPI.SUM).of_objects, gathered)

    def allreduce(self, sendobj: Any, op: Op | None = None) -> Any:
        """The same, everywhere."""
        return functools.reduce((op or MPI.SUM).of_objects, self.allgather(sendobj))

    def __getattr__(self, name: str) -> Any:
        raise _missing(f"Comm.{name}")


class _World(Comm):
    """MPI.COMM_WORLD: of whichever rank asks."""

    def __init__(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name != "_heddle":
            return super().__getattr__(name)
        world: Comm | None = getattr(_here, "world", None)
        if world is None:
            raise UsageError("MPI.COMM_WORLD: no rank runs here; heddle.emulate(heddle.mpi4py.program(main), topology=…) runs some")
        return world._heddle


def _tag(tag: int | None) -> int:
    return MPI.ANY_TAG if tag is None else tag


def _op(op: Op | None) -> _core.ReduceOp | str:
    return (op or MPI.SUM).of_arrays


class _MPI:
    """What `from mpi4py import MPI` has, as far as heddle serves it."""

    ANY_SOURCE = -1
    ANY_TAG = -2**31
    PROC_NULL = -2
    UNDEFINED = -32766
    IN_PLACE = object()
    COMM_NULL = None
    COMM_WORLD: Comm = _World()
    Comm = Comm
    Intracomm = Comm
    Op = Op
    Request = Request
    Status = Status
    SUM = Op("SUM", "sum", operator.add)
    PROD = Op("PROD", "prod", operator.mul)
    MIN = Op("MIN", "min", min)
    MAX = Op("MAX", "max", max)
    BAND = Op("BAND", "band", operator.and_)
    BOR = Op("BOR", "bor", operator.or_)
    BXOR = Op("BXOR", "bxor", operator.xor)
    BYTE = Datatype("BYTE", "u1")
    CHAR = Datatype("CHAR", "S1")
    INT = INT32_T = Datatype("INT", "i4")
    LONG = LONG_LONG = INT64_T = Datatype("LONG", "i8")
    UINT32_T = UNSIGNED = Datatype("UINT32_T", "u4")
    UINT64_T = UNSIGNED_LONG = Datatype("UINT64_T", "u8")
    FLOAT = Datatype("FLOAT", "f4")
    DOUBLE = Datatype("DOUBLE", "f8")

    @staticmethod
    def Wtime() -> float:
        """The time on the run's clock, in seconds."""
        return float(MPI.COMM_WORLD._heddle.now())

    def __getattr__(self, name: str) -> Any:
        raise _missing(f"MPI.{name}")


MPI = _MPI()
