# SPDX-License-Identifier: Apache-2.0
"""Measured runs that are read and fitted, as `heddle fit` does it."""
import json
import os
import pathlib
import pickle
import signal
import subprocess
import threading
import time

import pytest
from rings import async_ring

import heddle

COMMAND = os.environ.get("HEDDLE_COMMAND", "heddle")
MEASURED = pathlib.Path(__file__).parents[2] / "examples" / "measured"
FILES = [str(MEASURED / f"namespaces_{ranks}.json") for ranks in (2, 4)]

NCCL = """\
# nThread 1 nGpus 1 minBytes 8
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    104.9   10.00   15.00      0    209.7    5.00    7.50      0
     4194304       1048576     float     sum      -1    419.4   10.00   15.00      0    209.7   20.00   30.00    N/A
"""
OSU = """\
# OSU MPI Allreduce Latency Test v7.0
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
1024                   12.50             11.00             14.25        1000
"""
IMB = """\
# Benchmarking Allreduce
# #processes = 4
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1024         1000        11.00        14.25        12.50
"""
CSV = "collective,ranks,bytes,seconds,algorithm\nallreduce,4,1024,14.25e-6,ring\nallreduce,4,2048,2e-5,ring\n"


def written(folder, text, name="log.txt"):
    path = folder / name
    path.write_text(text)
    return path


def shown(runs):
    return [(run.experiment.collective, run.experiment.algorithm, run.experiment.ranks, run.experiment.size, run.time)
            for run in runs]


def test_tables_of_each_program_are_read(tmp_path):
    nccl = heddle.read_nccl_tests(written(tmp_path, NCCL), algorithm="ring", ranks=4, collective="allreduce")
    assert shown(nccl) == [("allreduce", "ring", 4, 1 << 20, 104.9e-6), ("allreduce", "ring", 4, 4 << 20, 419.4e-6)]
    placed = heddle.read_nccl_tests(tmp_path / "log.txt", algorithm="ring", ranks=4, collective="allreduce", in_place=True)
    assert [run.time for run in placed] == [209.7e-6] * 2
    assert nccl[0].experiment.in_place is False and placed[0].experiment.in_place is not False
    expected = [("allreduce", "ring", 4, 1024, 14.25e-6)]
    assert shown(heddle.read_osu(written(tmp_path, OSU), algorithm="ring", ranks=4)) == expected
    assert shown(heddle.read_imb(written(tmp_path, IMB), algorithm="ring")) == expected
    assert shown(heddle.read_runs(written(tmp_path, CSV)))[:1] == expected


@pytest.mark.parametrize("read, text, keywords, said", [
    ("read_osu", IMB, {"algorithm": "ring"}, "the table is of Intel's benchmarks, not of OSU's"),
    ("read_imb", "[]", {}, "JSON, not a table"),
    ("read_osu", OSU, {"algorithm": "ring"}, "try ranks=8"),
    ("read_osu", OSU, {"ranks": 4}, 'try algorithm="ring"'),
    ("read_imb", IMB, {"algorithm": "ring", "ranks": 8}, "ranks= says another number"),
    ("read_osu", OSU, {"ranks": 0}, "there are 1 to"),
    ("read_runs", CSV, {"times": "best"}, '"median" or "least"'),
    ("read_runs", CSV, {"times": "least"}, "averages of all iterations alone"),
    ("read_runs", "hello", {}, "neither what"),
])
def test_what_cannot_be_read_says_what_would_be_right(tmp_path, read, text, keywords, said):
    with pytest.raises(heddle.InputError) as raised:
        getattr(heddle, read)(written(tmp_path, text), **keywords)
    assert said in str(raised.value) and "--log" not in str(raised.value)


