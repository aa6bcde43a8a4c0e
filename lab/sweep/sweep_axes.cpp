// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/sweep_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "heddle/errors.hpp"
#include "lab/studies/traffic.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 9> kFabricAxes = {"topology", "preset", "bandwidth", "latency", "routing",
                                                         "fault",    "model",  "placement", "ranks"};
constexpr std::string_view kSize = "size";
constexpr std::string_view kAlgorithm = "algorithm";
constexpr std::string_view kRanksAxis = "ranks";

/// Values of one axis, each once.
class Values {
 public:
  explicit Values(std::string_view axis) : axis_{std::string(axis), {}} {}
  void add(std::string value) {
    if (known_.insert(value).second) axis_.values.push_back(std::move(value));
  }
  SweepAxis axis() && { return std::move(axis_); }

 private:
  SweepAxis axis_;
  std::set<std::string> known_;
};

std::vector<SweepAxis> fabric_axes(const SweepDocument& document) {
  std::vector<SweepAxis> axes;
  for (const std::string_view name : kFabricAxes) {
    Values values(name);
    for (const Json& fabric : document.context.at("fabrics")) values.add(fabric_value(fabric, name));
    axes.push_back(std::move(values).axis());
  }
  return axes;
}

std::vector<SweepAxis> all_axes(const SweepDocument& document) {
  std::vector<SweepAxis> axes = fabric_axes(document);
  Values sizes(kSize);
  Values algorithms(kAlgorithm);
  for (const SweepResult& run : document.runs) {
    sizes.add(to_string(Bytes(run.bytes)));
    algorithms.add(run.algorithm);
  }
  axes.push_back(std::move(sizes).axis());
  axes.push_back(std::move(algorithms).axis());
  return axes;
}

std::vector<SweepAxis> those_that_vary(std::vector<SweepAxis> axes) {
  std::erase_if(axes, [](const SweepAxis& axis) { return axis.values.size() < 2; });
  return axes;
}

bool has(const SweepAxis& axis, std::string_view value) {
  return !value.empty() && std::ranges::find(axis.values, value) != axis.values.end();
}

/// "topology star:4, ring:4; algorithm ring", a few of each.
std::string text_of(const std::vector<SweepAxis>& axes) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (const SweepAxis& axis : axes) {
    std::vector<std::string> values(axis.values.begin(),
                                    axis.values.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, axis.values.size())));
    std::erase(values, "");
    if (values.empty()) continue;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : "; ", axis.name, fmt::join(values, ", "),
                        axis.values.size() > kShown ? ", …" : "");
  }
  return text;
}

/// All values of a run but those of some axes.
std::string place_of(const Json& fabric, const SweepResult& run, const std::set<std::string_view>& left_out) {
  std::string place;
  const auto add = [&](std::string_view axis) {
    if (!left_out.contains(axis)) place += axis_value(fabric, run, axis);
    place += '\n';
  };
  for (const std::string_view axis : kFabricAxes) add(axis);
  add(kSize);
  add(kAlgorithm);
  return place;
}

/// Base runs by place; nullptr where there are several.
class BaseRuns {
 public:
  BaseRuns(const SweepBase& base, bool ranks_count) : base_(base), left_out_{base.axis} {
    if (!ranks_count) left_out_.insert(kRanksAxis);
  }
  void add_if_base(const Json& fabric, const SweepResult& run) {
    if (axis_value(fabric, run, base_.axis) != base_.value) return;
    const auto [known, is_new] = runs_.try_emplace(place_of(fabric, run, left_out_), &run);
    if (!is_new) known->second = nullptr;
  }
  const SweepResult* find(const Json& fabric, const SweepResult& run) const {
    const auto known = runs_.find(place_of(fabric, run, left_out_));
    return known == runs_.end() ? nullptr : known->second;
  }

 private:
  const SweepBase& base_;
  std::set<std::string_view> left_out_;
  std::map<std::string, const SweepResult*> runs_;
};

std::optional<double> ratio(const SweepResult& run, const SweepResult* base) {
  if (base == nullptr || !run.measured || !base->measured || base->measured->time == Time()) return std::nullopt;
  return static_cast<double>(run.measured->time.ps()) / static_cast<double>(base->measured->time.ps());
}

constexpr auto kSeeds = "routing_seeds";  // of a fabric: "ecmp:1:32"; what it is called without its seed stands in kOverSeeds
constexpr auto kOverSeeds = "fabric_over_seeds";

