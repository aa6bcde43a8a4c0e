// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/read_experiment.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <limits>
#include <string_view>

#include "core/errors.hpp"
#include "lab/grammar/flag_value.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

namespace {

/// Calls visit(name, member) for each of these flags.
template <class Visit>
void visit_flags(const FabricOptions& options, Visit visit) {
  visit("--preset", options.preset);
  visit("--bw", options.bandwidth);
  visit("--latency", options.latency);
  visit("--eta-alpha", options.eta_alpha);
  visit("--eta-beta", options.eta_beta);
  visit("--hop", options.hop);
  visit("--host-link", options.host_link);
  visit("--alpha", options.alpha);
  visit("--gamma", options.gamma);
  visit("--send-overhead", options.send_overhead);
  visit("--recv-overhead", options.recv_overhead);
  visit("--routing", options.routing);
}

template <class Visit>
void visit_flags(const RunOptions& options, Visit visit) {
  visit("--plugin", options.plugins);
  visit("--size", options.size);
  visit("--datatype", options.datatype);
  visit("--values", options.values);
  visit("--op", options.op);
  visit("--root", options.root);
  visit("--blocks", options.blocks);
  visit("--skew", options.skew);
  visit("--counts", options.counts);
  visit("--in-place", options.in_place);
  visit("--out-of-place", options.out_of_place);
  visit("--ranks", options.ranks);
  visit("--placement", options.placement);
  visit("--groups", options.groups);
  visit("--alone", options.alone);
  visit("--background", options.background);
  visit("--fault", options.faults);
  visit("--buffering", options.buffering);
  visit("--model", options.model);
  visit("--threads", options.threads);
  visit("--stack", options.stack);
  visit("--order-seed", options.order_seed);
  visit("--order", options.order);
  visit("--explore", options.explore);
  visit("--clock", options.clock);
  visit("--dilate", options.dilation);
  visit("--deadline", options.deadline);
  visit("--payload", options.payload);
  visit("--calls", options.calls);
  visit("--positions", options.positions);
  visit("--seed", options.seed);
  visit("--iters", options.iterations);
  visit("--warmup_iters", options.warmup);
}

/// Gives what was written to set_flag.
class Setter {
 public:
  explicit Setter(Experiment& experiment) : experiment_(experiment) {}

  void operator()(std::string_view flag, const std::string& text) const {
    if (!text.empty()) set_flag(experiment_, flag, text);
  }
  void operator()(std::string_view flag, const std::optional<std::string>& text) const {
    if (text) set_flag(experiment_, flag, *text);
  }
  void operator()(std::string_view flag, const std::vector<std::string>& texts) const {
    for (const std::string& text : texts) set_flag(experiment_, flag, text);
  }
  void operator()(std::string_view flag, bool is_given) const {
    if (is_given) set_flag(experiment_, flag, "");
  }

 private:
  Experiment& experiment_;
};

void require_checks(const RunOptions& options) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (read_flag("--check", options.check, [](std::string_view text) { return parse_integer(text, 0, kMost); }) == 0)
    throw InputError("--check 0: every result is checked before its time is reported; leave --check out");
}

/// Who gives a flag expects that it does something: one that changes nothing of this call is refused.
void refuse_idle_flags(const RunOptions& options, Collective collective) {
  const auto refuse_if = [&options](bool is_idle, const std::vector<std::string_view>& flags, std::string_view why) {
    if (!is_idle || options.command == nullptr) return;
    for (const std::string_view flag : flags) {
      const CLI::Option* option = options.command->get_option_no_throw(std::string(flag));
      if (option != nullptr && option->count() > 0) throw InputError(fmt::format("{}: {}; leave it out", flag, why));
    }
  };
  const std::string name = to_string(collective);
  refuse_if(collective == Collective::barrier,
            {"--size", "--datatype", "--values", "--in-place", "--out-of-place", "--blocks", "--payload"},
            "a barrier has no data");
  refuse_if(!reduces(collective), {"--op"}, name + " reduces nothing");
  refuse_if(!has_root(collective), {"--root"}, name + " has no root");
  refuse_if(!options.groups, {"--alone"}, "without --groups all ranks call together");
  refuse_if(!options.outputs.json, {"--links"}, "only the report of --json lists links");
}

/// What the value that they make does not show any more.
void require_consistent(const RunOptions& options) {
  if (options.in_place && options.out_of_place) throw InputError("--in-place and --out-of-place: one or the other");
  if (options.dilation && options.clock == "virtual")
    throw InputError("--dilate: the virtual clock knows no wall time; add --clock wall");
  if (options.beside && !options.over) throw InputError("--beside: beside what? It goes with --over");
  require_checks(options);
}

}  // namespace

FabricSpec read_fabric_spec(const FabricOptions& options) {
  Experiment experiment;
  visit_flags(options, Setter(experiment));
  experiment.fabric.topology = options.topology;
  return experiment.fabric;
}

Experiment read_experiment(const RunOptions& options) {
  Experiment experiment;
  if (options.collective.empty())
    throw InputError("the collective is missing; try: heddle run allreduce --topo torus:8x8 --size 1MiB");
  experiment.collective = parse_collective(options.collective);
  experiment.fabric = read_fabric_spec(options.fabric);
  visit_flags(options, Setter(experiment));
  require_consistent(options);
  refuse_idle_flags(options, experiment.collective);
  if (options.outputs.heatmap_of && !options.outputs.heatmap)
    throw InputError("--heatmap-of: it says what --heatmap shows, which is missing; try --heatmap -");
  experiment.keep_timeline = options.outputs.trace.has_value() || options.explain || options.outputs.heatmap_of == "contention";
  return experiment;
}

std::optional<Tuning> read_tuning(const RunOptions& options) {
  constexpr int kMostVariants = 1'000'000;
  if (!options.tune) {
    if (options.tune_budget) throw InputError("--tune-budget: nothing is tuned; add --tune options");
    return std::nullopt;
  }
  if (*options.tune != "options")
    throw InputError(fmt::format("--tune '{}': nothing to tune; try --tune options", *options.tune));
  Tuning tuning;
  if (options.tune_budget)
    tuning.budget = static_cast<int>(read_flag("--tune-budget", *options.tune_budget,
                                               [](std::string_view text) { return parse_integer(text, 1, kMostVariants); }));
  return tuning;
}

Setup set_up(const RunOptions& options, const std::shared_ptr<ProcessRanks>& over) {
  Experiment experiment = read_experiment(options);
  experiment.over = over;
  Setup setup = set_up(experiment, options.algorithms, read_tuning(options));
  setup.shown_links = static_cast<std::size_t>(read_flag("--links", options.links, [](std::string_view text) {
    return parse_integer(text, 0, std::numeric_limits<LinkId>::max());
  }));
  setup.explain = options.explain;
  return setup;
}

}  // namespace heddle