def test_runs_are_values_that_add_up(tmp_path):
    some = heddle.read_runs(written(tmp_path, CSV))
    both = some + heddle.read_imb(written(tmp_path, IMB), algorithm="ring")
    assert len(both) == 3 and both[:2] + both[2:] == both and list(both) == [*both] and both == pickle.loads(pickle.dumps(both))
    own = heddle.MeasuredRun(heddle.Experiment("allreduce", algorithm="ring", ranks=4, size=64), 1e-6)
    assert len([own] + some) == len(some + [own]) == 3 and (some + [own])[-1] is own
    frame = both.to_pandas()
    assert list(frame["bytes"]) == [1024, 2048, 1024] and (frame["time_s"] > 0).all()
    for experiment, seconds in ((own.experiment, -1), (own.experiment, float("nan")), (own.experiment.replace(size=None), 1),
                                (own.experiment.replace(algorithm=None), 1), (3, 1)):
        with pytest.raises(heddle.InputError):
            heddle.MeasuredRun(experiment, seconds)
    with pytest.raises(heddle.InputError, match="not a heddle.MeasuredRun"):
        some + [3]


def test_a_fit_is_the_commands(tmp_path):
    out, preset = tmp_path / "fit.json", tmp_path / "theirs.json"
    subprocess.run([COMMAND, "fit", *FILES, "--topo", "star:4", "--json", out, "--out", preset], check=True, capture_output=True)
    runs = heddle.read_runs(FILES[0]) + heddle.read_runs(pathlib.Path(FILES[1]))
    fit = heddle.fit(runs, topology="star:4")
    assert fit.to_dict() == json.loads(out.read_text()) and fit.preset == preset.read_text()
    table = subprocess.run([COMMAND, "fit", *FILES, "--topo", "star:4"], capture_output=True, text=True, check=True).stdout
    assert str(fit) + "\n" == table and len(fit.to_pandas()) == len(runs)
    assert fit.parameters["bandwidth"].value == 2.376e6 and 0 < fit.parameters["bandwidth"].error < 0.01
    assert fit.parameters["latency"].value is None and fit.parameters["latency"].error is None
    fit.save(tmp_path / "mine.json")
    results = heddle.run("allreduce", "ring,rabenseifner", fabric=fit.fabric, size="1MiB")
    same = heddle.run("allreduce", "ring,rabenseifner", topology="star:4", preset=f"file:{tmp_path / 'mine.json'}", size="1MiB")
    assert [result.time_ps for result in results] == [result.time_ps for result in same]
    assert len(heddle.sweep("allreduce", "ring", fabric=fit.fabric, size=[64, 1024])) == 2
    assert heddle.Experiment("allreduce", fabric=fit.fabric, latency="1us", size=64).latency == "1us"
    only = heddle.fit(runs, topology="star:4", fitted=["recursive_doubling"])
    assert {run["algorithm"] for run in only.runs if run["fitted"]} == {"recursive_doubling"}


def test_what_cannot_be_fitted_is_refused():
    runs = heddle.read_runs(FILES[1])
    for keywords, said in (({"topology": "star:3"}, "3 endpoints"), ({"topology": "star:4", "fitted": "rign"}, "no run of it"),
                           ({"topology": object()}, "a text, a number"), ({"topology": "tours:4"}, "did you mean 'torus'")):
        with pytest.raises(heddle.InputError, match=said):
            heddle.fit(runs, **keywords)
    with pytest.raises(heddle.InputError, match="no runs"):
        heddle.fit([], topology="star:4")
    with pytest.raises(heddle.InputError, match="not a heddle.Fabric"):
        heddle.run("allreduce", "ring", fabric="star:4", size=4)


def test_ctrl_c_ends_a_fit():
    def interrupt():
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    runs = list(heddle.read_runs(FILES[1])) * 400
    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        heddle.fit(runs, topology="star:4")
    thread.join()


def test_an_algorithm_of_ones_own_is_fitted():
    call = heddle.Experiment("allreduce", topology="star:4", ranks=4, size=1024, bandwidth=1e9, latency=5e-6)
    made = [call.replace(size=size) for size in (1024, 16384, 262144)]
    runs = [heddle.MeasuredRun(one.replace(algorithm="async_ring"), heddle.run(one, async_ring).best.time) for one in made]
    found = heddle.fit(runs, topology="star:4", fitted=[async_ring], own=async_ring)
    assert round(found.parameters["bandwidth"].value / 1e9, 3) == 1
    with pytest.raises(heddle.InputError, match="async_ring"):
        heddle.fit(runs, topology="star:4", fitted=["async_ring"])
