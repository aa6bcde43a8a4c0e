// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/topo_command.hpp"

#include <CLI/App.hpp>
#include <ostream>
#include <string>
#include <string_view>

#include "cli/flags/fabric_flags.hpp"
#include "cli/process/exit_status.hpp"
#include "core/errors.hpp"
#include "lab/grammar/flag_value.hpp"
#include "show/fabric/dot_drawing.hpp"
#include "show/fabric/fabric_description.hpp"
#include "show/files/picture_file.hpp"
#include "show/output_file.hpp"
#include "show/svg/svg_fabric.hpp"

namespace heddle {

void add_topo_command(CLI::App& app, TopoOptions& options) {
  CLI::App* command = app.add_subcommand("topo", "Describe a fabric: size, degree, diameter, bisection, latency");
  command->add_option("SPEC", options.fabric.topology, "The fabric's shape, e.g. torus:8x8")->type_name("");
  add_fabric_flags(*command, options.fabric);
  CLI::Option* json = command->add_flag("--json", options.json, "As JSON")->group("Output");
  command->add_flag("--dot", options.dot, "As a graph for Graphviz: heddle topo SPEC --dot | dot -Tsvg > fabric.svg")
      ->group("Output")
      ->excludes(json);
  command->add_option("--svg", options.svg, "As a picture, to a file: out.svg or out.png")->type_name("PATH")->group("Output");
  command->footer(topology_families_text() +
                  "\nExamples:\n  heddle topo torus:8x8 --preset swing-nsdi24\n  heddle topo star:8 --dot | dot -Tsvg > "
                  "star.svg\n  heddle topo "
                  "dragonfly:groups=5,routers=4,hosts=2 --svg dragonfly.svg");
}

int topo_command(const TopoOptions& options, std::ostream& out) {
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

}  // namespace heddle
