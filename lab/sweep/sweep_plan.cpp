// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "core/checksum.hpp"
#include "core/read_file.hpp"
#include "heddle/errors.hpp"
#include "heddle/version.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/rank_groups.hpp"
#include "lab/documents/context.hpp"
#include "lab/plugin/load_plugins.hpp"
#include "lab/sweep/sweep_axes.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRuns = 1'000'000;

/// The axis' values; where it has none, one point without it.
template <class T>
std::vector<std::optional<T>> or_none(const std::vector<T>& values) {
  if (values.empty()) return {std::nullopt};
  return {values.begin(), values.end()};
}

/// All that the runs on one fabric share but the size.
struct Setting {
  Experiment experiment;
  // As the axes' values are written; empty: no axis of the sweep.
  std::string bandwidth = {};
  std::string latency = {};
  std::string fault = {};
  std::string routing = {};
  bool is_of_seeds = false;  ///< the routing is one of several seeds
  std::string label = {};
  std::string label_over_seeds = {};
};

/// The settings with each value of one more axis; as they are where it has none. put(setting, value) puts it there.
template <class T, class Put>
void add_values(std::vector<Setting>& settings, const std::vector<T>& values, Put put) {
  if (values.empty()) return;
  std::vector<Setting> all;
  for (const Setting& setting : settings) {
    for (const T& value : values) {
      all.push_back(setting);
      put(all.back(), value);
    }
  }
  settings = std::move(all);
}

/// "torus:8x8, 13 ranks, 400Gbps": what differs within the sweep, and the topology.
std::string label_of(const Setting& setting, const Sweep& sweep, const std::string& routing) {
  const Experiment& experiment = setting.experiment;
  std::string label = experiment.fabric.topology;
  const auto add_if = [&](bool differs, const std::string& text) {
    if (differs) label += ", " + text;
  };
  add_if(experiment.ranks.has_value(), fmt::format("{} ranks", experiment.ranks.value_or(0)));
  add_if(sweep.placements.size() > 1, experiment.placement);
  add_if(sweep.presets.size() > 1, experiment.fabric.preset);
  add_if(sweep.bandwidths.size() > 1, setting.bandwidth);
  add_if(sweep.latencies.size() > 1, setting.latency);
  add_if(sweep.routings.size() > 1 || setting.is_of_seeds, routing);
  add_if(sweep.models.size() > 1, to_string(experiment.model));
  add_if(sweep.faults.size() > 1, experiment.faults.empty() ? "no fault" : setting.fault);
  return label;
}

/// One of a sweep's routings, of a seed's one.
struct RoutingPoint {
  Routing routing;
  std::string text;  ///< of all seeds
  bool is_of_seeds;
};

std::vector<RoutingPoint> routings_of(const Sweep& sweep) {
  std::vector<RoutingPoint> points;
  for (const Named<std::vector<Routing>>& all : sweep.routings)
    for (const Routing routing : all.value) points.push_back({routing, all.text, all.value.size() > 1});
  return points;
}

/// Every combination of the axes' values but the sizes, the first axis outermost.
std::vector<Setting> settings_of(const Sweep& sweep) {
  std::vector<Setting> settings = {{.experiment = sweep.common}};
  add_values(settings, sweep.topologies, [](Setting& to, const auto& topology) { to.experiment.fabric.topology = topology; });
  add_values(settings, sweep.presets, [](Setting& to, const auto& preset) { to.experiment.fabric.preset = preset; });
  add_values(settings, sweep.bandwidths, [](Setting& to, const auto& bandwidth) {
    to.experiment.fabric.bandwidth = bandwidth.value;
    to.bandwidth = bandwidth.text;
  });
  add_values(settings, sweep.latencies, [](Setting& to, const auto& latency) {
    to.experiment.fabric.latency = latency.value;
    to.latency = latency.text;
  });
  add_values(settings, routings_of(sweep), [](Setting& to, const RoutingPoint& routing) {
    to.experiment.fabric.routing = routing.routing;
    to.routing = routing.text;
    to.is_of_seeds = routing.is_of_seeds;
  });
  add_values(settings, sweep.faults, [](Setting& to, const auto& fault) {
    to.experiment.faults = fault.value;
    to.fault = fault.text;
  });
  add_values(settings, sweep.models, [](Setting& to, const auto& model) { to.experiment.model = model.value; });
  add_values(settings, sweep.placements, [](Setting& to, const auto& placement) { to.experiment.placement = placement; });
  add_values(settings, sweep.ranks, [](Setting& to, int ranks) { to.experiment.ranks = ranks; });
  for (Setting& setting : settings) {
    const std::optional<Routing>& routing = setting.experiment.fabric.routing;
    setting.label = label_of(setting, sweep, routing ? to_string(*routing) : "");
    if (setting.is_of_seeds) setting.label_over_seeds = label_of(setting, sweep, setting.routing);
  }
  return settings;
}

/// Of a file that has a say in the results: a change of its content makes another sweep.
std::string fingerprint_of(const std::string& path) { return checksum_of(read_file(path)); }

