// SPDX-License-Identifier: Apache-2.0
#include "show/text/group_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace heddle {

namespace {

constexpr std::size_t kMostGroups = 16;

/// Groups one after another that have one name.
struct Set {
  std::size_t first;
  std::size_t end;
  std::string name;
};

std::vector<Set> sets_of(const RankGroups& groups) {
  std::vector<Set> sets;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (sets.empty() || sets.back().name != groups.names[g]) sets.push_back({g, g, groups.names[g]});
    sets.back().end = g + 1;
  }
  return sets;
}

/// "0.180 0.360 …, all from 0.180 to 0.720"
std::string times_text(const std::vector<Time>& completion, const Set& set) {
  std::vector<std::string> times;
  for (std::size_t g = set.first; g < std::min(set.end, set.first + kMostGroups); ++g)
    times.push_back(microseconds(completion[g]));
  const auto begin = completion.begin() + static_cast<std::ptrdiff_t>(set.first);
  const auto [least, most] = std::minmax_element(begin, completion.begin() + static_cast<std::ptrdiff_t>(set.end));
  const std::string rest =
      set.end - set.first <= kMostGroups ? "" : fmt::format(" …, all from {} to {}", microseconds(*least), microseconds(*most));
  return fmt::format("{}{}", fmt::join(times, " "), rest);
}

std::string ratio_text(std::optional<double> ratio) { return ratio ? fmt::format("{:.3g}", *ratio) : "-"; }

/// The measured groups of a set as one line each of numbers.
std::string contention_lines(const std::vector<std::optional<Contention>>& contention, const Set& set) {
  std::vector<std::string> alone, slowdown, etas;
  std::size_t measured = 0;
  for (std::size_t g = set.first; g < set.end; ++g) {
    if (!contention[g]) continue;
    if (++measured > kMostGroups) continue;
    alone.push_back(microseconds(contention[g]->alone));
    slowdown.push_back(ratio_text(contention[g]->slowdown()));
    etas.push_back(fmt::format("({}, {})", ratio_text(contention[g]->eta_alpha()), ratio_text(contention[g]->eta_beta())));
  }
  if (measured == 0) return "";
  const std::string more = measured > kMostGroups ? " …" : "";
  const std::size_t groups = set.end - set.first;
  const std::string some = measured == groups ? "" : fmt::format(", {} of {} groups", measured, groups);
  return fmt::format("#   alone (us{}): {}{}\n#   slowdown: {}{}\n#   (eta_alpha, eta_beta): {}{}\n", some,
                     fmt::join(alone, " "), more, fmt::join(slowdown, " "), more, fmt::join(etas, " "), more);
}

}  // namespace

std::string microseconds(Time time) { return fmt::format("{:.3f}", static_cast<double>(time.ps()) / 1e6); }

std::string group_lines(const Setup& plan, const Outcome& outcome) {
  if (outcome.group_completion.empty())
    return outcome.contention.empty() ? "" : contention_lines(outcome.contention, {0, 1, ""});
  std::string lines;
  for (const Set& set : sets_of(plan.groups)) {
    lines +=
        fmt::format("#   {} (us): {}\n", set.name.empty() ? "by group" : set.name, times_text(outcome.group_completion, set));
    if (!outcome.contention.empty()) lines += contention_lines(outcome.contention, set);
  }
  return lines;
}

std::string hottest_link_line(const Setup& plan, const Report& report) {
  const std::vector<LinkReport> links = report.busiest_links(report.links.size());
  if (links.empty()) return "";
  double sum = 0;
  for (const LinkReport& link : links) sum += static_cast<double>(link.bytes.count());
  const auto most = static_cast<double>(links.front().bytes.count());
  return fmt::format("#   hottest link: {}, {} B, {:.3g} times the mean of {}\n",
                     plan.fabric.topology().link_name(links.front().link), links.front().bytes.count(),
                     most * static_cast<double>(links.size()) / sum, links.size());
}

std::string background_line(const Setup& plan) { return fmt::format("# background: {}\n", plan.background_text); }

}  // namespace heddle
