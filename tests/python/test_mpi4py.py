# SPDX-License-Identifier: Apache-2.0
"""Programs written for mpi4py: their names on heddle's ranks."""
import math

import numpy as np
import pytest

import heddle
from heddle.mpi4py import MPI, Comm, program


def run(main, ranks=4):
    return heddle.emulate(program(main), topology=f"star:{ranks}")


def test_messages_of_arrays():
    def main(comm):
        rank, size = comm.Get_rank(), comm.Get_size()
        right, left = (rank + 1) % size, (rank - 1) % size
        mine, got = np.full(3, rank, "i4"), np.empty(3, "i4")
        comm.Sendrecv(mine, right, 5, got, left, 5)
        assert (got == left).all()
        status = MPI.Status()
        requests = [comm.Irecv([got, MPI.INT]), comm.Isend([mine, 2, MPI.INT], dest=left, tag=7)]
        requests[0].Wait(status)
        MPI.Request.Waitall(requests)
        assert (status.Get_source(), status.Get_tag(), status.Get_count(MPI.INT)) == (right, 7, 2)
        if rank == 0:
            comm.Send(mine, dest=1)
        elif rank == 1:
            comm.Recv(got, source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG)
            assert (got == 0).all()
        comm.Send(mine, MPI.PROC_NULL)
        comm.Recv(got, MPI.PROC_NULL)
        before = MPI.Wtime()
        comm.Barrier()
        return MPI.Wtime() > before

    assert run(main).returned == [True] * 4


def test_collectives_of_arrays_are_numpys():
    def main(comm):
        rank, size = comm.rank, comm.size
        all_of_them = np.arange(size * 2 * size).reshape(size, 2 * size) ** 2
        mine = all_of_them[rank]
        total, block, whole = np.empty_like(mine), np.empty(2, mine.dtype), np.empty(2 * size, mine.dtype)
        comm.Allreduce(mine, total, op=MPI.SUM)
        assert (total == all_of_them.sum(axis=0)).all()
        comm.Allreduce(MPI.IN_PLACE, total, MPI.MAX)
        assert (total == all_of_them.sum(axis=0)).all()
        comm.Reduce([mine, MPI.LONG], [total, MPI.LONG] if rank == 1 else None, op=MPI.MAX, root=1)
        assert rank != 1 or (total == all_of_them.max(axis=0)).all()
        comm.Reduce_scatter_block(mine, block, op=MPI.MIN)
        assert (block == all_of_them.min(axis=0)[2 * rank:2 * rank + 2]).all()
        comm.Bcast(mine if rank == 2 else whole, root=2)
        assert rank == 2 or (whole == all_of_them[2]).all()
        comm.Allgather(mine[:2], whole)
        assert (whole == all_of_them[:, :2].reshape(-1)).all()
        comm.Gather(mine[:2], whole if rank == 0 else None, root=0)
        comm.Scatter(all_of_them[3] if rank == 3 else None, block, root=3)
        assert (block == all_of_them[3][2 * rank:2 * rank + 2]).all()
        comm.Alltoall(mine, whole)
        assert (whole == all_of_them[:, 2 * rank:2 * rank + 2].reshape(-1)).all()
        counts = list(range(1, size + 1))
        spread = np.full(20, -1, mine.dtype)
        comm.Allgatherv(mine[:rank + 1], [spread, counts, [5 * r for r in range(size)], MPI.LONG])
        assert all((spread[5 * r:5 * r + r + 1] == all_of_them[r, :r + 1]).all() and spread[5 * r + r + 1] == -1 for r in range(size - 1))
        into = np.empty(size * (rank + 1), mine.dtype)
        comm.Alltoallv([np.concatenate([mine[:r + 1] for r in range(size)]), counts], [into, [rank + 1] * size])
        assert (into == all_of_them[:, :rank + 1].reshape(-1)).all()

    assert run(main).messages > 0


def test_any_objects():
    def main(comm):
        rank, size = comm.rank, comm.size
        if rank == 0:
            comm.send({"a": [1, "x"]}, dest=1, tag=3)
        elif rank == 1:
            status = MPI.Status()
            assert comm.recv(source=0, tag=3, status=status) == {"a": [1, "x"]} and status.Get_source() == 0
        assert comm.sendrecv(rank, (rank + 1) % size, source=(rank - 1) % size) == (rank - 1) % size
        request = comm.isend("x" * rank, (rank + 1) % size)
        assert comm.irecv(source=(rank - 1) % size).wait() == "x" * ((rank - 1) % size)
        request.wait()
        assert comm.bcast("hello" if rank == 1 else None, root=1) == "hello"
        assert comm.scatter(["x" * i for i in range(size)] if rank == 0 else None) == "x" * rank
        assert comm.gather("x" * rank, root=2) == (["x" * i for i in range(size)] if rank == 2 else None)
        assert comm.allgather(rank) == list(range(size))
        assert comm.alltoall([(rank, i) for i in range(size)]) == [(i, rank) for i in range(size)]
        assert comm.reduce([rank], root=3) == (list(range(size)) if rank == 3 else None)
        assert comm.allreduce(rank + 1, op=MPI.PROD) == math.factorial(size)
        half = comm.Split(rank % 2, rank)
        assert comm.Split(MPI.UNDEFINED) is MPI.COMM_NULL
        return half.allreduce(rank), comm.Dup().size

    assert run(main).returned == [(2, 4), (4, 4), (2, 4), (4, 4)]


def test_the_world_without_an_argument():
    def main():
        comm = MPI.COMM_WORLD
        return comm.allreduce(comm.Get_rank())

    assert run(main, 3).returned == [3, 3, 3]
    with pytest.raises(heddle.UsageError, match="no rank runs here"):
        MPI.COMM_WORLD.Get_rank()


def test_an_operation_of_ones_own():
    def furthest(a, inout, datatype):
        inout[:] = np.where(abs(a) > abs(inout), a, inout)

    op = MPI.Op.Create(furthest, commute=False)

    def main(comm):
        got = np.empty(2)
        comm.Allreduce(np.array([comm.rank - 2.0, comm.rank]), got, op=op)
        return got.tolist()

    assert run(main).returned == [[-2, 3]] * 4


def test_a_collective_for_heddle_to_check():
    @heddle.collective("allreduce")
    def mine(comm, args):
        args.output[:] = args.input
        both = Comm(comm)
        total = np.empty_like(args.output)
        both.Reduce(args.output, total)
        both.Bcast(total)
        args.output[:] = total

    assert heddle.check(mine, ranks=[1, 3, 4], ops=["sum"]) > 10


@pytest.mark.parametrize("call, said", [
    (lambda comm: comm.Ssend(np.ones(1), 0), "Comm.Ssend: heddle does not serve it"),
    (lambda comm: MPI.LAND, "MPI.LAND: heddle does not serve it"),
    (lambda comm: comm.Isend(np.ones(1), comm.rank).Test(), "Request.Test: heddle does not serve it"),
    (lambda comm: comm.Send(3, 0), "a buffer is an array of numpy"),
    (lambda comm: comm.Allgatherv(np.ones(1), np.ones(4)), "how many elements each rank has"),
    (lambda comm: comm.Bcast([np.ones(4), MPI.INT]), "a buffer of float64 is said to be of int32"),
    (lambda comm: comm.Abort(3), r"Abort\(3\)"),
])
def test_what_is_not_served_says_so(call, said):
    with pytest.raises(heddle.CheckError, match=said):
        run(call)
