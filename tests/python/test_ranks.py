# SPDX-License-Identifier: Apache-2.0
"""Algorithms whose ranks run Python: the same as C++'s, and each mistake by its name."""
import asyncio
import gc
import pickle

import numpy as np
import pytest
from rings import async_ring, plain_ring, requests_ring

import heddle

RINGS = [async_ring, plain_ring, requests_ring]


@pytest.mark.parametrize("topology, size", [("torus:4x4", "1MiB"), ("star:5", 40), ("ring:3", 12)])
def test_a_ring_is_the_c_ring_to_the_picosecond(topology, size):
    results = heddle.run("allreduce", [*RINGS, "ring"], topology=topology, size=size, gamma="20ps")
    for result in results:
        assert result.time_ps == results["ring"].time_ps, result.algorithm
        assert result.messages_digest == results["ring"].messages_digest
        assert len(result.rounds) == len(results["ring"].rounds)
        assert (result.ranks == results["ring"].ranks).all()


@pytest.mark.parametrize("ring", RINGS)
def test_many_shapes_are_right(ring):
    assert heddle.check(ring, ranks=range(1, 7), dtypes=["i32", "f32"]) > 50
    assert heddle.check(ring, ranks=[4, 7], dtypes=["i64", "u32", "f16", "bf16", "f64"], counts=[33], in_place=False) == 10


@pytest.mark.parametrize("flags", [
    {"threads": "kernel"}, {"buffering": "sync"}, {"buffering": 1}, {"order_seed": 3}, {"explore": 1},
    {"fault": "rank:1,late=20us"}, {"groups": "4"}, {"model": "packets"}, {"calls": 5}])
def test_any_settings(flags):
    rings = [async_ring] if "explore" in flags else RINGS
    results = heddle.run("allreduce", [*rings, "ring"], topology="torus:4x2" if "groups" in flags else "star:4", size=400, **flags)
    assert {result.time_ps for result in results} == {results["ring"].time_ps}


def collective_of(body, **facts):
    return heddle.collective("allreduce", name="mine", **facts)(body)


def fails(body, error, topology="star:4", size=64, **keywords):
    with pytest.raises(error) as raised:
        heddle.run("allreduce", collective_of(body), topology=topology, size=size, **keywords)
    assert raised.value.experiment.topology == topology
    again = pickle.loads(pickle.dumps(raised.value))
    assert type(again) is type(raised.value) and str(again) == str(raised.value) and again.facts == raised.value.facts
    return raised.value


def test_a_forgotten_remainder_is_a_wrong_result():
    async def body(comm, args):
        short = len(args.output) // comm.size * comm.size
        await async_ring.function(comm, type("A", (), {
            "split": staticmethod(lambda p: np.array_split(args.output[:short], p)), "op": args.op, "in_place": True})())

    error = fails(body, heddle.WrongResult, size=4 * 7)
    assert (error.rank, error.element) == (0, 4)
    assert error.missing == [1, 2, 3]
    assert isinstance(error.got, int) and isinstance(error.expected, int) and error.got != error.expected


def test_what_a_rank_raised_is_the_cause():
    async def body(comm, args):
        if comm.rank == 3:
            raise ValueError("boom")
        await comm.recv(3, args.output)

    error = fails(body, heddle.RankFailed)
    assert error.rank == 3 and error.kind == "rank_failed" and "ValueError: boom at test_ranks.py:" in str(error)
    assert isinstance(error.__cause__, ValueError) and error.__cause__.__traceback__ is not None


def test_two_receives_that_face_each_other_are_a_deadlock():
    async def body(comm, args):
        if comm.rank < 2:
            await comm.recv(1 - comm.rank, args.output)

    error = fails(body, heddle.Deadlock)
    assert sorted(error.cycle) == [0, 1]
    assert [one["rank"] for one in error.blocked] == [0, 1]


def test_an_operation_that_is_never_awaited():
    async def body(comm, args):
        await async_ring.function(comm, args)
        if comm.rank == 3:
            comm.copy(args.output, args.output)

    error = fails(body, heddle.UsageError)
    assert isinstance(error, heddle.CheckError) and error.kind == "usage"
    assert "rank 3: copy() at test_ranks.py:" in str(error) and "was not awaited" in str(error)


def test_one_that_is_kept_and_never_awaited():
    async def body(comm, args):
        kept = [comm.send((comm.rank + 1) % comm.size, args.output)]
        await async_ring.function(comm, args)
        del kept[:-1]

    assert "send() at test_ranks.py:" in str(fails(body, heddle.UsageError))


@pytest.mark.parametrize("seconds", [0, 1])
def test_a_foreign_awaitable(seconds):
    async def body(comm, args):
        await asyncio.sleep(seconds)

    error = fails(body, heddle.UsageError)
    assert ("test_ranks.py:" in str(error) or "tasks.py:" in str(error)) and "awaits" in str(error)


