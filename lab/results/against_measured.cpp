// SPDX-License-Identifier: Apache-2.0
#include "lab/results/against_measured.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>

#include "core/printable.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

std::string value_of(const ResultCell& cell, std::string_view name) {
  const auto at = std::ranges::find(cell_names(), name) - cell_names().begin();
  return cell.values[static_cast<std::size_t>(at)];
}

/// What must be the same.
struct CallKey {
  std::string collective;
  std::string algorithm;
  std::string ranks;
  std::string size;

  auto operator<=>(const CallKey&) const = default;
};

CallKey key_of(const MeasuredRun& run) {
  const Experiment& call = run.experiment;
  const bool has_size = call.collective != Collective::barrier;
  return {to_string(call.collective), printable(call.algorithm), std::to_string(*call.ranks),
          has_size ? to_string(*call.size) : ""};
}

CallKey key_of(const ResultCell& cell) {
  const std::string collective = value_of(cell, "collective");
  return {collective, value_of(cell, "algorithm"), value_of(cell, "ranks"),
          collective == to_string(Collective::barrier) ? "" : value_of(cell, "size")};
}

constexpr std::array<std::string_view, 6> kFabricNames = {"topology", "preset", "bandwidth", "latency", "routing", "placement"};

/// By cell; of those names that differ among cells, and always the topology.
std::vector<std::string> fabrics_of(const ResultFile& file) {
  std::vector<std::string_view> names;
  for (const std::string_view name : kFabricNames) {
    std::set<std::string> values;
    for (const ResultCell& cell : file.cells) values.insert(value_of(cell, name));
    if (name == "topology" || values.size() > 1) names.push_back(name);
  }
  std::vector<std::string> fabrics;
  for (const ResultCell& cell : file.cells) {
    std::vector<std::string> values;
    for (const std::string_view name : names)
      if (std::string value = value_of(cell, name); !value.empty()) values.push_back(std::move(value));
    fabrics.push_back(fmt::format("{}", fmt::join(values, ", ")));
  }
  return fabrics;
}

std::string text_of(const CallKey& key) {
  return fmt::format("{} by {} on {} ranks{}", key.collective, key.algorithm, key.ranks,
                     key.size.empty() ? "" : " at " + key.size);
}

}  // namespace

double MeasuredPoint::ratio() const { return static_cast<double>(emulated.ps()) / static_cast<double>(run->time.ps()); }

std::optional<RatioSpread> AgainstMeasured::ratios(std::string_view fabric, std::string_view algorithm) const {
  std::vector<double> all;
  for (const MeasuredPoint& point : points)
    if ((fabric.empty() || point.fabric == fabric) && (algorithm.empty() || point.run->experiment.algorithm == algorithm))
      all.push_back(point.ratio());
  if (all.empty()) return std::nullopt;
  std::ranges::sort(all);
  return RatioSpread{all.front(), (all[(all.size() - 1) / 2] + all[all.size() / 2]) / 2, all.back()};
}

AgainstMeasured hold_against(std::span<const MeasuredRun> runs, const ResultFile& emulated) {
  std::multimap<CallKey, std::size_t> cells;
  for (std::size_t i = 0; i < emulated.cells.size(); ++i) {
    const ResultCell& cell = emulated.cells[i];
    if (cell.time && value_of(cell, "fault").empty() && value_of(cell, "groups").empty()) cells.emplace(key_of(cell), i);
  }
  const std::vector<std::string> fabrics = fabrics_of(emulated);
  AgainstMeasured against;
  for (const MeasuredRun& run : runs) {
    const auto [first, last] = cells.equal_range(key_of(run));
    if (first == last) against.alone.push_back(&run);
    for (auto cell = first; cell != last; ++cell)
      against.points.push_back({&run, fabrics[cell->second], *emulated.cells[cell->second].time});
  }
  if (against.points.empty())
    throw InputError(fmt::format("{}: nothing was emulated that is of a measured call: measured is {}{}", emulated.path,
                                 text_of(key_of(runs.front())),
                                 cells.empty() ? "" : ", emulated " + text_of(cells.begin()->first)));
  return against;
}

}  // namespace heddle