/// Files whose content the algorithms come from: plugins, schedules.
std::vector<std::string> algorithm_files(const Sweep& sweep) {
  std::vector<std::string> files = sweep.common.plugins;
  for (const std::string& name : schedule_names(sweep.algorithms)) files.push_back(schedule_file(name));
  return files;
}

Json json_of_setting(const Setting& setting, const Setup& setup) {
  Json json = {{"fabric", setting.label}};
  json.update(json_of_context(setup));
  json.erase("version");  // the sweep's
  json.erase("bytes");    // the runs'
  json.erase("bytes_asked");
  if (!setting.bandwidth.empty()) json["bandwidth"] = setting.bandwidth;
  if (!setting.latency.empty()) json["latency"] = setting.latency;
  if (!setting.fault.empty()) json["fault"] = setting.fault;
  if (setting.is_of_seeds) {
    json["routing_seeds"] = setting.routing;
    json["fabric_over_seeds"] = setting.label_over_seeds;
  }
  json["speeds"] = describe_speeds(setup.fabric);
  constexpr std::string_view kFile = "file:";
  for (const std::string& text : {setting.experiment.fabric.topology, setting.experiment.placement})
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

/// A guess for a row that does not say: one for each rank.
int rounds_of(const Algorithm& algorithm, const Shape& shape) {
  return algorithm.rounds ? algorithm.rounds(shape) : shape.ranks;
}

/// The second calls of a setting's runs. They take no time, whatever a byte costs: larger sizes of which a rank holds as many
/// elements as of a smaller one send the same messages once more, if they take as many rounds.
class SecondCalls {
 public:
  /// Notes the setup's, and which of them a run has made before. `shapes` are the setup's.
  void share(Setup& setup, const std::vector<Shape>& shapes) {
    for (const Algorithm& algorithm : setup.algorithms.chosen) {
      if (!algorithm.rounds) continue;  // who knows what larger sizes do
      std::vector<int> rounds;
      for (const Shape& shape : shapes) rounds.push_back(rounds_of(algorithm, shape));
      if (!made_.insert({algorithm.name, setup.sampled(algorithm, shapes), rounds}).second)
        setup.called_once.insert(algorithm.name);
    }
  }

 private:
  std::set<std::tuple<std::string, std::int64_t, std::vector<int>>> made_;  ///< algorithm, elements held, rounds of each group
};

void append_runs(SweepPlan& sweep, const std::shared_ptr<const Setup>& setup, const std::vector<Shape>& shapes,
                 const std::string& fabric) {
  for (std::size_t a = 0; a < setup->algorithms.chosen.size(); ++a) {
    const Algorithm& algorithm = setup->algorithms.chosen[a];
    if (sweep.runs.size() >= kMostRuns) throw InputError(fmt::format("these are more than {} runs", kMostRuns));
    SweepResult run;
    run.run = static_cast<int>(sweep.runs.size()) + 1;
    run.fabric = fabric;
    run.topology = setup->fabric.topology().spec();
    run.ranks = setup->ranks();
    run.placement = setup->asked.placement;
    run.algorithm = algorithm.name;
    run.bytes = setup->bytes();
    run.count = setup->count;
    sweep.runs.push_back({sweep.runs.size(), setup, a, run_cost(*setup, algorithm, shapes)});
    sweep.document.runs.push_back(std::move(run));
  }
}

/// Sizes that are rounded down to the same number of elements are one.
void append_setting(SweepPlan& plan, const Setting& setting, const Fabric& fabric, const Sweep& sweep, LeftOutList& left_out) {
  std::optional<std::int64_t> count_before;
  SecondCalls second_calls;
  for (const std::optional<Bytes>& size : or_none(sweep.sizes)) {
    Experiment experiment = setting.experiment;
    if (size) experiment.size = size;
    const auto point = std::make_shared<Setup>(set_up(experiment, sweep.algorithms, fabric, Unfitting::left_out, sweep.tuning));
    if (!count_before) plan.document.context["fabrics"].push_back(json_of_setting(setting, *point));
    if (point->rounded_up_from) {
      const Json rounded = {{"bytes_asked", point->rounded_up_from->count()}, {"bytes", point->bytes()}};
      Json& all = plan.document.context["rounded_up"];
      if (std::find(all.begin(), all.end(), rounded) == all.end()) all.push_back(rounded);
    }
    if (count_before == point->count) continue;
    count_before = point->count;
    if (plan.variants) *plan.variants += point->algorithms.variants;
    const std::vector<Shape> shapes = point->shapes();
    second_calls.share(*point, shapes);
    for (const LeftOut& left : point->algorithms.left_out) left_out.add(left, setting.label);
    append_runs(plan, point, shapes, setting.label);
  }
}

/// A shard's runs are every n-th when they are ordered by cost, so that the shards take about as long.
void keep_shard(SweepPlan& sweep) {
  const Shard shard = sweep.document.shard;
  if (shard.is_whole()) return;
  std::vector<std::size_t> order(sweep.runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return sweep.runs[a].cost.seconds > sweep.runs[b].cost.seconds; });
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

template <class T, class Text>
void add_axis(Json& json, const char* flag, const std::vector<T>& values, Text text_of) {
  std::vector<std::string> texts;
  for (const T& value : values) texts.push_back(text_of(value));
  if (!texts.empty()) json[flag] = fmt::format("{}", fmt::join(texts, ","));
}

Json json_of_parameters(const Sweep& sweep) {
  Json json = Json::object();
  for (const auto& [flag, text] : sweep.parameters) json[flag] = text;
  if (!sweep.parameters.empty()) return json;
  const auto itself = [](const std::string& text) { return text; };
  const auto its_text = [](const auto& named) { return named.text; };
  json["experiment"] = sweep.common.text();
  json["--algo"] = sweep.algorithms;
  if (sweep.tuning) json["--tune"] = fmt::format("options, at most {} a point", sweep.tuning->budget);
  add_axis(json, "--topo", sweep.topologies, itself);
  add_axis(json, "--preset", sweep.presets, itself);
  add_axis(json, "--bw", sweep.bandwidths, its_text);
  add_axis(json, "--latency", sweep.latencies, its_text);
  add_axis(json, "--routing", sweep.routings, its_text);
  add_axis(json, "--placement", sweep.placements, itself);
  add_axis(json, "--fault", sweep.faults, its_text);
  add_axis(json, "--model", sweep.models, its_text);
  add_axis(json, "--ranks", sweep.ranks, [](int ranks) { return fmt::format("{}", ranks); });
  add_axis(json, "--size", sweep.sizes, [](Bytes size) { return fmt::format("{}", size.count()); });
  if (!sweep.base.empty()) json["--base"] = sweep.base;
  return json;
}

void require_given(const Sweep& sweep) {
  constexpr std::string_view kExample = "try: heddle sweep allreduce --topo torus:8x8 --size 32B:128MiB:x4";
  if (sweep.topologies.empty() && sweep.common.fabric.topology.empty())
    throw InputError(fmt::format("--topo is missing; {}", kExample));
  const Experiment& common = sweep.common;
  const bool has_size =
      !sweep.sizes.empty() || common.size || common.collective == Collective::barrier || common.lists_its_size();
  if (!has_size) throw InputError(fmt::format("--size is missing; {}", kExample));
  if (have_calls(common.groups))
    throw InputError(
        fmt::format("--groups '{}': a sweep is of one call; 'heddle run' takes groups with calls of their own", common.groups));
}

}  // namespace

