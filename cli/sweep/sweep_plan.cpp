// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "cli/fabric_report.hpp"
#include "cli/flag_value.hpp"
#include "cli/json_reporter.hpp"
#include "cli/tier_values.hpp"
#include "cli/version.hpp"
#include "core/errors.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;
using Texts = std::vector<std::string>;

constexpr std::size_t kMostRuns = 1'000'000;

/// Each once, in the order given.
void append_new(Texts& texts, std::string_view text) {
  if (std::ranges::find(texts, text) == texts.end()) texts.emplace_back(text);
}

Texts split_all(const Texts& given) {
  Texts parts;
  for (const std::string& text : given)
    for (const std::string_view part : split_list(text)) append_new(parts, part);
  return parts;
}

/// The values of a flag that need not be given, in which case there is one point without it.
std::vector<std::optional<std::string>> or_none(const Texts& texts) {
  if (texts.empty()) return {std::nullopt};
  return {texts.begin(), texts.end()};
}

/// Of the whole sweep, as texts of flags.
struct Axes {
  Texts topologies;
  std::vector<std::optional<std::string>> presets, bandwidths, latencies, ranks;
  Texts placements;
  Texts sizes;  ///< an empty text: without --size
};

Texts read_sizes(const SweepOptions& options) {
  if (options.sizes && options.nccl_sizes.any())
    throw InputError("--size and nccl-tests' flags for sizes (-b, -e, -f, -i): one or the other");
  std::vector<Bytes> sizes;
  if (options.sizes) sizes = read_flag("--size", *options.sizes, parse_sizes);
  if (options.nccl_sizes.any()) sizes = sizes_of(options.nccl_sizes);
  Texts texts;
  for (const Bytes size : sizes) texts.push_back(fmt::format("{}", size.count()));
  if (texts.empty()) texts.emplace_back();  // a barrier's; the plan of a run says where one is missing
  return texts;
}

Axes read_axes(const SweepOptions& options) {
  Axes axes;
  for (const std::string& text : options.topologies)
    for (const std::string& spec : split_topologies(text)) append_new(axes.topologies, spec);
  axes.presets = or_none(split_all(options.presets));
  Texts bandwidths;
  for (const std::string& text : options.bandwidths) append_new(bandwidths, text);
  axes.bandwidths = or_none(bandwidths);
  Texts latencies;
  for (const std::string& text : options.latencies) append_new(latencies, text);
  axes.latencies = or_none(latencies);
  axes.placements = split_all(options.placements);
  if (axes.placements.empty()) axes.placements.push_back(options.run.placement);
  Texts ranks;
  if (options.ranks)
    for (const int count : read_flag("--ranks", *options.ranks, parse_rank_counts)) ranks.push_back(fmt::format("{}", count));
  axes.ranks = or_none(ranks);
  axes.sizes = read_sizes(options);
  return axes;
}

/// All that the runs on one fabric share but the size.
struct Setting {
  RunOptions options;
  std::string label;
};

/// "torus:8x8, 13 ranks, 400Gbps": what differs within the sweep, and the topology.
std::string label_of(const Axes& axes, const RunOptions& options) {
  std::string label = options.fabric.topology;
  const auto add_if = [&](bool differs, const std::string& text) {
    if (differs) label += ", " + text;
  };
  add_if(options.ranks.has_value(), fmt::format("{} ranks", options.ranks.value_or("")));
  add_if(axes.placements.size() > 1, options.placement);
  add_if(axes.presets.size() > 1, options.fabric.preset.value_or(""));
  add_if(axes.bandwidths.size() > 1, options.fabric.bandwidth.value_or(""));
  add_if(axes.latencies.size() > 1, options.fabric.latency.value_or(""));
  return label;
}

std::vector<Setting> settings_of(const SweepOptions& options, const Axes& axes) {
  std::vector<Setting> settings;
  for (const std::string& topology : axes.topologies) {
    for (const auto& preset : axes.presets) {
      for (const auto& bandwidth : axes.bandwidths) {
        for (const auto& latency : axes.latencies) {
          for (const std::string& placement : axes.placements) {
            for (const auto& ranks : axes.ranks) {
              RunOptions run = options.run;
              run.fabric.topology = topology;
              run.fabric.preset = preset;
              run.fabric.bandwidth = bandwidth;
              run.fabric.latency = latency;
              run.placement = placement;
              run.ranks = ranks;
              settings.push_back({run, label_of(axes, run)});
            }
          }
        }
      }
    }
  }
  return settings;
}

