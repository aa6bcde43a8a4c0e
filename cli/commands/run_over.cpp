// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands/run_command.hpp"
#include "cli/process/process.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/value_lists.hpp"
#include "net/study/network_ranks.hpp"
#include "show/document/output_file.hpp"
#include "show/reports/run_table.hpp"
#include "show/terminal/terminal.hpp"

namespace heddle {

namespace {

/// Rows of one table that other setups begin and end.
class RowsOf final : public Reporter {
 public:
  explicit RowsOf(Reporter& table) : table_(table) {}
  void add(const Outcome& outcome) override { table_.add(outcome); }

 private:
  Reporter& table_;
};

void require_no_pictures(const RunFlags& options) {
  const auto refuse = [](bool is_given, std::string_view flag) {
    if (is_given)
      throw InputError(fmt::format("{0}: a real network shows no links; draw an emulated run, without --transport", flag));
  };
  for (const RunOutput* output : options.outputs.outputs()) refuse(true, output->flag);
  refuse(options.tune.what.has_value(), "--tune");
}

/// One for each size, smallest first.
std::vector<Setup> plans_of(const RunFlags& flags, const std::shared_ptr<net::NetworkRanks>& processes) {
  require_no_pictures(flags);
  Experiment experiment = flags.experiment.read({"--size"});
  if (!experiment.fabric.topology.empty())
    throw InputError(
        fmt::format("--topo {0}: with --transport the network is there; --reference {0} compares it with an emulated one",
                    experiment.fabric.topology));
  experiment.fabric.topology = flags.beside.value_or(fmt::format("star:{}", processes->size()));
  experiment.over = processes;
  std::vector<std::optional<Bytes>> sizes = {std::nullopt};
  if (flags.experiment.has("--size")) {
    const std::vector<Bytes> given = read_flag("--size", flags.experiment.text("--size"), parse_sizes);
    sizes.assign(given.begin(), given.end());
  }
  std::vector<Setup> setups;
  for (const std::optional<Bytes> size : sizes) {
    experiment.size = size;
    setups.push_back(set_up(flags, experiment));
    setups.back().is_beside = flags.beside.has_value();
  }
  if (flags.beside) processes->set_shape(setups.front());
  return setups;
}

/// All processes go on, or the first one says why none does.
void agree(net::Transport& transport, const std::string& refusal) {
  const std::vector<std::string> all = net::gather_text(transport, refusal);
  const auto refused = std::ranges::find_if(all, [](const std::string& text) { return !text.empty(); });
  if (refused == all.end()) return;
  const bool is_common = std::ranges::all_of(all, [&](const std::string& text) { return text == *refused; });
  throw InputError(is_common ? *refused : fmt::format("rank {}: {}", refused - all.begin(), *refused));
}

std::string json_of(const std::vector<std::string>& documents) {
  return documents.size() == 1 ? documents.front() : fmt::format("[\n{}]\n", fmt::join(documents, ",\n"));
}

int run_plans(const std::vector<Setup>& setups, const RunFlags& options, std::ostream& out, std::ostream& err) {
  const ReportOutput json_output("--json", options.outputs.json);
  std::ostringstream nowhere;
  TableReporter table(options.outputs.json == "-" ? nowhere : out,
                      options.wide ? TableReporter::kWide : columns_of(out).value_or(TableReporter::kUsualWidth));
  RowsOf rows(table);
  std::vector<std::string> documents;
  int status = kExitOk;
  table.begin(setups.back());  // which needs the widest columns
  for (const Setup& setup : setups) {
    std::ostringstream document;
    JsonReporter json(document);
    const std::vector<Reporter*> reporters = {&rows, &json};
    status = std::max(status, execute(setup, reporters, err));
    documents.push_back(document.str());
  }
  table.end(setups.back());
  json_output.write(json_of(documents), out);
  return status;
}

}  // namespace

int run_over(const RunFlags& options, std::ostream& out, std::ostream& err) {
  const std::unique_ptr<net::Transport> transport =
      read_flag("--transport", *options.over, [](std::string_view name) { return net::open_network(name, "heddle run"); });
  const auto processes = std::make_shared<net::NetworkRanks>(*transport, net::RankSettings{.stall_seconds = 60});
  std::vector<Setup> setups;
  std::string refusal;
  try {
    setups = plans_of(options, processes);
  } catch (const InputError& error) {
    refusal = error.what();
  }
  const bool is_first = transport->rank() == 0;
  try {
    agree(*transport, refusal);
  } catch (const InputError&) {
    if (is_first) throw;
    return kExitOk;  // a launcher ends the first one, before it has said why, if another fails
  }
  std::ostringstream nowhere;
  if (is_first) return run_plans(setups, options, out, err);
  RunFlags own = options;
  own.outputs.json.reset();
  run_plans(setups, own, nowhere, nowhere);
  return kExitOk;
}

}  // namespace heddle
