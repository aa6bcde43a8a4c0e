// SPDX-License-Identifier: Apache-2.0
// Fabrics as values: of a graph, or of a topology's text, with their links and routes.
#include "python/core/fabrics.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <utility>

#include "heddle/errors.hpp"
#include "python/core/bindings.hpp"
#include "python/core/stop.hpp"
#include "show/reports/fabric_description.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/ways.hpp"
#include "topo/files/file_graph.hpp"

namespace heddle::python {

void give(Experiment& experiment, const std::vector<GivenFabric>& fabrics) {
  if (fabrics.empty()) return;
  auto given = std::make_shared<GivenFabrics>();
  for (const GivenFabric& one : fabrics)
    if (!given->try_emplace(one.name, one.topology).second)
      throw InputError(fmt::format("fabric: two are called '{}'; give one another name=", one.name));
  experiment.fabric.given = std::move(given);
}

namespace {

py::list vertices_of(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  py::list names;
  for (VertexId vertex = 0; vertex < topology.endpoints() + topology.switches(); ++vertex)
    names.append(topology.vertex_name(vertex));
  return names;
}

/// Of each link its name, ends, tier, bytes a second, and picoseconds.
py::list links_of(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  py::list links;
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    links.append(py::make_tuple(topology.link_name(link), ends.from, ends.to, topology.tier(link),
                                fabric.bandwidth(link).bytes_per_second(), fabric.latency(link).ps()));
  }
  return links;
}

/// Of each tier bytes a second, picoseconds, and the two factors.
py::list speeds_of(const Fabric& fabric) {
  py::list speeds;
  for (const LinkSpeed& speed : fabric.settings().tiers)
    speeds.append(py::make_tuple(speed.bandwidth.bytes_per_second(), speed.latency.ps(), speed.eta_alpha, speed.eta_beta));
  return speeds;
}

/// Of each way its share, its vertices and its latency in picoseconds.
py::list route_of(const Fabric& fabric, VertexId from, VertexId to) {
  const Topology& topology = fabric.topology();
  for (const VertexId end : {from, to})
    if (end < 0 || end >= topology.endpoints())
      throw InputError(fmt::format("route: there is no endpoint {}; they are 0 to {}", end, topology.endpoints() - 1));
  Route route;
  FilledRoutes(fabric).find(from, to, route);
  py::list ways;
  for (const Route::Path& path : route.paths()) {
    py::list vertices;
    vertices.append(from);
    for (std::int32_t i = path.first; i < path.first + path.count; ++i) {
      const LinkId link = route.links()[static_cast<std::size_t>(i)];
      vertices.append(topology.ends(link < topology.links() ? link : topology.trunk(link).first).to);
    }
    ways.append(py::make_tuple(path.share, vertices, fabric.path_latency(route, path).ps()));
  }
  return ways;
}

}  // namespace

void add_fabrics(py::module_& module) {
  py::class_<GivenFabric>(module, "GivenFabric", "A fabric that the text of a file describes.")
      .def(py::init([](std::string text, std::string name) {
             auto topology = fabric_from_text(text, name);
             return GivenFabric{std::move(name), std::move(text), std::move(topology)};
           }),
           py::arg("text"), py::arg("name"))
      .def_readonly("name", &GivenFabric::name)
      .def_readonly("text", &GivenFabric::text);
  py::class_<Fabric>(module, "Fabric", "That of an experiment, with its speeds.")
      .def(py::init([](const Experiment& experiment) { return build_fabric(experiment.fabric); }))
      .def_property_readonly("topology", [](const Fabric& fabric) { return fabric.topology().spec(); })
      .def_property_readonly("endpoints", [](const Fabric& fabric) { return fabric.topology().endpoints(); })
      .def("vertices", &vertices_of)
      .def("links", &links_of)
      .def("speeds", &speeds_of)
      .def("route", &route_of, py::arg("source"), py::arg("dest"))
      .def("text", &fabric_file_text)
      .def("description", [](const Fabric& fabric) { return line_text(json_of(fabric_report(describe(fabric)))); });
}

}  // namespace heddle::python