/// The runs of one algorithm and size over all seeds.
using Place = std::tuple<std::string, std::int64_t, std::string>;

/// How a fabric is called among others under one routing; its own name, if it is under no other seed.
std::string name_over_seeds(const Json& fabric) { return fabric.value(kOverSeeds, fabric.at("fabric").get<std::string>()); }

std::map<Place, std::vector<std::size_t>> runs_by_place(const SweepDocument& document) {
  std::map<std::string, std::string> names;
  for (const Json& fabric : document.context.at("fabrics"))
    if (fabric.contains(kSeeds)) names.emplace(fabric.at("fabric"), name_over_seeds(fabric));
  std::map<Place, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < document.runs.size(); ++i) {
    const SweepResult& run = document.runs[i];
    const auto name = names.find(run.fabric);
    if (name != names.end()) places[{name->second, run.bytes, run.algorithm}].push_back(i);
  }
  return places;
}

std::map<std::string, std::size_t> seeds_by_name(const SweepDocument& document) {
  std::map<std::string, std::size_t> seeds;
  for (const Json& fabric : document.context.at("fabrics"))
    if (fabric.contains(kSeeds)) ++seeds[name_over_seeds(fabric)];
  return seeds;
}

Time time_of(double ps) { return Time::ps(std::llround(ps)); }

SeedSpread spread_of(const SweepDocument& document, const std::vector<std::size_t>& runs) {
  std::vector<double> times;
  for (const std::size_t run : runs) times.push_back(static_cast<double>(document.runs[run].measured->time.ps()));
  const Quartiles of = quartiles_of(std::move(times));
  return {static_cast<int>(runs.size()),
          time_of(of.least),
          time_of(of.first),
          time_of(of.median),
          time_of(of.third),
          time_of(of.most)};
}

bool are_all_measured(const SweepDocument& document, const std::vector<std::size_t>& runs, std::size_t seeds) {
  return runs.size() == seeds &&
         std::ranges::all_of(runs, [&](std::size_t run) { return document.runs[run].measured.has_value(); });
}

/// Of runs that were all measured.
SweepMeasurement middle_of(const SweepDocument& document, std::vector<std::size_t> runs, Time median) {
  std::ranges::stable_sort(runs, {}, [&](std::size_t run) { return document.runs[run].measured->time; });
  SweepMeasurement middle = *document.runs[runs[(runs.size() - 1) / 2]].measured;
  const double faster = median > Time() ? middle.time.seconds() / median.seconds() : 1;
  middle.time = median;
  for (std::optional<double>* rate : {&middle.algbw, &middle.busbw})
    if (*rate) **rate *= faster;
  middle.path = {};  // of one run, and the time need not be one's
  return middle;
}

SweepResult result_over(const SweepDocument& document, const std::vector<std::size_t>& runs, const std::string& fabric,
                        std::size_t seeds) {
  SweepResult result = document.runs[runs.front()];
  result.fabric = fabric;
  result.measured.reset();
  result.failure.reset();
  for (const std::size_t run : runs)
    if (!result.failure) result.failure = document.runs[run].failure;
  if (!are_all_measured(document, runs, seeds)) return result;
  result.spread = spread_of(document, runs);
  result.measured = middle_of(document, runs, result.spread->median);
  return result;
}

}  // namespace

std::string fabric_value(const Json& fabric, std::string_view axis) {
  const auto member = fabric.find(std::string(axis));
  if (member == fabric.end() || member->is_null()) return "";
  return member->is_string() ? member->get<std::string>() : member->dump();
}

std::string axis_value(const Json& fabric, const SweepResult& run, std::string_view axis) {
  if (axis == kSize) return to_string(Bytes(run.bytes));
  if (axis == kAlgorithm) return run.algorithm;
  return fabric_value(fabric, axis);
}

std::vector<SweepAxis> varying_axes(const SweepDocument& document) { return those_that_vary(all_axes(document)); }

std::vector<SweepAxis> varying_fabric_axes(const SweepDocument& document) { return those_that_vary(fabric_axes(document)); }

