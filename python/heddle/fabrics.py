# SPDX-License-Identifier: Apache-2.0
"""Fabrics as values: of a graph, of a list of links, or of a topology's text. `fabric=` of a run takes them."""
from __future__ import annotations

import json
import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from heddle import _core
from heddle._core import Fabric as CoreFabric
from heddle._core import GivenFabric
from heddle.errors import InputError
from heddle.experiment import PathLike, Value, flags_of_group, given_of, text_of

Node = Any  #: what a graph has as a node: a number or a text, as a rule
Link = Sequence[Any]  #: (a, b) or (a, b, {...})
_Edge = tuple[Node, Node, dict[str, Any]]
_Given = list[tuple[str, str]]  # flags and values
_Speeds = tuple[tuple[str, Union[float, str]], ...]  # what is said of a tier, by its keys


class Way(NamedTuple):
    """One of a route's ways: its share of a message, the nodes from end to end, and its latency in seconds."""

    share: float
    nodes: list[Node]
    latency: float


_SPEEDS = {"bandwidth": "B/s", "latency": "s", "eta_alpha": "", "eta_beta": ""}
_MOST_TIERS = 128
_OFFERS = ("alu", "multicast", "a2a", "radix", "align", "precision")


class Fabric:
    """Endpoints, switches and links. `Fabric("torus:4x4", latency=1e-6)` is the command's; the keywords are those of a run.

    Others are made of a graph of networkx, of a list of links, or of a file's text. Nodes are called as they are there.

    >>> f = Fabric.from_edges([(0, "s", {"bandwidth": "400Gbps"}), (1, "s", {"bandwidth": 25e9})], switches=["s"])
    >>> f.endpoints, f.switches, f.route(0, 1)[0].nodes
    ([0, 1], ['s'], [0, 's', 1])
    >>> f.links[0]
    ('0->s', 0, 's', 0, 5.e+10, 1.e-07)
    """

    _core: CoreFabric
    _flags: _Given
    _given: GivenFabric | None
    _nodes: list[Node]
    _numbers: dict[Node, int]

    def __init__(self, topology: str, **keywords: Value) -> None:
        given = given_of({"topology": topology, **keywords})
        for keyword, (flag, _) in zip([name for name, value in keywords.items() if value is not None], given[1:]):
            if flag not in _FLAGS:
                raise InputError(f"{keyword}: it says nothing of a fabric; give it to the run")
        self._set(given, None, None)

    def _set(self, flags: _Given, given: GivenFabric | None, nodes: Mapping[str, Node] | None) -> None:
        self._flags = flags
        self._given = given
        experiment = _core.Experiment.read("barrier", flags, [] if given is None else [given])
        self._core = _core.Fabric(experiment)
        names = self._core.vertices()
        self._nodes = names if nodes is None else [nodes[name] for name in names]
        self._numbers = {node: number for number, node in enumerate(self._nodes)}

    @classmethod
    def _of_text(cls, text: str, name: str, nodes: Mapping[str, Node] | None = None) -> Fabric:
        made = object.__new__(cls)
        made._set([("--topo", f"given:{name}")], _core.GivenFabric(text, name), nodes)
        return made

    @classmethod
    def from_text(cls, text: str, name: str = "fabric") -> Fabric:
        """Of the text of a file as docs/fabric-file.md has it."""
        return cls._of_text(text, name)

    @classmethod
    def from_edges(cls, edges: Iterable[Link], *, switches: Iterable[Node] | dict[Node, Any] = (),
                   endpoints: Iterable[Node] | None = None, direct: bool | None = None, one_way: bool = False,
                   name: str = "graph") -> Fabric:
        """Of links: each (a, b) or (a, b, {...}) with `bandwidth`, `latency`, `cables` side by side, `eta_alpha` or `eta_beta`.

        Numbers are bytes per second and seconds; texts are the command's. What a link leaves out is the command's default.
        `switches` are the nodes that are no endpoints; a dict says what each offers: {"s": {"alu": True}}. Rank i sits on
        the i-th endpoint: in the order of `endpoints`, or if all are whole numbers by number, or as they come up.
        `direct`: endpoints pass on messages (None: where there are no switches). `one_way`: each is one link, not two.
        """
        links = [_edge(edge) for edge in edges]
        offers = {node: dict(switches[node] or {}) if isinstance(switches, dict) else {} for node in switches}
        if endpoints is None:
            ends = list(dict.fromkeys(node for edge in links for node in edge[:2] if node not in offers))
            if all(isinstance(node, numbers.Integral) for node in ends):
                ends.sort()
        else:
            ends = list(endpoints)
        nodes = _named([*ends, *offers])
        document: dict[str, Any] = {"endpoints": [str(node) for node in ends]}
        if offers:
            document["switches"] = [_switch(node, offered) for node, offered in offers.items()]
        tiers, tier_of = _tiers(links, offers)
        document["tiers"] = tiers
        if direct is not None:
            document["direct"] = bool(direct)
        document["links"] = [_link(edge, tier, one_way, nodes) for edge, tier in zip(links, tier_of)]
        return cls._of_text(json.dumps(document, default=_plain), name, nodes)

    @classmethod
    def from_graph(cls, graph: Any, *, name: str | None = None) -> Fabric:
        """Of a graph of networkx. Nodes with switch=True are switches, edges are as in from_edges, and those of a directed graph
        are one-way links. Rank i sits on the i-th node that is an endpoint, by number where all are whole numbers."""
        offers: dict[Node, dict[str, Any]] = {}
        endpoints: list[Node] = []
        for node, data in graph.nodes(data=True):
            if data.get("switch"):
                offers[node] = {key: data[key] for key in _OFFERS if key in data}
            else:
                endpoints.append(node)
        if all(isinstance(node, numbers.Integral) for node in endpoints):
            endpoints.sort()
        edges = list(graph.edges(data=True))
        return cls.from_edges(edges, switches=offers, endpoints=endpoints, direct=graph.graph.get("direct"),
                              one_way=graph.is_directed(), name=name or "graph")

    @property
    def text(self) -> str:
        """As a file (docs/fabric-file.md), which topology="file:…" reads again."""
        return self._core.text()

    def save(self, path: PathLike) -> None:
        """Writes that file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    @property
    def name(self) -> str:
        """As tables call it: a topology's text, or given:NAME."""
        return self._core.topology

    @property
    def endpoints(self) -> list[Node]:
        """Nodes that ranks sit on, in their order."""
        return self._nodes[:self._core.endpoints]

    @property
    def switches(self) -> list[Node]:
        """The other nodes."""
        return self._nodes[self._core.endpoints:]

    @property
    def properties(self) -> dict[str, Any]:
        """What `heddle topo --json` says of it: a dict."""
        said: dict[str, Any] = json.loads(self._core.description())
        return said

    @property
    def links(self) -> npt.NDArray[Any]:
        """A structured array with a row for each link: both ways of a cable are two."""
        rows = [(name, self._nodes[source], self._nodes[dest], tier, bandwidth, ps * 1e-12)
                for name, source, dest, tier, bandwidth, ps in self._core.links()]
        kinds = [("name", object), ("source", object), ("dest", object), ("tier", np.int32), ("bandwidth", np.float64),
                 ("latency", np.float64)]
        made = np.empty(len(rows), kinds)
        for number, row in enumerate(rows):
            made[number] = row
        return made

    def route(self, source: Node, dest: Node) -> list[Way]:
        """The ways of a message between two endpoints: a list of heddle.fabrics.Way. Shares are those of a message alone."""
        return [Way(share, [self._nodes[vertex] for vertex in vertices], ps * 1e-12)
                for share, vertices, ps in self._core.route(self._endpoint(source), self._endpoint(dest))]

    def _endpoint(self, node: Node) -> int:
        number = self._numbers.get(node)
        if number is None and isinstance(node, numbers.Integral):
            number = int(node)  # a rank's
        if number is None or not 0 <= number < self._core.endpoints:
            names = [str(one) for one in self.endpoints]
            raise InputError(_core.unknown_name("endpoint", str(node), names))
        return number

    def to_networkx(self) -> Any:
        """A graph of networkx that from_graph makes the same links of: Graph, or a MultiGraph where links lie side by side, or a
        MultiDiGraph where some are one-way. What else a topology has is not in it: a grid, ways that are not shortest, times
        but those of links."""
        import networkx

        document = json.loads(self.text)
        one_way = any(link.get("one_way") for link in document["links"])
        pairs = [frozenset((link["from"], link["to"])) for link in document["links"]]
        kind = networkx.MultiDiGraph if one_way else networkx.Graph if len(set(pairs)) == len(pairs) else networkx.MultiGraph
        graph = kind(direct=document.get("direct", not document.get("switches")))
        named = dict(zip(self._core.vertices(), self._nodes))
        for node in self.endpoints:
            graph.add_node(node)
        for one in document.get("switches", []):
            one = {"name": one} if isinstance(one, str) else one
            graph.add_node(named[one["name"]], switch=True, **{key: value for key, value in one.items() if key != "name"})
        speeds = self._core.speeds()
        for link in document["links"]:
            bandwidth, latency_ps, eta_alpha, eta_beta = speeds[min(link["tier"], len(speeds) - 1)]
            data = {"bandwidth": bandwidth, "latency": latency_ps * 1e-12}
            data |= {key: eta for key, eta in (("eta_alpha", eta_alpha), ("eta_beta", eta_beta)) if eta != 1}
            if link.get("cables", 1) != 1:
                data["cables"] = link["cables"]
            ends = named[link["from"]], named[link["to"]]
            graph.add_edge(*ends, **data)
            if one_way and not link.get("one_way"):
                graph.add_edge(*reversed(ends), **data)
        return graph

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fabric) and (self._flags, self._text()) == (other._flags, other._text())

    def __hash__(self) -> int:
        return hash((tuple(self._flags), self._text()))

    def _text(self) -> str | None:
        return None if self._given is None else self._given.text

    def __repr__(self) -> str:
        return f"<heddle.Fabric {self.name}: {len(self.endpoints)} endpoints, {len(self.switches)} switches>"

    def __reduce__(self) -> tuple[Any, ...]:
        names = None if self._given is None else dict(zip(self._core.vertices(), self._nodes))
        return _restored, (self._flags, self._text(), self._given and self._given.name, names)