/// Of a file that has a say in the results: a change of its content makes another sweep.
std::string fingerprint_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (std::istreambuf_iterator<char> byte(file), end; byte != end; ++byte)
    hash = (hash ^ static_cast<unsigned char>(*byte)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

Json json_of_setting(const Setting& setting, const RunPlan& plan) {
  Json json = {{"fabric", setting.label}};
  json.update(json_of_context(plan));
  json.erase("version");  // the sweep's
  json.erase("bytes");    // the runs'
  json["speeds"] = describe_speeds(plan.fabric);
  constexpr std::string_view kFile = "file:";
  for (const std::string& text : {setting.options.fabric.topology, setting.options.placement})
    if (text.starts_with(kFile)) json["fingerprint"][text] = fingerprint_of(text.substr(kFile.size()));
  return json;
}

/// Reasons, with the fabrics where they hold, in the order in which they come up.
class LeftOutList {
 public:
  void add(const LeftOut& left, const std::string& fabric) {
    const auto [place, is_new] = places_.try_emplace({left.algorithm, left.reason}, list_.size());
    if (is_new) list_.push_back({{"algorithm", left.algorithm}, {"reason", left.reason}, {"fabrics", Json::array()}});
    Json& fabrics = list_[place->second]["fabrics"];
    if (fabrics.empty() || fabrics.back() != fabric) fabrics.push_back(fabric);
  }
  Json json() const {
    Json array = Json::array();
    for (const Json& left : list_) array.push_back(left);
    return array;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
  std::vector<Json> list_;
};

/// About how many messages are carried, and kilobytes held. Those of the second call are carried in a third of the time.
double cost_of(const RunPlan& plan, const Algorithm& algorithm, const std::vector<Shape>& shapes, Bytes memory) {
  double messages = 0;
  for (const Shape& shape : shapes) messages += shape.ranks * (1.0 + algorithm.rounds(shape));
  if (!plan.called_once.contains(algorithm.name)) messages *= 1.33;
  return messages + static_cast<double>(memory.count()) / 4096 + plan.ranks();
}

/// The second calls of a setting's runs. They take no time, whatever a byte costs: larger sizes of which a rank holds as many
/// elements as of a smaller one send the same messages once more, if they take as many rounds.
class SecondCalls {
 public:
  /// Notes the plan's, and which of them a run has made before. `shapes` are the plan's.
  void share(RunPlan& plan, const std::vector<Shape>& shapes) {
    for (const Algorithm& algorithm : plan.algorithms.chosen) {
      std::vector<int> rounds;
      for (const Shape& shape : shapes) rounds.push_back(algorithm.rounds(shape));
      if (!made_.insert({algorithm.name, plan.held(algorithm, shapes), rounds}).second) plan.called_once.insert(algorithm.name);
    }
  }

 private:
  std::set<std::tuple<std::string, std::int64_t, std::vector<int>>> made_;  ///< algorithm, elements held, rounds of each group
};

void append_runs(SweepPlan& sweep, const std::shared_ptr<const RunPlan>& plan, const std::vector<Shape>& shapes,
                 const std::string& fabric) {
  for (std::size_t a = 0; a < plan->algorithms.chosen.size(); ++a) {
    const Algorithm& algorithm = plan->algorithms.chosen[a];
    if (sweep.runs.size() >= kMostRuns) throw InputError(fmt::format("these are more than {} runs", kMostRuns));
    SweepResult run;
    run.run = static_cast<int>(sweep.runs.size()) + 1;
    run.fabric = fabric;
    run.topology = plan->fabric.topology().spec();
    run.ranks = plan->ranks();
    run.placement = plan->placement_text;
    run.algorithm = algorithm.name;
    run.bytes = plan->bytes();
    run.count = plan->count;
    const Bytes memory = plan->memory(algorithm, shapes);
    sweep.runs.push_back({sweep.runs.size(), plan, a, cost_of(*plan, algorithm, shapes, memory), memory});
    sweep.document.runs.push_back(std::move(run));
  }
}

/// Sizes that are rounded down to the same number of elements are one.
void append_setting(SweepPlan& sweep, const Setting& setting, const Fabric& fabric, const Texts& sizes, LeftOutList& left_out) {
  std::optional<std::int64_t> count_before;
  SecondCalls second_calls;
  for (const std::string& size : sizes) {
    RunOptions options = setting.options;
    options.size = size;
    const auto plan = std::make_shared<RunPlan>(plan_run(options, fabric, Unfitting::left_out));
    if (!count_before) sweep.document.context["fabrics"].push_back(json_of_setting(setting, *plan));
    if (count_before == plan->count) continue;
    count_before = plan->count;
    const std::vector<Shape> shapes = plan->shapes();
    second_calls.share(*plan, shapes);
    for (const LeftOut& left : plan->algorithms.left_out) left_out.add(left, setting.label);
    append_runs(sweep, plan, shapes, setting.label);
  }
}

/// A shard's runs are every n-th when they are ordered by cost, so that the shards take about as long.
void keep_shard(SweepPlan& sweep) {
  const Shard shard = sweep.document.shard;
  if (shard.is_whole()) return;
  std::vector<std::size_t> order(sweep.runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return sweep.runs[a].cost > sweep.runs[b].cost; });
  std::vector<std::size_t> kept;
  for (auto k = static_cast<std::size_t>(shard.index) - 1; k < order.size(); k += static_cast<std::size_t>(shard.of))
    kept.push_back(order[k]);
  std::ranges::sort(kept);
  std::vector<PlannedRun> runs;
  std::vector<SweepResult> results;
  for (const std::size_t run : kept) {
    runs.push_back(sweep.runs[run]);
    runs.back().run = results.size();
    results.push_back(sweep.document.runs[run]);
  }
  sweep.runs = std::move(runs);
  sweep.document.runs = std::move(results);
}

Json json_of_parameters(const SweepOptions& options) {
  Json json = Json::object();
  for (const auto& [flag, text] : parameters_of(options)) json[flag] = text;
  return json;
}

void require_given(const SweepOptions& options) {
  constexpr std::string_view kExample = "try: heddle sweep allreduce --topo torus:8x8 --size 32B:128MiB:x4";
  if (options.run.collective.empty()) throw InputError(fmt::format("the collective is missing; {}", kExample));
  const Collective collective = parse_collective(options.run.collective);
  if (options.topologies.empty()) throw InputError(fmt::format("--topo is missing; {}", kExample));
  const bool has_size = options.sizes || options.nccl_sizes.any() || collective == Collective::barrier ||
                        (options.run.blocks != "even" && !options.run.blocks.starts_with("random"));
  if (!has_size) throw InputError(fmt::format("--size is missing; {}", kExample));
}

}  // namespace

