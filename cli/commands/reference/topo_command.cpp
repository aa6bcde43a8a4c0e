// SPDX-License-Identifier: Apache-2.0
// `heddle topo`: what a fabric is, without running anything on it.
#include <CLI/App.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "cli/commands/commands.hpp"
#include "cli/flags/fabric_flags.hpp"
#include "cli/flags/flag_group.hpp"
#include "cli/process/exit_status.hpp"
#include "core/errors.hpp"
#include "lab/grammar/flag_value.hpp"
#include "show/fabric/dot_drawing.hpp"
#include "show/fabric/fabric_description.hpp"
#include "show/files/picture_file.hpp"
#include "show/output_file.hpp"
#include "show/svg/svg_fabric.hpp"

namespace heddle {

namespace {

struct TopoOptions {
  FabricOptions fabric;
  bool dot = false;
  std::optional<std::string> svg;  ///< a picture's file
  bool json = false;
};

int describe_topology(const TopoOptions& options, std::ostream& out) {
  if (options.fabric.topology.empty()) throw InputError("the topology is missing; try: heddle topo torus:8x8");
  const Fabric fabric = build_fabric(read_fabric_spec(options.fabric), "topo");
  if (options.dot) {
    write_dot(fabric.topology(), out);
    return kExitOk;
  }
  if (options.svg) {
    read_flag("--svg", *options.svg, [&](std::string_view path) {
      pictures::require_picture_file(path);
      const OutputFile file{std::string(path)};
      file.write(pictures::picture_for(path, pictures::svg_fabric(fabric)));
    });
  }
  const FabricDescription description = describe(fabric);
  out << (options.json ? json_of(description) : text_of(description));
  return kExitOk;
}

}  // namespace

Command add_topo_command(CLI::App& app) {
  const auto options = std::make_shared<TopoOptions>();
  CLI::App* command = app.add_subcommand("topo", "Describe a fabric: size, degree, diameter, bisection, latency");
  command->add_option("SPEC", options->fabric.topology, "The fabric's shape, e.g. torus:8x8")->type_name("");
  add_fabric_flags(*command, options->fabric);
  const FlagGroup output(*command, "Output");
  CLI::Option* json = output.add_switch("--json", options->json, "As JSON");
  output.add_switch("--dot", options->dot, "As a graph for Graphviz: heddle topo SPEC --dot | dot -Tsvg > fabric.svg")
      ->excludes(json);
  output.add("--svg", options->svg, "PATH", "As a picture, to a file: out.svg or out.png");
  command->footer(topology_families_text() +
                  "\nExamples:\n  heddle topo torus:8x8 --preset swing-nsdi24\n  heddle topo star:8 --dot | dot -Tsvg > "
                  "star.svg\n  heddle topo "
                  "dragonfly:groups=5,routers=4,hosts=2 --svg dragonfly.svg");
  return {command, [options](std::ostream& out, std::ostream&) { return describe_topology(*options, out); }};
}

}  // namespace heddle
