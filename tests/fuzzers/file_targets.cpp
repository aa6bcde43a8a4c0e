// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/families/channel_graph.hpp"
#include "algorithms/families/channels.hpp"
#include "cli/command_line.hpp"
#include "lab/decisions/decision_file.hpp"
#include "lab/decisions/target.hpp"
#include "lab/results/fabric_fit.hpp"
#include "lab/sweep/sweep_journal.hpp"
#include "show/reports/decision_files.hpp"
#include "tests/fuzzers/memory_file.hpp"
#include "tests/fuzzers/refusal.hpp"
#include "tests/fuzzers/targets.hpp"

namespace heddle::fuzzers {

namespace {

/// Words between blanks and line feeds.
std::vector<std::string> words_of_line(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    if (end > begin) words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

/// Of an allreduce on 4 ranks.
decisions::Decisions some_decisions() {
  static constexpr decisions::Mapping kRing = {.collective = "allreduce", .row = "ring", .algorithm = "MPIR_ring"};
  const decisions::Decision decision{.bytes = 64, .choice = decisions::Choice{&kRing, "ring", Time::ps(1), {}}, .missed = {}};
  const decisions::Target& target = decisions::mpich_target();
  return {.target = &target,
          .collectives = {{decisions::collectives_of(target, Collective::allreduce).front(), {{4, "star:4", {decision}}}}},
          .failed = {}};
}

}  // namespace

void sweep_file(std::string_view text) {
  const MemoryFile file(text);
  may_refuse([&] { read_sweep_file(file.path()); });
}

void measured_runs(std::string_view text) {
  const MemoryFile file(text);
  may_refuse([&] {
    const std::vector<std::string> files = {file.path()};
    // What a table lacks is given, so that its rows are read.
    const bool is_of_collective =
        text.find("_perf") == text.npos && text.find("OSU") == text.npos && text.find("Bench") == text.npos;
    const bool says_ranks = text.find("Rank") != text.npos || text.find("#processes") != text.npos;
    LogFacts facts{.algorithm = "ring", .in_place = text.find("in-place") != text.npos};
    if (is_of_collective) facts.collective = Collective::allreduce;
    if (!says_ranks) facts.ranks = 4;
    const std::vector<MeasuredRun> runs = read_measurements(files, MeasuredTime::median, facts).runs;
    choose_fitted(runs, "");
    choose_fitted(runs, runs.front().experiment.algorithm);
  });
}

void mpich_base(std::string_view text) {
  const MemoryFile file(text);
  may_refuse([&] {
    const nlohmann::ordered_json base = decisions::read_mpich_base(file.path());
    decisions::mpich_json(some_decisions(), base, file.path());
  });
}

namespace {

/// Of an allreduce, and what it says of calls.
void decisions_of(const char* kind, std::string_view text) {
  const MemoryFile file(text);
  may_refuse([&] {
    const Algorithm entry = decisions::decision_algorithm(Collective::allreduce, std::string(kind) + file.path());
    for (const int ranks : {2, 7, 16})
      for (const std::int64_t bytes : {4, 4096, 1 << 20}) {
        const Shape shape{.ranks = ranks, .count = bytes / 4, .bytes = bytes};
        if (why_not(entry, shape, ReduceOp::sum()).empty()) entry.remark(shape);
      }
  });
}

}  // namespace

void openmpi_rules(std::string_view text) { decisions_of("openmpi:", text); }
void mpich_tuning(std::string_view text) { decisions_of("mpich:", text); }
void nccl_tuner(std::string_view text) { decisions_of("nccl:", text); }

void nccl_graph(std::string_view text) {
  const MemoryFile file(text);
  may_refuse([&] {
    const auto graph = plans::read_channel_graph(file.path());
    const std::vector<plans::ChannelRing> rings = plans::channel_rings(*graph, 2 * graph->gpus);
    demand(!rings.empty() && rings.size() == graph->chains.size(), "another number of rings than of channels");
    for (const plans::ChannelRing& ring : rings)
      for (int rank = 0; rank < 2 * graph->gpus; ++rank)
        demand(ring.at(ring.position.at(static_cast<std::size_t>(rank))) == Rank(rank), "a ring does not pass each rank once");
  });
}

void command_line(std::string_view text) {
  may_refuse([&] { check_command_line(words_of_line(text)); });
}

}  // namespace heddle::fuzzers