SweepBase find_base(const SweepDocument& document, std::string_view text) {
  const std::vector<SweepAxis> axes = all_axes(document);
  const std::size_t equals = text.find('=');
  if (equals != text.npos) {
    const std::string_view value = text.substr(equals + 1);
    for (const SweepAxis& axis : axes)
      if (axis.name == text.substr(0, equals) && has(axis, value)) return {axis.name, std::string(value)};
  }
  std::vector<std::string> names;
  for (const SweepAxis& axis : axes)
    if (has(axis, text)) names.push_back(axis.name);
  if (names.size() == 1) return {names.front(), std::string(text)};
  if (names.size() > 1)
    throw InputError(
        fmt::format("'{}': a value of {}; say which: {}={}", text, fmt::join(names, " and of "), names.front(), text));
  throw InputError(fmt::format("'{}': no value of this sweep, which has {}", text, text_of(axes)));
}

std::optional<SweepBase> base_of(const SweepDocument& document) {
  const auto base = document.context.find("base");
  if (base == document.context.end()) return std::nullopt;
  return SweepBase{base->at("axis").get<std::string>(), base->at("value").get<std::string>()};
}

std::vector<std::optional<double>> ratios_to_base(const SweepDocument& document) {
  const std::optional<SweepBase> base = base_of(document);
  if (!base) return {};
  std::map<std::string, const Json*> fabrics;
  for (const Json& fabric : document.context.at("fabrics")) fabrics.emplace(fabric.at("fabric").get<std::string>(), &fabric);
  BaseRuns of_same_ranks(*base, true);
  BaseRuns of_any_ranks(*base, false);
  for (const SweepResult& run : document.runs) {
    of_same_ranks.add_if_base(*fabrics.at(run.fabric), run);
    of_any_ranks.add_if_base(*fabrics.at(run.fabric), run);
  }
  std::vector<std::optional<double>> ratios;
  for (const SweepResult& run : document.runs) {
    const Json& fabric = *fabrics.at(run.fabric);
    const SweepResult* held_against = of_same_ranks.find(fabric, run);
    if (held_against == nullptr) held_against = of_any_ranks.find(fabric, run);
    ratios.push_back(ratio(run, held_against));
  }
  return ratios;
}

bool has_seeds(const SweepDocument& document) {
  return std::ranges::any_of(document.context.at("fabrics"), [](const Json& fabric) { return fabric.contains(kSeeds); });
}

SweepDocument over_seeds(const SweepDocument& document) {
  if (!has_seeds(document)) return document;
  const auto seeds = seeds_by_name(document);
  SweepDocument over = document;
  over.context["fabrics"] = Json::array();
  std::map<std::string, bool> known;
  for (Json fabric : document.context.at("fabrics")) {
    const std::string name = name_over_seeds(fabric);
    if (!fabric.contains(kSeeds)) {
      over.context["fabrics"].push_back(std::move(fabric));
    } else if (known.emplace(name, true).second) {
      fabric["fabric"] = name;
      const std::string one = fabric.at("routing");
      fabric["routing"] = fabric.at(kSeeds);
      std::string speeds = fabric.at("speeds");
      if (const std::size_t at = speeds.rfind(one); at != speeds.npos)
        speeds.replace(at, one.size(), fabric.at(kSeeds).get<std::string>());
      fabric["speeds"] = std::move(speeds);
      over.context["fabrics"].push_back(std::move(fabric));
    }
  }
  over.runs.clear();
  const auto places = runs_by_place(document);
  std::map<std::size_t, std::pair<Place, const std::vector<std::size_t>*>> by_first;
  std::vector<bool> is_one_of(document.runs.size(), false);
  for (const auto& [place, runs] : places) {
    by_first.emplace(runs.front(), std::pair(place, &runs));
    for (const std::size_t run : runs) is_one_of[run] = true;
  }
  for (std::size_t i = 0; i < document.runs.size(); ++i) {
    if (const auto first = by_first.find(i); first != by_first.end()) {
      const auto& [place, runs] = first->second;
      over.runs.push_back(result_over(document, *runs, std::get<0>(place), seeds.at(std::get<0>(place))));
    } else if (!is_one_of[i]) {
      over.runs.push_back(document.runs[i]);
    }
  }
  return over;
}

std::vector<std::optional<SeedSpread>> spreads_of(const SweepDocument& document) {
  std::vector<std::optional<SeedSpread>> spreads(document.runs.size());
  const auto seeds = seeds_by_name(document);
  for (const auto& [place, runs] : runs_by_place(document)) {
    if (!are_all_measured(document, runs, seeds.at(std::get<0>(place)))) continue;
    for (const std::size_t run : runs) spreads[run] = spread_of(document, runs);
  }
  return spreads;
}

}  // namespace heddle
