// SPDX-License-Identifier: Apache-2.0
#include "lab/results/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

namespace heddle::decisions {

namespace {

constexpr std::string_view kChannels = "channels=";

std::string_view row_of(std::string_view algorithm) { return algorithm.substr(0, algorithm.find(':')); }

std::string_view options_of(std::string_view algorithm) {
  const std::size_t colon = algorithm.find(':');
  return colon == algorithm.npos ? std::string_view() : algorithm.substr(colon + 1);
}

bool is_of(const Mapping& mapping, const TargetCollective& collective, std::string_view row) {
  return mapping.collective == collective.name && mapping.row == row;
}

bool takes_options(const Mapping& mapping, std::string_view options) {
  while (!options.empty()) {
    const std::string_view option = options.substr(0, options.find(':'));
    const bool is_segments = mapping.segments != Segments::none && option.starts_with("segments=");
    const bool is_channels = mapping.limit == Limit::every_nic && option.starts_with(kChannels);
    if (!is_segments && !is_channels) return false;
    options.remove_prefix(std::min(options.size(), option.size() + 1));
  }
  return true;
}

bool is_for(const Absence& absence, const TargetCollective& collective, std::string_view row) {
  if (!absence.collective.empty() && absence.collective != to_string(collective.collective)) return false;
  const bool is_beginning = absence.rows.ends_with('*');
  return is_beginning ? row.starts_with(absence.rows.substr(0, absence.rows.size() - 1)) : row == absence.rows;
}

int log2_floor(int ranks) { return std::bit_width(static_cast<unsigned>(ranks)) - 1; }

}  // namespace

bool serves(Limit limit, const Cell& cell) {
  switch (limit) {
    case Limit::none:
      return true;
    case Limit::power_of_two_ranks:
      return std::has_single_bit(static_cast<unsigned>(cell.ranks));
    case Limit::even_ranks:
      return cell.ranks % 2 == 0;
    case Limit::element_for_each_rank:
      return cell.count >= cell.ranks;
    case Limit::element_for_each_of_power_of_two:
      return cell.count >= std::int64_t{1} << log2_floor(cell.ranks);
    case Limit::one_switch:
      return cell.topology.starts_with("star:");
    case Limit::every_nic:
      return cell.channels >= cell.channels_needed;
  }
  return false;
}

std::string_view elsewhere(Limit limit) {
  switch (limit) {
    case Limit::none:
      return "";
    case Limit::power_of_two_ranks:
      return "p is no power of two";
    case Limit::even_ranks:
      return "p is odd";
    case Limit::element_for_each_rank:
      return "there are fewer than p elements";
    case Limit::element_for_each_of_power_of_two:
      return "there are fewer elements than the largest power of two up to p";
    case Limit::one_switch:
      return "the fabric is not one switch";
    case Limit::every_nic:
      return "a node has several and channels are fewer than its ranks";
  }
  return "";
}

std::int64_t segments_of(Segments segments, int ranks, int rounds) {
  if (ranks < 2) return 1;
  if (segments == Segments::on_chain) return std::max(1, rounds - ranks + 2);
  if (segments == Segments::on_binomial_tree) return std::max(1, rounds - log2_floor(ranks) + 1);
  return 1;
}

std::vector<const TargetCollective*> collectives_of(const Target& target, Collective collective) {
  std::vector<const TargetCollective*> found;
  for (const TargetCollective& one : target.collectives)
    if (one.collective == collective) found.push_back(&one);
  return found;
}

int channels_in(std::string_view algorithm) {
  const std::string_view options = options_of(algorithm);
  const std::size_t at = options.starts_with(kChannels) ? 0 : options.find(fmt::format(":{}", kChannels));
  if (at == options.npos) return 1;
  const std::string_view number = options.substr(options.find('=', at) + 1);
  int channels = 1;
  std::from_chars(number.data(), number.data() + number.size(), channels);
  return channels;
}

const Mapping* mapping_of(const Target& target, const TargetCollective& collective, std::string_view algorithm) {
  for (const Mapping& mapping : target.mappings)
    if (is_of(mapping, collective, row_of(algorithm)) && takes_options(mapping, options_of(algorithm))) return &mapping;
  return nullptr;
}

std::string why_not_mapped(const Target& target, const TargetCollective& collective, std::string_view algorithm) {
  const std::string_view row = row_of(algorithm);
  const auto has_row = [&](const Mapping& mapping) { return is_of(mapping, collective, row); };
  if (std::ranges::any_of(target.mappings, has_row)) return fmt::format("has {} with other options alone", row);
  for (const Absence& absence : target.absences)
    if (is_for(absence, collective, row)) return std::string(absence.why);
  return "does not know it";
}

std::string why_not_served(const Mapping& mapping, const Cell& cell) {
  if (serves(mapping.limit, cell)) return "";
  return fmt::format("takes {} where {}", mapping.instead, elsewhere(mapping.limit));
}

}  // namespace heddle::decisions