_FLAGS = flags_of_group("Fabric") | {"--topo"}


def _restored(flags: _Given, text: str | None, name: str, nodes: Mapping[str, Node] | None) -> Fabric:
    if text is not None:
        return Fabric._of_text(text, name, nodes)
    made = object.__new__(Fabric)
    made._set(flags, None, None)
    return made


def _plain(value: object) -> Any:
    """A number of numpy as JSON has it."""
    if not isinstance(value, np.generic):
        raise InputError(f"{value!r}: a {type(value).__name__}, which no fabric has; a text, a number or a bool is right")
    return value.item()


def _named(nodes: Iterable[Node]) -> dict[str, Node]:
    """Nodes by their names in a file."""
    named: dict[str, Node] = {}
    for node in nodes:
        if named.setdefault(str(node), node) is not node:
            raise InputError(f"nodes {named[str(node)]!r} and {node!r}: both are called '{node}' in a fabric; rename one")
    return named


def _edge(edge: Link) -> _Edge:
    if not isinstance(edge, (tuple, list)) or len(edge) not in (2, 3) or (len(edge) == 3 and not isinstance(edge[2], dict)):
        raise InputError(f"{edge!r}: not a link; (a, b) or (a, b, {{...}}) is right")
    return (edge[0], edge[1], edge[2] if len(edge) == 3 else {})


