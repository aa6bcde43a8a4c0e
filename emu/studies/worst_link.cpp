// SPDX-License-Identifier: Apache-2.0
#include "emu/studies/further_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "emu/record/report.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

constexpr std::size_t kMostTried = 64;

/// The fullest first. Adaptive routing takes all links of a trunk as one: a fault of one costs what that of another does.
std::vector<LinkId> candidates_of(const Fabric& fabric, const Report& healthy) {
  std::vector<LinkId> links;
  std::set<LinkId> known;
  for (const LinkReport& link : most_utilised_links(healthy, fabric, healthy.links.size())) {
    const LinkId as_one = fabric.settings().routing.splits() ? fabric.topology().trunk_of(link.link) : link.link;
    if (known.insert(as_one).second) links.push_back(link.link);
  }
  return links;
}

}  // namespace

WorstLink find_worst_link(const Fabric& fabric, const EmulationSettings& settings,
                          const std::function<Report(const EmulationSettings&)>& run) {
  EmulationSettings tried = settings;
  LinkFault fault = *settings.faults.worst;
  tried.faults.worst.reset();
  const Report healthy = run(tried);
  const std::vector<LinkId> links = candidates_of(fabric, healthy);
  if (links.empty())
    throw InputError("--fault link:worst: no link carries a byte in this run, so no fault of one costs anything");
  WorstLink worst{.without = healthy.completion, .candidates = links.size()};
  std::optional<Time> most;
  for (std::size_t i = 0; i < std::min(links.size(), kMostTried); ++i) {
    fault.link = links[i];
    tried.faults.links = settings.faults.links;
    tried.faults.links.push_back(fault);
    std::optional<Time> time;
    ++worst.tried;
    try {
      time = run(tried).completion;
    } catch (const CheckError& error) {
      if (error.kind() != CheckError::Kind::cut) throw;
    }
    if (time && most == time) ++worst.as_bad;
    if (time && most && *time <= *most) continue;
    worst.fault = fault;
    worst.as_bad = 0;
    most = time;
    if (!time) break;  // nothing costs more than no way at all
  }
  worst.costs_nothing = most && *most <= healthy.completion;
  worst.text = to_string(worst.fault, fabric.topology());
  return worst;
}

std::string to_string(const WorstLink& worst) {
  const std::string of = worst.tried == worst.candidates
                             ? fmt::format("{} link{} that carry something", worst.tried, worst.tried == 1 ? "" : "s")
                             : fmt::format("the {} fullest of {} links that carry something", worst.tried, worst.candidates);
  std::string text = fmt::format("the worst of {}: {}; without it {}", of, worst.text, to_string(worst.without));
  if (worst.as_bad > 0) text += fmt::format("; {} other{} cost as much", worst.as_bad, worst.as_bad == 1 ? "" : "s");
  if (worst.costs_nothing) text += "; none of them costs anything";
  return text;
}

}  // namespace heddle