def test_a_buffer_that_changes_under_way():
    async def body(comm, args):
        other = 1 - comm.rank
        into = np.empty_like(args.output)
        requests = [comm.irecv(other, into), comm.isend(other, args.output)]
        args.output[:] = 0
        await comm.wait_all(requests)

    error = fails(body, heddle.CheckError, topology="star:2", size="1MiB")
    assert error.kind == "hygiene" and "changed a send buffer" in str(error)


def test_a_request_that_nobody_waits_for():
    async def body(comm, args):
        comm.isend((comm.rank + 1) % comm.size, args.output)

    assert isinstance(fails(body, heddle.CheckError), heddle.CheckError)


@pytest.mark.parametrize("call, said", [
    (lambda comm, args: comm.send(99, args.output), "99"),
    (lambda comm, args: comm.send(1, [1, 2]), "list"),
    (lambda comm, args: comm.send(1, args.output[::2]), "contiguous"),
    (lambda comm, args: comm.recv(1, args.input), "read-only"),
    (lambda comm, args: comm.wait_all([3]), "requests"),
    (lambda comm, args: comm.send(1, np.array([None])), "objects"),
    (lambda comm, args: comm.copy(np.zeros(1, "O,i4"), np.zeros(1, "O,i4")), "objects"),
])
def test_wrong_arguments(call, said):
    async def body(comm, args):
        await call(comm, args)

    assert said in str(fails(body, heddle.UsageError, in_place=False))


def test_a_rank_may_catch_what_it_did_wrong():
    async def body(comm, args):
        try:
            await comm.send(99, args.output)
        except heddle.UsageError:
            pass
        await async_ring.function(comm, args)

    assert heddle.run("allreduce", collective_of(body), topology="star:4", size=64).best.messages == 24


def deep(n):
    class Deep:
        def __getattr__(self, name):
            depth = int(name[1:])
            return getattr(self, f"a{depth - 1}") if depth else 0

    return getattr(Deep(), f"a{n}")


@pytest.mark.parametrize("threads", ["user", "kernel"])
def test_recursion_is_deep_on_the_stack_of_the_thread(threads):
    async def body(comm, args):
        deep(400)
        await async_ring.function(comm, args)

    assert heddle.run("allreduce", collective_of(body), topology="star:3", size=12, threads=threads).best.time_ps > 0

    async def too_deep(comm, args):
        deep(100_000)

    error = fails(too_deep, heddle.RankFailed, topology="star:3", size=12, threads=threads)
    assert isinstance(error.__cause__, RecursionError)


def test_a_view_that_is_kept_can_be_read():
    kept = []

    async def body(comm, args):
        kept.append(args.output)
        await async_ring.function(comm, args)

    heddle.run("allreduce", collective_of(body), topology="star:3", size="4MiB")
    gc.collect()
    assert all(int(one.sum()) is not None for one in kept)


def test_a_communicator_that_is_kept_does_nothing():
    kept = []

    async def body(comm, args):
        kept.append(comm)
        await async_ring.function(comm, args)

    heddle.run("allreduce", collective_of(body), topology="star:3", size=12)
    with pytest.raises(heddle.UsageError, match="over"):
        kept[0].rank


def test_finally_runs_where_a_run_is_given_up():
    ended = []

    async def body(comm, args):
        try:
            if comm.rank == 2:
                raise ValueError
            await comm.recv(2, args.output)
        finally:
            ended.append(comm.rank if comm is None else 1)

    fails(body, heddle.RankFailed)
    assert len(ended) >= 4


def test_plain_functions_fail_by_the_same_names():
    def raises(comm, args):
        if comm.rank == 1:
            raise KeyError("gone")
        comm.recv(1, args.output)

    assert isinstance(fails(raises, heddle.RankFailed).__cause__, KeyError)

    def waits(comm, args):
        comm.recv((comm.rank + 1) % comm.size, args.output)

    assert len(fails(waits, heddle.Deadlock).cycle) == 4


