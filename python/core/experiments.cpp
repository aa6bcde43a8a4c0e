// SPDX-License-Identifier: Apache-2.0
// Experiments by the command's flags, and the tables of names that there are.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/nearest_name.hpp"
#include "heddle/collective.hpp"
#include "heddle/registry.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/describe/flag_table.hpp"
#include "python/core/bindings.hpp"
#include "python/core/fabrics.hpp"
#include "python/core/rank_ops.hpp"

namespace heddle::python {

namespace {

using Given = std::vector<std::pair<std::string, std::string>>;

/// In place of its op. Throws InputError where nothing is reduced.
void give(Experiment& experiment, const PythonOp& op) {
  if (!reduces(experiment.collective))
    throw InputError(fmt::format("op={}: a {} reduces nothing", op.op->name(), to_string(experiment.collective)));
  experiment.op = op.op;
  experiment.own_op = op.own;
}

Experiment read_experiment(const std::string& collective, const Given& given, const std::vector<GivenFabric>& fabrics,
                           const std::optional<PythonOp>& op) {
  std::vector<GivenFlag> flags;
  for (const auto& [name, value] : given) flags.push_back({name, value});
  Experiment experiment = read_flags(parse_collective(collective), flags);
  give(experiment, fabrics);
  if (op) give(experiment, *op);
  return experiment;
}

/// What read_experiment makes it of again, one pair for each value.
Given given_of(const Experiment& experiment) {
  Given given;
  for (const ExperimentFlag& flag : experiment_flags())
    for (const std::string& value : flag.value.get(experiment)) given.emplace_back(flag.name, value);
  return given;
}

/// A row of the table of flags.
py::tuple flag_tuple(const ExperimentFlag& flag) {
  const bool takes_value = flag.takes != ExperimentFlag::Takes::nothing;
  return py::make_tuple(flag.name, takes_value ? flag.type : "", flag.takes == ExperimentFlag::Takes::values, flag.help,
                        flag.usual, std::string(flag.group));
}

}  // namespace

void add_experiments(py::module_& module) {
  py::class_<Experiment>(module, "Experiment", "What is run, as C++ has it: heddle.Experiment is made of it.")
      .def_static("read", &read_experiment, py::arg("collective"), py::arg("given"), py::arg("fabrics"),
                  py::arg("op") = py::none())
      .def_static("parse", [](const std::string& text) { return Experiment::parse(text); })
      .def("with_fabrics",
           [](Experiment experiment, const std::vector<GivenFabric>& fabrics) {
             give(experiment, fabrics);
             return experiment;
           })
      .def("text", &Experiment::text)
      .def("given", &given_of)
      .def_property_readonly("collective", [](const Experiment& what) { return to_string(what.collective); })
      .def_property_readonly("element_size", [](const Experiment& what) { return type_of(what).size(); });
  module.def("flags", [] {
    py::list rows;
    for (const ExperimentFlag& flag : experiment_flags()) rows.append(flag_tuple(flag));
    return rows;
  });
  module.def("collectives", [] {
    std::vector<std::string> names;
    for (const Collective collective : all_collectives()) names.push_back(to_string(collective));
    return names;
  });
  module.def("datatypes", [] {
    std::vector<std::string> names;
    for (const Datatype type : builtin_datatypes()) names.push_back(to_string(type));
    return names;
  });
  module.def("algorithms", [](const std::string& collective) {
    std::vector<std::string> names;
    for (const Algorithm* algorithm : algorithms_of(parse_collective(collective))) names.push_back(algorithm->name);
    return names;
  });
  module.def("unknown_name", [](const std::string& kind, const std::string& name, const std::vector<std::string>& names) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    return unknown_name_message(kind, name, known);
  });
}

}  // namespace heddle::python
