# SPDX-License-Identifier: Apache-2.0
"""Fabrics as values: a graph is the fabric that its file would be."""
import pickle

import networkx as nx
import numpy as np
import pytest

import heddle


def two_racks():
    g = nx.Graph()
    g.add_nodes_from(range(8))
    g.add_nodes_from(["s0", "s1"], switch=True)
    for i in range(8):
        g.add_edge(i, f"s{i // 4}", bandwidth="400Gbps", latency="500ns")
    g.add_edge("s0", "s1", bandwidth="800Gbps", latency=1e-6, cables=2)
    return g


def test_a_graph_runs_as_its_file_does(tmp_path):
    fabric = heddle.Fabric.from_graph(two_racks())
    ours = heddle.run("allgather", "all", fabric=fabric, size="1MiB")
    fabric.save(tmp_path / "racks.json")
    theirs = heddle.run("allgather", "all", topology=f"file:{tmp_path}/racks.json", size="1MiB")
    assert [(r.algorithm, r.time_ps, r.messages_digest) for r in ours] == [
        (r.algorithm, r.time_ps, r.messages_digest) for r in theirs]
    assert fabric.properties["endpoints"] == 8 and fabric.properties["switches"] == 2
    assert fabric.endpoints == list(range(8)) and fabric.switches == ["s0", "s1"]
    (way,) = fabric.route(0, 7)
    assert way.share == 1 and way.nodes == [0, "s0", "s1", 7] and way.latency == pytest.approx(2e-6)
    links = fabric.links
    assert len(links) == 20 and set(links["bandwidth"]) == {50e9, 100e9} and links["source"][0] == 0
    with pytest.raises(heddle.InputError, match="unknown endpoint 's0'"):
        fabric.route("s0", 1)


@pytest.mark.parametrize("graph", [two_racks(), nx.relabel_nodes(nx.cycle_graph(5, nx.DiGraph), "abcde".__getitem__),
                                   nx.MultiGraph([(0, 1), (0, 1), (1, 2)])])
def test_there_and_back(graph):
    fabric = heddle.Fabric.from_graph(graph)
    again = heddle.Fabric.from_graph(fabric.to_networkx())
    assert again.text == fabric.text and again.endpoints == fabric.endpoints
    assert pickle.loads(pickle.dumps(fabric)) == fabric and hash(again) is not None


def test_a_directed_graph_has_one_way_links():
    ring = heddle.Fabric.from_graph(nx.cycle_graph(5, nx.DiGraph))
    trunk = heddle.Fabric.from_edges([(np.int64(0), 1, {"cables": np.int64(2), "eta_beta": np.float32(0.5)})])
    assert len(trunk.links) == 4 and trunk.links["bandwidth"][0] == 25e9
    assert len(ring.links) == 5 and ring.route(1, 0)[0].nodes == [1, 2, 3, 4, 0]
    assert heddle.run("allreduce", "ring", fabric=ring, size=100).best.messages == 40


def test_links_endpoints_and_switches_may_be_iterators():
    fabric = heddle.Fabric.from_edges(iter([["b", "s"], ["a", "s"]]), endpoints=iter("ab"), switches=iter("s"))
    assert fabric.endpoints == ["a", "b"] and fabric.switches == ["s"] and fabric.route("a", "b")[0].nodes == ["a", "s", "b"]


def test_a_topologys_text_is_a_fabric_too():
    fabric = heddle.Fabric("torus:2x4", latency=1e-6)
    assert len(fabric.links) == 24 and fabric.links["latency"][0] == 1e-6
    assert sum(way.share for way in fabric.route(0, 2)) == 1 and fabric.route("(0,0)", "(1,1)") == fabric.route(0, 5)
    with_fabric = heddle.run("allreduce", "bucket", fabric=fabric, size=1000)  # it needs a grid, which a graph has not
    assert with_fabric.best.time_ps == heddle.run("allreduce", "bucket", topology="torus:2x4", latency="1us", size=1000).best.time_ps
    e = heddle.Experiment("allreduce", fabric=fabric, size=4, latency="2us")
    assert e.text == "allreduce --topo torus:2x4 --size 4 --latency 2us" and e.fabric is None
    graph = fabric.to_networkx()
    assert graph.number_of_edges() == 12 and graph.graph["direct"] and graph.edges[0, 1] if 0 in graph else True
    with pytest.raises(heddle.InputError, match="size: it says nothing of a fabric"):
        heddle.Fabric("torus:2x4", size=4)


