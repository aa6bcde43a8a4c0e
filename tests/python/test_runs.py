# SPDX-License-Identifier: Apache-2.0
"""Runs, results and errors: what the command says, as values."""
import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from rings import async_ring, plain_ring

import heddle

COMMAND = os.environ.get("HEDDLE_COMMAND", "heddle")


def documents_of(collective):
    arguments = [collective, "--topo", "torus:4x4", "--preset", "swing-nsdi24"]
    arguments += [] if collective == "barrier" else ["--size", "1000"]
    text = subprocess.run([COMMAND, "run", *arguments, "--json", "-"], capture_output=True, text=True, check=True).stdout
    size = {} if collective == "barrier" else {"size": 1000}
    return json.loads(text), heddle.run(collective, topology="torus:4x4", preset="swing-nsdi24", **size)


@pytest.mark.parametrize("collective", heddle.collectives())
def test_every_algorithm_is_as_the_command_says(collective):
    theirs, ours = documents_of(collective)
    mine = ours.to_dict()
    for run in [*theirs["runs"], *mine["runs"]]:
        run.pop("host", None)
    assert mine == theirs
    for result, run in zip(ours, theirs["runs"]):
        assert (result.algorithm, result.time, len(result.rounds), result.messages) == (
            run["algorithm"], run["time_s"], run["rounds"], run["messages"])
        assert result.ranks["messages"].sum() == result.messages
        assert result.ranks["completion_ps"].max() == result.time_ps == sum(result.path.ps.values())


def test_a_table_is_the_commands():
    text = subprocess.run([COMMAND, "run", "allreduce", "--topo", "star:5", "--size", "1MiB", "--algo", "ring,swing_latency"],
                          capture_output=True, text=True, check=True).stdout
    results = heddle.run("allreduce", ["ring", "swing_latency"], topology="star:5", size="1MiB")
    assert str(results) + "\n" == text
    assert results["swing_latency"].command == "heddle run allreduce --algo swing_latency --topo star:5 --size 1048576"


def test_an_experiment_is_a_value():
    e = heddle.Experiment("allreduce", topology="star:4", size="1KiB", bandwidth=[50e9, "400Gbps"], latency=0,
                          fault=["rank:1,late=20us", "rank:2,slow=2"], in_place=False, dtype=np.float32)
    assert eval(repr(e)) == e and pickle.loads(pickle.dumps(e)) == e and hash(e) == hash(e.replace())
    assert heddle.Experiment.parse(e.text) == e
    assert e.dtype == "f32" and e.size == 1024 and e.root is None and e.replace(in_place=None).in_place is None
    assert e.replace(size=4).size == 4 and e.size == 1024
    with pytest.raises(AttributeError, match="replace"):
        e.size = 3
    assert heddle.Experiment("allreduce", topology="star:4", size=8, type="int64").text == \
        "allreduce --topo star:4 --size 8 --datatype i64"
    assert heddle.Experiment("allreduce", topology="torus:4x2", size=8, bandwidth={"y": 25e9, "x": "100GB/s"}).text == \
        "allreduce --topo torus:4x2 --size 8 --bw x=100GB/s,y=25GB/s"


@pytest.mark.parametrize("keywords, said", [
    ({"topolgy": "star:4"}, "did you mean 'topology'"),
    ({"topology": "tours:4", "size": 4}, "did you mean 'torus'"),
    ({"topology": "star:4", "size": "3parsecs"}, "try 64KiB"),
    ({"topology": "star:4", "size": 4, "root": 1}, "has no root"),
    ({"topology": "star:4", "size": object()}, "a text, a number"),
    ({"topology": "star:4", "size": 4, "in_place": "yes"}, "True or False"),
])
def test_bad_input_is_a_value_error_of_one_line(keywords, said):
    with pytest.raises(ValueError, match=said) as raised:
        heddle.run("allreduce", "ring", **keywords)
    assert isinstance(raised.value, heddle.InputError) and "\n" not in str(raised.value)


def test_names_that_are_not_there():
    with pytest.raises(heddle.InputError, match="did you mean 'ring'"):
        heddle.run("allreduce", "rign", topology="star:4", size=4)
    with pytest.raises(KeyError, match="did you mean 'ring'"):
        heddle.run("allreduce", "ring", topology="star:4", size=4)["rign"]
    with pytest.raises(heddle.InputError, match="no algorithm"):
        heddle.run("allreduce", ["ring", 3], topology="star:4", size=4)


