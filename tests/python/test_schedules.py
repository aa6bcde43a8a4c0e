# SPDX-License-Identifier: Apache-2.0
"""Schedules by chunks: what they say of themselves without a run is what a run says."""
import os
import subprocess

import pytest

import heddle

COMMAND = os.environ.get("HEDDLE_COMMAND", "heddle")


def ring(p, **choices):
    s = heddle.Schedule("allreduce", ranks=p, chunks=p, name="by_chunks", **choices)
    for c in range(p):
        part = s.chunk(c, "input", c)
        for step in range(1, p):
            part = s.chunk((c + step) % p, "input", c).reduce(part)
        for step in range(p, 2 * p - 1):
            part = part.copy((c + step) % p, "input", c)
    return s


def two_nodes(gpus):
    """Sums in each node, between the nodes, and back within each."""
    s = heddle.Schedule("allreduce", ranks=2 * gpus, chunks=gpus, name="hierarchical")
    sums = {}
    for node in 0, gpus:
        for c in range(gpus):
            part = s.chunk(node + c, "input", c)
            for step in range(1, gpus):
                part = s.chunk(node + (c + step) % gpus, "input", c).reduce(part)
            sums[node, c] = part
    for c in range(gpus):
        there = sums[0, c].copy(sums[gpus, c].rank, "scratch", 0)
        back = sums[gpus, c].copy(sums[0, c].rank, "scratch", 0)
        for part in sums[gpus, c].reduce(there), sums[0, c].reduce(back):
            node, gpu = divmod(part.rank, gpus)
            for step in range(1, gpus):
                part = part.copy(node * gpus + (gpu + step) % gpus, "input", c)
    return s


def test_a_ring_by_chunks_is_the_ring():
    s = ring(4)
    s.check(slots=1)
    results = heddle.run("allreduce", [s, "ring"], topology="star:4", size="64KiB")
    assert results["by_chunks"].messages == results["ring"].messages == s.messages == 24
    assert heddle.check(s, counts=[0, 1, 7, 1000]) == 4
    assert heddle.fuzz(s, cases=30).passed
    sweep = heddle.sweep("allreduce", [s, "ring"], topology=["star:4", "ring:4"], size="1KiB:64KiB:x64")
    assert len(sweep) == 8 and not sweep.failures


def test_two_nodes_of_eight_are_exported_and_read_back(tmp_path):
    s = two_nodes(8)
    s.check(slots=1)
    fabric = {"topology": "superpod:pods=2,gpus=8,trays=1", "size": "1MiB"}
    written = heddle.run("allreduce", s, **fabric).best
    assert heddle.fuzz(s, cases=20).passed
    s.save(tmp_path / "two.xml")
    again = heddle.Schedule.load(tmp_path / "two.xml")
    read = heddle.run("allreduce", again, **fabric).best
    assert (read.messages, read.messages_digest, read.time_ps) == (written.messages, written.messages_digest, written.time_ps)
    assert again.ranks == s.ranks and again.messages == s.messages == written.messages
    assert read.command.startswith(f"heddle run allreduce --algo msccl:{tmp_path}/two.xml ")
    words = read.command.split()[1:]
    assert f"{read.time * 1e6:.3f}" in subprocess.run([COMMAND, *words], capture_output=True, text=True, check=True).stdout
    assert heddle.Schedule.from_msccl(s.to_msccl()).ranks == s.ranks


def test_steps_are_plain_values():
    s = heddle.Schedule("broadcast", ranks=3, chunks=2, in_place=False)
    part = s.chunk(0, "input", 0, 2)
    part.copy(0, "output", 0)
    for rank in 1, 2:
        part = part.copy(rank, "output", 0, ch=3)
    passing = s.ranks[1].threads[0]
    assert s.messages == 2
    part.copy(0, "scratch", 0)
    assert s.messages == 3  # what is written goes on
    assert (passing.receive_from, passing.send_to, passing.channel) == (0, 2, 3)
    assert passing.steps == [("rcs", None, ("output", 0), 2, None)]
    assert passing.steps[0].kind == "rcs" and s.ranks[1].scratch == 0
    assert repr(part) == "<heddle chunk o[0..1] of rank 2>"


def test_goal_is_the_commands(tmp_path):
    text = subprocess.run([COMMAND, "export", "goal", "allreduce", "--algo", "ring", "--topo", "star:4", "--size", "64KiB"],
                          capture_output=True, text=True, check=True).stdout
    s = heddle.Schedule.record("ring", topology="star:4", size="64KiB")
    assert s.to_goal("64KiB") == text
    xml = subprocess.run([COMMAND, "export", "msccl", "allreduce", "--algo", "ring", "--topo", "star:4", "--size", "64KiB"],
                         capture_output=True, text=True, check=True).stdout
    assert s.to_msccl() == xml
    with pytest.raises(heddle.InputError, match="equal blocks; try 32B"):
        heddle.Schedule.record("ring", "allgather", topology="star:4").to_goal(20)


