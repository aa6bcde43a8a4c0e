// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/result_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/errors.hpp"
#include "core/printable.hpp"
#include "core/read_file.hpp"
#include "lab/documents/fabric_report.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "lab/sweep/sweep_journal.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

/// A run's document has no values on these axes of a sweep, or under other names.
std::string run_value(const Json& context, const Json& run, const std::string& name) {
  if (name == "size") return to_string(Bytes(run.at("bytes").get<std::int64_t>()));
  if (name == "algorithm") return run.at("algorithm").get<std::string>();
  if (name != "fault") return fabric_value(context, name);
  if (!context.contains("faults")) return "";
  return fmt::format("{}", fmt::join(context.at("faults").get<std::vector<std::string>>(), "+"));
}

/// A sweep says "none" where a run says nothing.
std::string sweep_value(const Json& fabric, const SweepResult& run, const std::string& name) {
  std::string value = axis_value(fabric, run, name);
  return name == "fault" && value == "none" ? "" : value;
}

void append_runs(ResultFile& file, const Json& document) {
  const Json& context = document.at("context");
  file.version = context.at("version").get<std::string>();
  file.is_complete = file.is_complete && document.value("complete", true);
  file.contexts.push_back(context);
  for (const Json& run : document.at("runs")) {
    if (run.contains("stopped")) continue;  // before it had a result
    ResultCell cell;
    cell.context = file.contexts.size() - 1;
    for (const std::string& name : cell_names()) cell.values.push_back(printable(run_value(context, run, name)));
    if (run.contains("error"))
      cell.failure = printable(run.at("error").at("kind").get<std::string>());
    else
      cell.time = time_from_json(run.at("time_s").get<double>());
    file.cells.push_back(std::move(cell));
  }
}

ResultFile file_of_runs(const std::string& path, const Json& root) {
  ResultFile file;
  file.path = path;
  try {
    if (root.is_array())
      for (const Json& document : root) append_runs(file, document);
    else
      append_runs(file, root);
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}': {}", path, error.what()));
  } catch (const Json::exception&) {
    throw InputError(fmt::format("'{}': not what 'heddle run --json' or 'heddle sweep --json' writes", path));
  }
  return file;
}

ResultFile file_of_sweep(const std::string& path) {
  const SweepFile sweep = read_sweep_file(path);
  if (!sweep.has_header) throw InputError(fmt::format("'{}': holds nothing yet", path));
  const SweepDocument& document = sweep.document;
  ResultFile file;
  file.path = path;
  file.kind = ResultFile::Kind::sweep;
  file.version = document.context.at("version").get<std::string>();
  file.is_complete = document.shard.is_whole() && is_complete(document);
  for (const Json& fabric : document.context.at("fabrics")) file.contexts.push_back(fabric);
  for (const SweepResult& run : document.runs) {
    if (!is_finished(run)) continue;
    const Json& fabric = fabric_of(document, run);
    ResultCell cell;
    cell.context = static_cast<std::size_t>(&fabric - &document.context.at("fabrics").at(0));
    for (const std::string& name : cell_names()) cell.values.push_back(printable(sweep_value(fabric, run, name)));
    if (run.failure)
      cell.failure = to_string(run.failure->kind);
    else
      cell.time = run.measured->time;
    file.cells.push_back(std::move(cell));
  }
  return file;
}

bool is_of_runs(const Json& root) {
  const Json* first = root.is_array() && !root.empty() ? &root.front() : &root;
  return first->is_object() && first->contains("context") && first->contains("runs") && !first->contains("planned");
}

/// Discarded: it is none.
Json read_json(const std::string& path) {
  try {
    return Json::parse(read_file(path), nullptr, false);
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}': {}", path, error.what()));
  }
}

}  // namespace

const std::vector<std::string>& cell_names() {
  static const std::vector<std::string> kNames = {"collective", "topology", "preset",    "bandwidth", "latency",
                                                  "routing",    "fault",    "placement", "ranks",     "groups",
                                                  "datatype",   "op",       "root",      "size",      "algorithm"};
  return kNames;
}

ResultFile read_result_file(const std::string& path) {
  const Json root = read_json(path);
  return !root.is_discarded() && is_of_runs(root) ? file_of_runs(path, root) : file_of_sweep(path);
}

}  // namespace heddle
