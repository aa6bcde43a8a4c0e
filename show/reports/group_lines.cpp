// SPDX-License-Identifier: Apache-2.0
#include "show/reports/run_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "emu/record/report.hpp"
#include "lab/documents/fabric_report.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

namespace {

constexpr std::size_t kMostGroups = 16;

/// Groups one after another that have one name.
struct Set {
  std::size_t first;
  std::size_t end;
  std::string name;
};

/// "allgather by ring, 64MiB"
std::string family_text(const Setup& setup, std::size_t group, const Algorithm& algorithm) {
  const Setup& own = setup_of_group(setup, group);
  const std::string size = own.asked.collective == Collective::barrier ? "" : ", " + to_string(Bytes(own.bytes()));
  return fmt::format("{} by {}{}", to_string(own.asked.collective), algorithm_of_group(setup, group, algorithm).name, size);
}

/// Families apart, though they have one name.
std::vector<Set> sets_of(const Setup& setup, const Algorithm& algorithm) {
  std::vector<Set> families;
  for (const GroupFamily& family : setup.families) {
    const std::string& name = setup.groups.names[family.first];
    families.push_back({family.first, family.end,
                        fmt::format("{}{}", name.empty() ? "" : name + ", ", family_text(setup, family.first, algorithm))});
  }
  if (!families.empty()) return families;
  const RankGroups& groups = setup.groups;
  std::vector<Set> sets;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (sets.empty() || sets.back().name != groups.names[g]) sets.push_back({g, g, groups.names[g]});
    sets.back().end = g + 1;
  }
  return sets;
}

/// Several that are the same are told once: "0.180 (all 8)".
std::string told_once(const std::vector<std::string>& texts) {
  const bool are_equal = texts.size() > 1 && std::ranges::count(texts, texts.front()) == std::ssize(texts);
  if (are_equal) return fmt::format("{} (all {})", texts.front(), texts.size());
  const std::size_t shown = std::min(texts.size(), kMostGroups);
  return fmt::format("{}{}", fmt::join(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(shown), " "),
                     shown < texts.size() ? " …" : "");
}

/// "0.180 0.360 …, all from 0.180 to 0.720"
std::string times_text(const std::vector<Time>& completion, const Set& set) {
  const auto begin = completion.begin() + static_cast<std::ptrdiff_t>(set.first);
  const auto end = completion.begin() + static_cast<std::ptrdiff_t>(set.end);
  const auto [least, most] = std::minmax_element(begin, end);
  const std::size_t groups = set.end - set.first;
  if (groups > 1 && *least == *most) return fmt::format("{} (all {})", microseconds(*least), groups);
  std::vector<std::string> times;
  for (auto time = begin; time != end && times.size() < kMostGroups; ++time) times.push_back(microseconds(*time));
  const std::string rest =
      groups <= kMostGroups ? "" : fmt::format(" …, all from {} to {}", microseconds(*least), microseconds(*most));
  return fmt::format("{}{}", fmt::join(times, " "), rest);
}

std::string ratio_text(std::optional<double> ratio) { return ratio ? fmt::format("{:.3g}", *ratio) : "-"; }

/// The measured groups of a set as one line each of numbers.
std::string contention_lines(const std::vector<std::optional<Contention>>& contention, const Set& set) {
  std::vector<std::string> alone, slowdown, etas;
  std::size_t measured = 0;
  for (std::size_t g = set.first; g < set.end; ++g) {
    if (!contention[g]) continue;
    ++measured;
    alone.push_back(microseconds(contention[g]->alone));
    slowdown.push_back(ratio_text(contention[g]->slowdown()));
    etas.push_back(fmt::format("({}, {})", ratio_text(contention[g]->eta_alpha()), ratio_text(contention[g]->eta_beta())));
  }
  if (measured == 0) return "";
  const std::size_t groups = set.end - set.first;
  const std::string some = measured == groups ? "" : fmt::format(", {} of {} groups", measured, groups);
  return fmt::format("#   alone (us{}): {}\n#   slowdown: {}\n#   (eta_alpha, eta_beta): {}\n", some, told_once(alone),
                     told_once(slowdown), told_once(etas));
}

}  // namespace

std::string microseconds(Time time) { return fmt::format("{:.3f}", static_cast<double>(time.ps()) / 1e6); }

std::string group_lines(const Setup& setup, const Outcome& outcome) {
  if (outcome.group_completion.empty())
    return outcome.contention.empty() ? "" : contention_lines(outcome.contention, {0, 1, ""});
  std::string lines;
  for (const Set& set : sets_of(setup, *outcome.algorithm)) {
    lines +=
        fmt::format("#   {} (us): {}\n", set.name.empty() ? "by group" : set.name, times_text(outcome.group_completion, set));
    if (!outcome.contention.empty()) lines += contention_lines(outcome.contention, set);
  }
  return lines;
}

std::string hottest_link_line(const Setup& setup, const Report& report) {
  const Topology& topology = setup.fabric.topology();
  std::vector<LinkReport> links = most_utilised_links(report, setup.fabric, report.links.size());
  if (links.empty()) return "";
  // Links of other tiers have other work.
  const int tier = topology.tier(links.front().link);
  std::erase_if(links, [&](const LinkReport& link) { return topology.tier(link.link) != tier; });
  double sum = 0;
  for (const LinkReport& link : links) sum += static_cast<double>(link.bytes.count());
  const auto most = static_cast<double>(links.front().bytes.count());
  const std::vector<NamedSpeed> tiers = speeds_by_tier(setup.fabric);
  const std::string of_tier = tiers.size() > 1 ? fmt::format(" of {}", tier_name(tiers, topology, links.front().link)) : "";
  return fmt::format("#   hottest link: {}, {} B, {:.3g} times the mean of {}{}\n", topology.link_name(links.front().link),
                     links.front().bytes.count(), most * static_cast<double>(links.size()) / sum, links.size(), of_tier);
}

std::string background_line(const Setup& setup) {
  return fmt::format("# background: {}\n", fmt::join(setup.asked.background, ","));
}

}  // namespace heddle