SweepPlan plan_sweep(const Sweep& asked) {
  require_given(asked);
  SweepPlan sweep;
  sweep.document.shard = asked.shard;
  sweep.document.context = {{"version", version()}, {"parameters", json_of_parameters(asked)}, {"fabrics", Json::array()}};
  if (!asked.command.empty()) sweep.document.context["command"] = asked.command;
  Sweep loaded = asked;
  loaded.common = with_loaded_rows(asked.common, asked.algorithms);
  for (const std::string& file : algorithm_files(asked)) sweep.document.context["fingerprint"][file] = fingerprint_of(file);
  if (asked.tuning) sweep.variants.emplace();
  LeftOutList left_out;
  std::optional<Fabric> fabric;
  const FabricSpec* built = nullptr;
  const std::vector<Setting> settings = settings_of(loaded);
  std::size_t most_tiers = 0;
  bool is_any_direct = false;
  for (const Setting& setting : settings) {
    const FabricSpec& wanted = setting.experiment.fabric;
    if (built == nullptr || *built != wanted) {
      fabric.emplace(build_fabric(wanted, "--topo", SurplusTiers::accepted));
      is_any_direct = is_any_direct || fabric->topology().is_direct();
      if (has_lists(wanted)) most_tiers = std::max(most_tiers, tiers_of_links(fabric->topology()));
    }
    built = &wanted;
    append_setting(sweep, setting, *fabric, asked, left_out);
  }
  // A list serves fabrics of fewer tiers, too, if there is one that needs it.
  const std::string whose = asked.topologies.size() == 1 ? asked.topologies.front() : "the fabric of most tiers";
  for (const Setting& setting : settings) {
    const FabricSpec& wanted = setting.experiment.fabric;
    if (has_lists(wanted)) require_tiers(wanted, most_tiers, whose);
    require_host_links(wanted, is_any_direct, wanted.topology);
  }
  if (asked.tuning) sweep.document.context["tuning"] = json_of_tuning(*sweep.variants, *asked.tuning);
  sweep.document.left_out = left_out.json();
  sweep.document.planned = static_cast<int>(sweep.runs.size());
  if (sweep.runs.empty()) {
    const Json& left = sweep.document.left_out;
    throw InputError(left.empty() ? "no algorithm fits"
                                  : fmt::format("--algo '{}': fits nowhere, {}", left[0]["algorithm"].get<std::string>(),
                                                left[0]["reason"].get<std::string>()));
  }
  if (!asked.base.empty()) {
    const SweepBase base =
        read_flag("--base", asked.base, [&](std::string_view text) { return find_base(over_seeds(sweep.document), text); });
    sweep.document.context["base"] = {{"axis", base.axis}, {"value", base.value}};
  }
  keep_shard(sweep);
  return sweep;
}

}  // namespace heddle
