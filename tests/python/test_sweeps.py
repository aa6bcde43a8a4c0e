# SPDX-License-Identifier: Apache-2.0
"""Sweeps, comparisons, fuzzing and drawn cases."""
import json
import os
import signal
import subprocess
import threading
import time

import pytest
from rings import async_ring, plain_ring

import heddle
from heddle import testing

COMMAND = os.environ.get("HEDDLE_COMMAND", "heddle")
AXES = {"topology": ["star:4", "ring:8"], "size": "1KiB:1MiB:x32", "preset": "swing-nsdi24"}


def test_a_sweep_has_the_commands_results(tmp_path):
    ours = heddle.sweep("allreduce", "ring,rabenseifner", **AXES)
    subprocess.run([COMMAND, "sweep", "allreduce", "--algo", "ring,rabenseifner", "--topo", "star:4,ring:8",
                    "--size", "1KiB:1MiB:x32", "--preset", "swing-nsdi24", "--json", tmp_path / "theirs.json"],
                   check=True, capture_output=True)
    theirs = heddle.load(tmp_path / "theirs.json")
    assert ours.runs == theirs.runs and ours.crossings == theirs.crossings and len(ours) == 12
    assert str(ours) == str(theirs)
    ours.save(tmp_path / "ours.json")
    assert heddle.load(tmp_path / "ours.json").to_dict() == ours.to_dict()
    comparison = heddle.compare(theirs, ours, tolerance=0.01)
    assert comparison.matched == comparison.unchanged == 12 and not comparison.is_worse
    comparison.raise_if_worse()


def test_a_sweep_as_files_frames_and_pages(tmp_path):
    sweep = heddle.sweep("allreduce", [async_ring, "rabenseifner"], topology="star:4", size=[1024, "1MiB"])
    frame = sweep.to_pandas()
    assert set(frame["algorithm"]) == {"async_ring", "rabenseifner"} and (frame["time_s"] > 0).all()
    assert frame.pivot_table("time_s", "bytes", "algorithm").shape == (2, 2)
    for suffix in ("csv", "html", "svg", "txt"):
        sweep.save(tmp_path / f"it.{suffix}")
        assert (tmp_path / f"it.{suffix}").stat().st_size > 100
    with pytest.raises(heddle.InputError, match="no format"):
        sweep.save(tmp_path / "it.xyz")
    assert "srcdoc" in sweep._repr_html_() and not sweep.failures


def test_a_sweep_keeps_failures_and_tells_how_far_it_is():
    @heddle.collective("allreduce")
    async def nothing(comm, args):
        pass

    seen = []
    sweep = heddle.sweep("allreduce", [nothing, "ring"], topology="star:4", size=64, progress=lambda *told: seen.append(told))
    assert [type(error) for error in sweep.failures] == [heddle.WrongResult] and seen[-1][:2] == (2, 2)


def test_slower_is_worse():
    fast = heddle.run("allreduce", "ring", topology="star:4", size="1MiB")
    slow = heddle.run("allreduce", "ring", topology="star:4", size="1MiB", bandwidth="10GB/s")
    assert not heddle.compare(slow, fast).is_worse
    with pytest.raises(AssertionError, match="slower"):
        heddle.compare(fast, slow, tolerance=0.01).raise_if_worse()


def test_ctrl_c_ends_a_sweep_and_keeps_what_is_finished():
    def interrupt():
        time.sleep(0.4)
        at.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    at = []
    thread = threading.Thread(target=interrupt)
    with pytest.raises(KeyboardInterrupt) as raised:
        thread.start()
        heddle.sweep("allreduce", "ring", topology=["star:4", "torus:64x64", "torus:64x32"], size="16MiB")
    assert time.monotonic() - at[0] < 5  # 0.2 on a quiet machine
    thread.join()
    assert not raised.value.sweep.is_complete


@heddle.collective("allreduce", commutative=True)
async def forgets_the_rest(comm, args):
    if comm.size > 4 and len(args.output) % comm.size:
        raise ZeroDivisionError("the rest")
    await async_ring.function(comm, args)


def test_fuzzing_finds_and_shrinks():
    assert heddle.fuzz(async_ring, cases=60).passed
    assert str(heddle.fuzz(plain_ring, cases=20, most_ranks=8)) == "20 cases right"
    found = heddle.fuzz(forgets_the_rest, cases=200)
    assert len(found) == 1 and "--topo" in found.findings[0].line and found.findings[0].failure.experiment.ranks in (None, 5)
    assert isinstance(found.findings[0].failure.__cause__, ZeroDivisionError)
    with pytest.raises(heddle.RankFailed, match="testing.Case"):
        found.raise_if_failed()
    namespace = {"heddle": heddle, "forgets_the_rest": forgets_the_rest}
    exec(found.findings[0].test, namespace)
    with pytest.raises(heddle.RankFailed):
        namespace["test_forgets_the_rest_rank_failed"]()


def test_fuzzing_under_many_orders_and_with_faults():
    assert heddle.fuzz(async_ring, cases=3, orders=1, most_ranks=4).passed
    assert heddle.fuzz(async_ring, cases=60, fault_once_in=2, most_ranks=8).passed
    with pytest.raises(heddle.InputError, match="one's own"):
        heddle.fuzz("ring")


@pytest.mark.parametrize("case", testing.cases(async_ring, 20, seed=2))
def test_drawn(case):
    case.run()


def test_a_case_that_fails_is_an_assertion():
    case = testing.cases(forgets_the_rest, 1)[0]
    failing = testing.Case(forgets_the_rest, "allreduce --algo forgets_the_rest --topo star:5 --size 28")
    with pytest.raises(AssertionError, match="the rest"):
        failing.run()
    assert heddle.Experiment.parse(case.line) == case.experiment


def test_traffic_is_the_commands():
    asked = ["allreduce", "--algo", "recursive_doubling,bine_small", "--topo", "fattree:k=8", "--ranks", "16,32", "--placements", "9"]
    made = heddle.traffic("allreduce", ["recursive_doubling", "bine_small"], topology="fattree:k=8", ranks=[16, 32], placements=9)
    command = subprocess.run([COMMAND, "traffic", *asked, "--json", "-"], capture_output=True, text=True, check=True)
    assert made.to_dict() == json.loads(command.stdout)
    assert list(made.to_pandas()["ranks"]) == [16, 16, 32, 32] and "reduction_median" in made.to_pandas()
    own = heddle.traffic("allreduce", ["ring", async_ring], topology="fattree:k=8", ranks=16, placements=2)
    first, second = own.to_dict()["studies"][0]["algorithms"]
    assert first["mean_vectors_between_groups"] == second["mean_vectors_between_groups"]
    with pytest.raises(heddle.InputError, match="name at least two"):
        heddle.traffic("allreduce", "ring", topology="fattree:k=8", ranks=16)