def test_an_experiment_and_a_sweep_have_one():
    fabric = heddle.Fabric.from_graph(two_racks(), name="racks")
    e = heddle.Experiment("allreduce", fabric=fabric, size=64)
    assert e.text == "allreduce --topo given:racks --size 64" and e.replace(size=8).fabric is fabric
    assert e.replace(topology="star:4").fabric is None and "fabric=<heddle.Fabric given:racks" in repr(e)
    assert pickle.loads(pickle.dumps(e)) == e and e != heddle.Experiment("allreduce", topology="star:8", size=64)
    assert heddle.run(pickle.loads(pickle.dumps(e)), "ring").best.time_ps == heddle.run(e, "ring").best.time_ps
    other = heddle.Fabric.from_edges([(i, (i + 1) % 8) for i in range(8)], name="loop")
    sweep = heddle.sweep("allreduce", "ring", fabric=[fabric, other], topology="star:8", size="1KiB")
    assert len(sweep) == 3 and not sweep.failures
    assert [run["time_s"] for run in heddle.sweep(e, "ring", size="1KiB").runs] == [sweep.runs[1]["time_s"]]
    assert len(heddle.sweep("allreduce", "ring", fabric=heddle.Fabric("ring:8", latency=1e-6, alpha=1e-7), size="1KiB")) == 1
    with pytest.raises(heddle.InputError, match="two are called 'racks'"):
        heddle.sweep("allreduce", "ring", fabric=[fabric, heddle.Fabric.from_edges([(0, 1)], name="racks")], size="1KiB")
    assert heddle.check(("allreduce", "ring"), ranks=[3], counts=[7], fabric=fabric) == 1

    async def rank(comm):
        return comm.rank

    assert heddle.emulate(rank, fabric=other).returned == list(range(8))


@pytest.mark.parametrize("edges, more, said", [
    ([(0, 1, {"bandwith": 1e9})], {}, "did you mean 'bandwidth'"),
    ([(0, 1, {"latency": "3parsecs"})], {}, "3parsecs"),
    ([(0, 1), ("1", 2)], {}, "both are called '1'"),
    ([(0, 1), (2, 3)], {}, "no way leads from '0' to '2'"),
    ([(0, "s")], {"switches": {"s": {"alus": True}}}, "did you mean 'alu'"),
    ([(0, 1)], {"endpoints": [0]}, "1 is neither among the endpoints"),
    ([(0, 1)], {"name": "a,b"}, "comma"),
    ([(0, i, {"latency": i * 1e-9}) for i in range(1, 200)], {}, "199 kinds of bandwidth and latency"),
    ([(0, 1, {"cables": 1.5})], {}, "link 0 to 1: cables=1.5; 1 or more"),
    ([(0, 1, {"eta_beta": {}})], {}, "link 0 to 1: eta_beta={}; a number"),
    ([(0, "s")], {"switches": {"s": {"radix": object()}}}, "which no fabric has"),
    ([(0, 1, 2, 3)], {}, r"\(a, b, {...}\)"),
])
def test_bad_graphs(edges, more, said):
    with pytest.raises(heddle.InputError, match=said) as raised:
        heddle.Fabric.from_edges(edges, **more)
    assert "\n" not in str(raised.value)


def test_a_fabric_is_a_fabric():
    with pytest.raises(heddle.InputError, match="the text of a topology is topology="):
        heddle.run("allreduce", "ring", fabric="star:4", size=64)
    with pytest.raises(heddle.InputError, match="both say where it runs"):
        heddle.run("allreduce", "ring", fabric=heddle.Fabric("star:4"), topology="star:4", size=64)
