// SPDX-License-Identifier: Apache-2.0
#include "lab/grammar/lists/axis_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "core/errors.hpp"
#include "core/read_number.hpp"
#include "lab/grammar/tier_values.hpp"

namespace heddle {

namespace {

constexpr std::string_view kNoFault = "none";

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '_';
  });
}

bool begins_topology(std::string_view text) {
  const std::size_t colon = text.find_first_of(":,=");
  return colon != text.npos && text[colon] == ':' && is_word(text.substr(0, colon));
}

bool begins_fault(std::string_view text) {
  constexpr std::array<std::string_view, 5> kKinds = {"link:", "rank:", "message:", "unreliable:", "switch:"};
  return std::ranges::any_of(kKinds, [&](std::string_view kind) { return text.starts_with(kind); });
}

bool begins_fault_point(std::string_view text) {
  if (begins_fault(text)) return true;
  return text.starts_with(kNoFault) && (text.size() == kNoFault.size() || text[kNoFault.size()] == ',');
}

/// The parts between separators behind which a part begins.
template <class Begins>
std::vector<std::string> split_before(std::string_view text, char separator, Begins begins) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t at = text.find(separator); at != text.npos; at = text.find(separator, at + 1)) {
    if (!begins(text.substr(at + 1))) continue;
    parts.emplace_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  parts.emplace_back(text.substr(begin));
  return parts;
}

}  // namespace

std::vector<std::string> split_topologies(std::string_view text) { return split_before(text, ',', begins_topology); }

std::vector<FaultPoint> split_faults(std::string_view text) {
  std::vector<FaultPoint> points;
  for (const std::string& point : split_before(text, ',', begins_fault_point)) {
    if (point == kNoFault) {
      points.emplace_back();
      continue;
    }
    points.push_back({point, split_before(point, '+', begins_fault)});
    for (const std::string& fault : points.back().faults)
      if (!begins_fault(fault))
        throw InputError(
            fmt::format("'{}': no fault; try none, or one that begins with link:, rank:, message:, unreliable: or "
                        "switch:, as link:0->1,slow=4",
                        fault));
  }
  return points;
}

std::vector<RoutingPointText> split_routings(std::string_view text) {
  constexpr std::string_view kSeeded = "ecmp:";
  constexpr std::uint64_t kMostSeeds = 10'000;
  std::vector<RoutingPointText> points;
  for (const std::string_view part : split_list(text)) {
    const std::size_t colon = part.starts_with(kSeeded) ? part.find(':', kSeeded.size()) : part.npos;
    if (colon == part.npos) {
      points.push_back({to_string(parse_routing(part)), {parse_routing(part)}});
      continue;
    }
    const auto first = read_number<std::uint64_t>(part.substr(kSeeded.size(), colon - kSeeded.size()));
    const auto last = read_number<std::uint64_t>(part.substr(colon + 1));
    if (!first || !last || *last < *first || *last - *first >= kMostSeeds)
      throw InputError(fmt::format("'{}': not a range of at most {} seeds; try ecmp:1:32", part, kMostSeeds));
    RoutingPointText point{fmt::format("ecmp:{}:{}", *first, *last), {}};
    for (std::uint64_t i = 0; i <= *last - *first; ++i) point.routings.push_back(Routing::ecmp(*first + i));
    if (point.routings.size() == 1) point.text = to_string(point.routings.front());
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace heddle