def _switch(node: Node, offered: Mapping[str, Any]) -> dict[str, Any]:
    unknown = set(offered) - set(_OFFERS)
    if unknown:
        raise InputError(_core.unknown_name(f"offer of switch {node!r}", str(min(unknown)), list(_OFFERS)))
    return {"name": str(node), **offered}


def _tiers(edges: Sequence[_Edge], switches: Mapping[Node, Any]) -> tuple[list[dict[str, Any]], list[int]]:
    """The kinds of speeds that there are, those at endpoints first, and the kind of each edge."""
    kinds: dict[_Speeds, bool] = {}
    of_edge: list[_Speeds] = []
    for source, dest, data in edges:
        unknown = set(data) - set(_SPEEDS) - {"cables"}
        if unknown:
            known = [*_SPEEDS, "cables"]
            raise InputError(f"link {source!r} to {dest!r}: {_core.unknown_name('value', str(min(unknown, key=str)), known)}")
        for key in ("eta_alpha", "eta_beta"):
            if data.get(key) is not None and not isinstance(data[key], numbers.Real):
                raise InputError(f"link {source!r} to {dest!r}: {key}={data[key]!r}; a number is right")
        speeds: _Speeds = tuple((key, float(data[key]) if key.startswith("eta") else text_of(data[key], unit))
                                for key, unit in _SPEEDS.items() if data.get(key) is not None)
        at_endpoint = source not in switches or dest not in switches
        kinds[speeds] = kinds.get(speeds, False) or at_endpoint
        of_edge.append(speeds)
    order = sorted(kinds, key=lambda speeds: not kinds[speeds])
    if len(order) > _MOST_TIERS:
        raise InputError(f"the links have {len(order)} kinds of bandwidth and latency; {_MOST_TIERS} are possible: round them")
    numbers_of = {speeds: number for number, speeds in enumerate(order)}
    names = ["links"] if len(order) == 1 else [f"links {number}" for number in range(len(order))]
    tiers: list[dict[str, Any]] = [{"name": name, **dict(speeds)} for name, speeds in zip(names, order)]
    return tiers or [{"name": "links"}], [numbers_of[speeds] for speeds in of_edge]


def _link(edge: _Edge, tier: int, one_way: bool, nodes: Mapping[str, Node]) -> dict[str, Any]:
    source, dest, data = edge
    for node in (source, dest):
        if str(node) not in nodes:
            raise InputError(f"link {source!r} to {dest!r}: {node!r} is neither among the endpoints nor among the switches")
    link: dict[str, Any] = {"from": str(source), "to": str(dest), "tier": tier}
    cables = data.get("cables", 1)
    if not isinstance(cables, numbers.Integral) or cables < 1:
        raise InputError(f"link {source!r} to {dest!r}: cables={cables!r}; 1 or more lie side by side")
    if cables != 1:
        link["cables"] = int(cables)
    if one_way:
        link["one_way"] = True
    return link