def test_failures_are_raised_or_kept():
    @heddle.collective("allreduce")
    async def nothing(comm, args):
        pass

    with pytest.raises(heddle.WrongResult):
        heddle.run("allreduce", [nothing, "ring"], topology="star:4", size=4)
    kept = heddle.run("allreduce", [nothing, "ring"], topology="star:4", size=4, on_failure="keep")
    assert [result.passed for result in kept] == [False, True] and kept.best.algorithm == "ring"
    with pytest.raises(heddle.WrongResult):
        kept["nothing"].time
    frame = kept.to_pandas()
    assert list(frame["error"]) == ["wrong_result", None] and "wrong_result" in kept._repr_html_()


def test_where_the_bytes_go():
    r = heddle.run("allreduce", "rabenseifner", topology="torus:4x4", size="1MiB", timeline=True).best
    sent = r.matrix()
    assert sent.shape == (16, 16) and (sent.sum(1) == r.ranks["sent_bytes"]).all()
    assert (sent.sum(0) == r.ranks["received_bytes"]).all()
    m = r.timeline.messages
    assert len(m) == r.messages and m["arrived_ps"].max() <= r.time_ps and not m.flags.writeable
    del r
    assert m["bytes"].sum() == sent.sum()


def test_pictures_pages_and_reasons_come_of_a_run_made_again(tmp_path):
    r = heddle.run("allreduce", [async_ring, "ring"], topology="ring:4", size=4000)[0]
    assert r.explain().startswith("# ") and r.timeline.messages["bytes"].sum() == r.matrix().sum()
    r.heatmap("bytes").save(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text().startswith("<")
    assert r.heatmap("bytes")._repr_svg_().startswith("<svg")
    assert "srcdoc" in r.page()._repr_html_() and "<html" in r.page().text
    r.trace(tmp_path / "trace.json")
    assert json.loads((tmp_path / "trace.json").read_text())
    links = r.links
    assert links["name"][0] == "0->1" and links["bytes"].sum() > 0


def interrupted(body, *, after=0.2):
    """How long it took to end from SIGINT on."""
    at = []

    def interrupt():
        time.sleep(after)
        at.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        body()
    ended = time.monotonic()
    thread.join()
    return ended - at[0]


@heddle.collective("allreduce")
async def endless(comm, args):
    while True:
        await comm.sendrecv((comm.rank + 1) % comm.size, args.output, (comm.rank - 1) % comm.size, np.empty_like(args.output))


@heddle.collective("allreduce")
async def computing(comm, args):
    while True:
        pass


@heddle.collective("allreduce")
def plain_computing(comm, args):
    while True:
        pass


@heddle.collective("allreduce")
def plain_endless(comm, args):
    while True:
        comm.sendrecv((comm.rank + 1) % comm.size, args.output, (comm.rank - 1) % comm.size, np.empty_like(args.output))


@pytest.mark.parametrize("algorithm, topology", [
    ("ring", "torus:64x64"), (endless, "star:8"), (computing, "star:2"), (plain_computing, "star:2"), (plain_endless, "star:4")])
def test_ctrl_c_ends_a_run_at_once(algorithm, topology):
    assert interrupted(lambda: heddle.run("allreduce", algorithm, topology=topology, size="16MiB")) < 5  # 0.1 on a quiet machine
    assert heddle.run("allreduce", [async_ring, plain_ring], topology="star:3", size=12).best.time_ps > 0


def test_many_interrupted_runs_leave_nothing():
    threads = threading.active_count()
    for _ in range(20):
        interrupted(lambda: heddle.run("allreduce", endless, topology="star:4", size=64), after=0.005)
    assert threading.active_count() == threads
    with open("/proc/self/status", encoding="ascii") as status:
        assert "Threads:\t" in status.read()


def test_failed_runs_leave_no_objects():
    @heddle.collective("allreduce")
    async def raises(comm, args):
        if comm.rank == 1:
            raise ValueError("gone")
        await comm.irecv(1, args.output)

    def plain_raises(comm, args):
        if comm.rank == 1:
            raise ValueError("gone")
        comm.recv(1, args.output)

    def objects_after(runs):
        for _ in range(runs):
            for mine in (raises, heddle.collective("allreduce")(plain_raises)):
                with pytest.raises(heddle.RankFailed):
                    heddle.run("allreduce", mine, topology="star:3", size=12)
        gc.collect()
        return len(gc.get_objects())

    before = objects_after(5)
    assert objects_after(40) - before < 40


def test_runs_from_several_threads():
    times = []

    def work():
        times.append(heddle.run("allreduce", [async_ring, "ring"], topology="star:6", size=6000).best.time_ps)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(times) == 6 and len(set(times)) == 1


def test_small_runs_are_cheap():
    begin = time.process_time()
    for _ in range(500):
        heddle.run("allreduce", "ring", topology="star:4", size=64)
    assert time.process_time() - begin < 2  # 0.1 on a quiet machine


def test_importing_loads_no_other_package():
    code = "import sys, heddle; print(*sys.modules)"
    text = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"pandas", "networkx", "matplotlib", "tqdm"} & set(text.split())