SweepPlan plan_sweep(const SweepOptions& options) {
  require_given(options);
  const Axes axes = read_axes(options);
  SweepPlan sweep;
  if (options.shard) sweep.document.shard = read_flag("--shard", *options.shard, parse_shard);
  sweep.document.context = {{"version", version()}, {"parameters", json_of_parameters(options)}, {"fabrics", Json::array()}};
  LeftOutList left_out;
  std::optional<Fabric> fabric;
  const RunOptions* fabric_options = nullptr;
  const std::vector<Setting> settings = settings_of(options, axes);
  for (const Setting& setting : settings) {
    const FabricOptions& wanted = setting.options.fabric;
    if (fabric_options == nullptr || fabric_options->fabric != wanted) fabric.emplace(read_fabric(wanted, "--topo"));
    fabric_options = &setting.options;
    append_setting(sweep, setting, *fabric, axes.sizes, left_out);
  }
  sweep.document.left_out = left_out.json();
  sweep.document.planned = static_cast<int>(sweep.runs.size());
  if (sweep.runs.empty()) {
    const Json& left = sweep.document.left_out;
    throw InputError(left.empty() ? "no algorithm fits"
                                  : fmt::format("--algo '{}': fits nowhere, {}", left[0]["algorithm"].get<std::string>(),
                                                left[0]["reason"].get<std::string>()));
  }
  keep_shard(sweep);
  return sweep;
}

}  // namespace heddle