def test_groups_branches_and_programs():
    async def program(comm):
        row = await comm.split(comm.rank // 2, comm.rank)
        mine = np.array([comm.rank], dtype=np.int32)
        other = np.empty_like(mine)
        status = await row.sendrecv(1 - row.rank, mine, 1 - row.rank, other)
        assert status.count == 1 and await comm.split(-1) is None
        sums = [None, None]

        async def branch(i, its):
            got = np.empty_like(mine)
            await its.sendrecv((its.rank + 1) % its.size, mine + np.int32(10 * i), (its.rank - 1) % its.size, got)
            sums[i] = int(got[0])

        await comm.concurrently(2, branch)
        return int(other[0]), sums

    run = heddle.emulate(program, topology="star:4")
    assert run.returned == [(1, [3, 13]), (0, [0, 10]), (3, [1, 11]), (2, [2, 12])]
    assert run.messages == 12 and run.time > 0

    def plain(comm):
        mine = np.array([comm.rank], dtype=np.float64)
        comm.wait_all([comm.isend((comm.rank + 1) % comm.size, mine), comm.irecv(heddle.ANY_SOURCE, got := np.empty(1))])
        return float(got[0])

    assert heddle.emulate(plain, topology="ring:3").returned == [2.0, 0.0, 1.0]
    with pytest.raises(heddle.Hygiene):
        heddle.emulate(lambda comm: comm.send((comm.rank + 1) % comm.size, np.zeros(3)), topology="ring:3")


def test_collectives_that_heddle_does():
    async def program(comm):
        p, r = comm.size, comm.rank
        x, total = np.full(8, r, "i4"), np.empty(8, "i4")
        await comm.call("allreduce", total, x)
        await comm.call("allreduce", x, algorithm="ring")
        assert (x == total).all() and total[0] == p * (p - 1) // 2
        counts = list(range(p))
        whole = np.empty(sum(counts))
        await comm.call("allgather", whole, np.full(r, float(r)), counts=counts)
        assert (whole == np.repeat(np.arange(p), counts)).all()
        both = await comm.split(r // 2)
        await both.call("broadcast", x if both.rank else total, root=1)
        sent = await comm.call("scatter", got := np.empty(1, "i8"), np.arange(p) if r == 1 else None, root=1)
        assert sent is None and got[0] == r
        return await comm.now()

    assert min(heddle.emulate(program, topology="star:4").returned) > 0


@pytest.mark.parametrize("call, said", [
    (lambda comm: comm.call("allredcue", np.ones(3)), "did you mean 'allreduce'"),
    (lambda comm: comm.call("allreduce", np.ones(3), algorithm="rign"), "did you mean 'ring'"),
    (lambda comm: comm.call("allreduce", np.ones(3), algorithm="bucket"), "bucket does not serve it: it needs a grid"),
    (lambda comm: comm.call("allreduce", np.ones(3), np.ones(4)), "into= has 3 elements; 4 are right"),
    (lambda comm: comm.call("allreduce", np.ones(3), np.ones(3, "f4")), "of two types"),
    (lambda comm: comm.call("gather", np.ones(3), np.ones(1)), "no equal blocks for 4 ranks"),
    (lambda comm: comm.call("allgather", np.ones(3), counts=[1]), "for each of the 4 ranks"),
    (lambda comm: comm.call("allreduce", np.ones(3), root=9), "its ranks are 0 to 3"),
    (lambda comm: comm.call("allreduce"), "into= is missing"),
])
def test_collectives_that_cannot_be(call, said):
    async def program(comm):
        await call(comm)

    with pytest.raises(heddle.CheckError, match=said):
        heddle.emulate(program, topology="star:4")


def left_one(a, b):
    return a


def test_operations_in_python():
    first = heddle.ReduceOp("first", left_one)
    assert heddle.check(("allreduce", "recursive_doubling"), ops=[first], ranks=[3, 4], dtypes=["i32", "bf16"]) == 24
    results = heddle.run("allreduce", "all", topology="star:4", size=64, op=first)
    assert results["rabenseifner"].passed and "commutative" in results.left_out["ring"]
    again = pickle.loads(pickle.dumps(results.experiment))
    assert again.op.name == "first" and again.replace(size=4).own_op is again.op
    most = heddle.ReduceOp("most", np.maximum, commutative=True, idempotent=True)
    timed = heddle.run("allreduce", RINGS, topology="star:4", size=64, op=most)
    assert {result.time_ps for result in timed} == {heddle.run("allreduce", "ring", topology="star:4", size=64).best.time_ps}
    assert len(heddle.sweep("allreduce", "ring", topology="star:4", size=[4, 64], op=most)) == 2
    with pytest.raises(heddle.WrongResult):  # it is no associative one
        heddle.run("allreduce", "recursive_doubling", topology="star:4", size=64, op=heddle.ReduceOp("minus", np.subtract))
    with pytest.raises(heddle.InputError, match="reduces nothing"):
        heddle.run("broadcast", "all", topology="star:4", op=most)


@pytest.mark.parametrize("function, said", [
    (lambda a, b: {}[3], "op wrong: KeyError: 3 at test_ranks.py:"), (lambda a, b: a[:1], r"of shape \(1,\)"),
    (lambda a, b: a * 0.5, "Cannot cast")])
def test_operations_that_fail(function, said):
    with pytest.raises(heddle.UsageError, match=said):
        heddle.run("allreduce", "recursive_doubling", topology="star:4", size=64, op=heddle.ReduceOp("wrong", function))


def test_what_an_algorithm_needs():
    @heddle.collective("allreduce", ranks=4, dtypes=["f32"])
    async def four(comm, args):
        await async_ring.function(comm, args)

    with pytest.raises(heddle.InputError, match="four"):
        heddle.run("allreduce", four, topology="star:5", size=20, dtype="f32")
    assert heddle.run("allreduce", four, topology="star:4", size=20, dtype=np.float32).best.algorithm == "four"
    with pytest.raises(heddle.InputError, match="did you mean 'commutative'"):
        heddle.collective("allreduce", comutative=True)(four.function)
    with pytest.raises(heddle.InputError, match="did you mean 'allreduce'"):
        heddle.collective("allredcue")(four.function)