def test_what_ranks_in_python_did_is_recorded():
    @heddle.collective("broadcast")
    async def chain(comm, args):
        r = (comm.rank - args.root) % comm.size
        if r:
            await comm.recv((comm.rank - 1) % comm.size, args.output)
        elif not args.in_place:
            await comm.copy(args.output, args.input)
        if r + 1 < comm.size:
            await comm.send((comm.rank + 1) % comm.size, args.output)

    s = heddle.Schedule.record(chain, topology="star:5")
    s.check()
    assert s.collective == "broadcast" and s.messages == 4
    assert len(heddle.run("broadcast", [s, chain], topology="star:5", size=100)) == 2

    @heddle.collective("broadcast")
    async def forgets(comm, args):
        if comm.rank == 2:
            raise ValueError("mine")
        await chain(comm, args)

    with pytest.raises(heddle.RankFailed, match="forgets") as raised:
        heddle.Schedule.record(forgets, topology="star:5")
    assert isinstance(raised.value.__cause__, ValueError)


def this_line():
    import sys

    return f"test_schedules.py:{sys._getframe(1).f_lineno}"


def test_what_cannot_be_is_said_with_the_line_that_asks_for_it():
    s = heddle.Schedule("allreduce", ranks=2, chunks=2)
    a = s.chunk(0, "input", 0)
    with pytest.raises(heddle.InputError) as raised:
        line = this_line(); s.chunk(0, "input", 2)  # noqa: E702
    assert str(raised.value) == f"{line}: i[2] of rank 0: its input has chunks 0 to 1"
    with pytest.raises(heddle.InputError) as raised:
        line = this_line(); a.copy(2, "input", 0)  # noqa: E702
    assert str(raised.value) == f"{line}: rank 2: the ranks are 0 to 1"
    before = s.chunk(1, "input", 0)
    line = this_line(); a.copy(1, "i", 0)  # noqa: E702
    with pytest.raises(heddle.InputError) as raised:
        before.reduce(a)
    assert f"is of before operation 0 ({line}), the copy of i[0] of rank 0" in str(raised.value)
    with pytest.raises(heddle.InputError, match="did you mean 'input'"):
        s.chunk(0, "inptu", 0)
    with pytest.raises(heddle.InputError, match="not a chunk"):
        a.reduce("i")
    with pytest.raises(heddle.InputError, match=r"test_schedules.py:\d+: chunks 3: allgather has a block for each of 2"):
        heddle.Schedule("allgather", ranks=2, chunks=3)
    with pytest.raises(heddle.InputError, match="try \"my_ring\""):
        heddle.Schedule("allreduce", ranks=2, chunks=2, name="a,b")
    with pytest.raises(heddle.InputError, match="two algorithms for allreduce are called by_chunks"):
        heddle.run("allreduce", [ring(4), ring(4)], topology="star:4", size=64)


def test_what_is_wrong_is_found_without_a_run():
    s = heddle.Schedule("allreduce", ranks=2, chunks=1, name="half")
    line = this_line(); s.chunk(1, "input", 0).reduce(s.chunk(0, "input", 0))  # noqa: E702
    with pytest.raises(heddle.WrongResult) as raised:
        s.check()
    assert "half: " in str(raised.value) and raised.value.algorithm == "half"
    with pytest.raises(heddle.WrongResult):
        heddle.run("allreduce", s, topology="star:2", size=64)
    double = heddle.Schedule("allreduce", ranks=2, chunks=1)
    part = double.chunk(1, "input", 0).reduce(double.chunk(0, "input", 0)).copy(0, "input", 0)
    line = this_line(); double.chunk(1, "input", 0).reduce(part)  # noqa: E702
    with pytest.raises(heddle.WrongResult, match=line):  # the step that adds twice is named by its line here
        double.check()
    facing = heddle.Schedule.from_msccl("""<algo name="facing" coll="allgather" nchunksperloop="2" ngpus="2" inplace="1"
        outofplace="0"> <gpu id="0" i_chunks="1" o_chunks="2" s_chunks="0"><tb id="0" send="1" recv="1" chan="0">
        <step s="0" type="s" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
        <step s="1" type="r" srcbuf="o" srcoff="1" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb></gpu>
        <gpu id="1" i_chunks="1" o_chunks="2" s_chunks="0"><tb id="0" send="0" recv="0" chan="0">
        <step s="0" type="s" srcbuf="o" srcoff="1" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
        <step s="1" type="r" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb></gpu>
        </algo>""")
    assert facing.least_slots == 1 and facing.name == "facing"
    facing.check(slots=1)
    with pytest.raises(heddle.Deadlock):
        facing.check(slots=0)
    with pytest.raises(heddle.InputError, match="was read, and does not change"):
        facing.chunk(0, "input", 0)


def test_what_nobody_has_looked_at_does_not_pass():
    large = heddle.Schedule("broadcast", ranks=16, chunks=1 << 20)
    part = large.chunk(0, "input", 0)
    for rank in range(1, 16):
        part = part.copy(rank, "input", 0)
    with pytest.raises(heddle.InputError, match="too large to be checked without a run"):
        large.check()


def test_a_race_is_found_without_a_run():
    folder = os.path.join(os.path.dirname(__file__), "..", "schedules", "files")
    raced = heddle.Schedule.load(os.path.join(folder, "missing_dependency.xml"))
    with pytest.raises(heddle.RankMisused, match="a race: .*missing_dependency.xml"):
        raced.check()
    with pytest.raises(heddle.InputError, match="no_such.xml"):
        heddle.Schedule.load("no_such.xml")