def test_a_plugins_algorithm_runs_in_python():
    plugin = os.environ.get("HEDDLE_PLUGIN")
    if not plugin:
        pytest.skip("no plugin was built")
    where = {"topology": "ring:8", "size": "1KiB", "plugins": plugin}
    results = heddle.run("broadcast", ["my_chain", "chain"], **where)
    text = subprocess.run([COMMAND, *results["my_chain"].command.split()[1:], "--json", "-"], capture_output=True, text=True,
                          check=True).stdout
    assert json.loads(text)["runs"][0]["time_s"] == results["my_chain"].time
    assert len(heddle.sweep("broadcast", "my_chain", topology=["ring:8", "star:4"], size="1KiB", plugins=[plugin])) == 2
    with pytest.raises(heddle.InputError, match="no_such.so"):
        heddle.run("broadcast", "my_chain", topology="ring:8", size=64, plugins="./no_such.so")


def test_several_models_stand_beside_each_other():
    for model in ("fluid,packets", ["fluid", "packets"]):
        results = heddle.run("allreduce", ["ring", async_ring], topology="torus:4x4", size="64KiB", model=model)
        assert [(result.algorithm, result.model) for result in results][:2] == [("ring", "fluid"), ("ring", "packets")]
    packets = results["ring", "packets"]
    assert packets.time_ps == heddle.run("allreduce", "ring", topology="torus:4x4", size="64KiB", model="packets").best.time_ps
    assert packets.command.endswith("--model packets") and "packets" not in results["ring"].command
    assert "x fluid" in str(results) and len(results.to_pandas()) == 4
    assert packets.explain() and packets.heatmap("queue").text
    with pytest.raises(heddle.InputError, match="fluid is there twice"):
        heddle.run("allreduce", "ring", topology="star:4", model="fluid,fluid")


@pytest.mark.parametrize("algorithm, keywords, said", [
    (async_ring, {}, "async_ring is an algorithm of this program"),
    ("ring", {"op": heddle.ReduceOp("most", np.maximum, commutative=True)}, "most is an operation of this program"),
    ("ring", {"topology": None, "fabric": heddle.Fabric.from_edges([(0, "s"), (1, "s")], switches=["s"])}, "Fabric.save writes it"),
])
def test_what_no_command_repeats(algorithm, keywords, said):
    result = heddle.run("allreduce", algorithm, **{"topology": "star:2", "size": 64, **keywords}).best
    with pytest.raises(heddle.UsageError, match=said):
        result.command
    assert '"command":""' in result.page().text


def test_a_page_has_the_command_with_its_algorithm():
    page = heddle.run("allreduce", "ring", topology="star:2", size=4).best.page()
    assert '"command":"heddle run allreduce --algo ring --topo star:2 --size 4"' in page.text


def test_without_numpy_the_import_says_what_is_missing():
    made = subprocess.run([sys.executable, "-c", "import sys; sys.modules['numpy'] = None; import heddle"], capture_output=True, text=True)
    assert made.stderr.splitlines()[-1].startswith("ImportError: heddle needs numpy: python3-numpy on Debian")
