// SPDX-License-Identifier: Apache-2.0
// `heddle topo`: what a fabric is, without running anything on it.
#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/flags/experiment_flags.hpp"
#include "cli/process/process.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "show/document/output_file.hpp"
#include "show/drawing/fabric_drawing.hpp"
#include "show/drawing/picture_file.hpp"
#include "show/reports/fabric_description.hpp"
#include "topo/files/file_graph.hpp"

namespace heddle {

namespace {

struct TopoOptions {
  std::string topology;
  ExperimentFlags fabric = {};
  bool dot = false;
  std::optional<std::string> svg;  ///< a picture's file
  std::optional<std::string> json;
  std::optional<std::string> file;  ///< as a fabric's file
};

void require_apart_outputs(const TopoOptions& options) {
  if (options.dot && options.json == "-")
    throw InputError("--json - and --dot: standard output takes one of them; give --json a file");
  std::vector<NamedOutput> files;
  if (options.json) files.push_back({"--json", *options.json});
  if (options.svg) files.push_back({"--svg", *options.svg});
  if (options.file) files.push_back({"--fabric-file", *options.file});
  require_apart(files);
}

int describe_topology(const TopoOptions& options, std::ostream& out) {
  if (options.topology.empty()) throw InputError("the topology is missing; try: heddle topo torus:8x8");
  require_apart_outputs(options);
  const ReportOutput json("--json", options.json);
  FabricSpec spec = options.fabric.read().fabric;
  spec.topology = options.topology;
  const Fabric fabric = build_fabric(spec, "topo");
  if (options.svg) {
    read_flag("--svg", *options.svg, [&](std::string_view path) {
      pictures::require_picture_file(path);
      const OutputFile file{std::string(path)};
      file.write(pictures::picture_for(path, pictures::svg_fabric(fabric)));
    });
  }
  if (options.file) {
    read_flag("--fabric-file", *options.file, [&](std::string_view path) {
      if (path == "-") throw InputError("'-': a fabric's file is a file; try fabric.json");
      OutputFile{std::string(path)}.write(fabric_file_text(fabric));
    });
  }
  if (options.dot) write_dot(fabric.topology(), out);
  if (options.dot && !json.is_wanted()) return kExitOk;
  const Document report = fabric_report(describe(fabric));
  if (options.dot)
    json.write(json_text(json_of(report)), out);
  else
    write_report(report, json, out);
  return kExitOk;
}

}  // namespace

Command add_topo_command(CLI::App* command) {
  const auto options = std::make_shared<TopoOptions>();
  command->add_option("SPEC", options->topology, "The fabric's shape, e.g. torus:8x8")->type_name("");
  options->fabric = ExperimentFlags(*command);
  options->fabric.add_group(flag_groups::kFabric);
  const FlagGroup output(*command, "Output");
  output.add_json(options->json);
  output.add_switch("--dot", options->dot, "As a graph for Graphviz: heddle topo SPEC --dot | dot -Tsvg > fabric.svg");
  output.add("--svg", options->svg, "PATH", "As a picture, to a file: out.svg or out.png");
  output.add("--fabric-file", options->file, "PATH",
             "As a graph in JSON, which --topo file:PATH reads again: vertices, groups, links and their speeds");
  command->footer(topology_families_text() +
                  "Besides: products (ring:4*star:8) and twisted tori (torus:8x4,twist=4), see docs/topologies.md.\n"
                  "\nExamples:\n  heddle topo torus:8x8 --preset swing-nsdi24\n  heddle topo star:8 --dot | dot -Tsvg > "
                  "star.svg\n  heddle topo "
                  "dragonfly:groups=5,routers=4,hosts=2 --svg dragonfly.svg");
  return {command, [options](std::ostream& out, std::ostream&) { return describe_topology(*options, out); }};
}

}  // namespace heddle
