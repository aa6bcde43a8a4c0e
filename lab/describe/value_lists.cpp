// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/value_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <limits>

#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"

namespace heddle {

namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::size_t kMostNumbers = 10'000;  // a slip of the keyboard, else: at least that many runs

/// How numbers of one kind are written.
struct Kind {
  std::int64_t (*parse)(std::string_view);
  bool has_default_step;     ///< of 1
  std::string_view example;  ///< of a range
};

std::int64_t parse_size(std::string_view text) { return parse_bytes(text).count(); }
std::int64_t parse_count(std::string_view text) { return parse_integer(text, 1, std::numeric_limits<std::int32_t>::max()); }

constexpr Kind kSizes{parse_size, false, "32B:128MiB:x4 or 1KiB:16KiB:+1KiB"};
constexpr Kind kRanks{parse_count, true, "2:64, 2:64:x2 or 8:64:+8"};

/// From one number to the next: times `factor`, plus `addend`.
struct NumberStep {
  std::int64_t factor = 1;
  std::int64_t addend = 0;
};

NumberStep parse_step(std::string_view text, const Kind& kind) {
  if (text.starts_with('x')) {
    const std::optional<std::int32_t> factor = read_number<std::int32_t>(text.substr(1));
    if (factor && *factor >= 2) return {.factor = *factor, .addend = 0};
  }
  if (text.starts_with('+')) {
    const std::int64_t addend = kind.parse(text.substr(1));
    if (addend > 0) return {.factor = 1, .addend = addend};
  }
  throw InputError(fmt::format("'{}': not a step; try {}", text, kind.example));
}

Numbers numbers_between(std::int64_t least, std::int64_t most, NumberStep step, std::string_view text) {
  if (least > most) throw InputError(fmt::format("'{}': ends before it begins", text));
  if (least == 0 && step.factor > 1)
    throw InputError(fmt::format("'{}': 0 times {} stays 0; begin above it", text, step.factor));
  Numbers numbers;
  std::int64_t number = least;
  while (true) {
    numbers.push_back(number);
    if (numbers.size() > kMostNumbers) throw InputError(fmt::format("'{}': more than {} values", text, kMostNumbers));
    if (number > (most - step.addend) / step.factor) return numbers;  // the next would be more than `most`
    number = number * step.factor + step.addend;
  }
}

Numbers parse_part(std::string_view text, const Kind& kind) {
  const std::size_t first = text.find(':');
  if (first == std::string_view::npos) return {kind.parse(text)};
  const std::size_t second = text.find(':', first + 1);
  const bool has_step = second != std::string_view::npos;
  if (!has_step && !kind.has_default_step)
    throw InputError(fmt::format("'{}': a range without a step; try {}", text, kind.example));
  const std::int64_t least = kind.parse(text.substr(0, first));
  const std::int64_t most = kind.parse(text.substr(first + 1, has_step ? second - first - 1 : text.npos));
  const NumberStep step = has_step ? parse_step(text.substr(second + 1), kind) : NumberStep{.factor = 1, .addend = 1};
  return numbers_between(least, most, step, text);
}

Numbers parse_numbers(std::string_view text, const Kind& kind) {
  Numbers numbers;
  for (const std::string_view part : split_list(text)) {
    const Numbers more = parse_part(part, kind);
    numbers.insert(numbers.end(), more.begin(), more.end());
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::vector<Bytes> as_bytes(const Numbers& numbers) {
  std::vector<Bytes> sizes;
  for (const std::int64_t number : numbers) sizes.emplace_back(number);
  return sizes;
}

}  // namespace

std::vector<Bytes> parse_sizes(std::string_view text) { return as_bytes(parse_numbers(text, kSizes)); }

std::vector<int> parse_rank_counts(std::string_view text) {
  const Numbers numbers = parse_numbers(text, kRanks);
  return {numbers.begin(), numbers.end()};
}

std::vector<Bytes> sizes_of(const NcclSizes& flags) {
  if (!flags.least) throw InputError("--minbytes (-b) is missing, the least of the sizes; or give them all with --size");
  if (flags.factor && flags.step) throw InputError("--stepfactor (-f) and --stepbytes (-i): one or the other");
  const std::int64_t least = read_flag("--minbytes", *flags.least, parse_size);
  const std::int64_t most = flags.most ? read_flag("--maxbytes", *flags.most, parse_size) : least;
  NumberStep step{.factor = 1, .addend = std::int64_t{1} << 20};
  if (flags.step)
    step = read_flag("--stepbytes", *flags.step,
                     [](std::string_view text) { return parse_step(fmt::format("+{}", text), kSizes); });
  if (flags.factor)
    step = {.factor = read_flag("--stepfactor", *flags.factor,
                                [](std::string_view text) {
                                  return std::int64_t{parse_integer(text, 2, std::numeric_limits<std::int32_t>::max())};
                                }),
            .addend = 0};
  return as_bytes(numbers_between(least, most, step, fmt::format("-b {} -e {}", least, most)));
}

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
  constexpr std::array<std::string_view, 5> kFaultKinds = {"link:", "rank:", "message:", "unreliable:", "switch:"};
  return std::ranges::any_of(kFaultKinds, [&](std::string_view kind) { return text.starts_with(kind); });
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

std::vector<Named<Model>> split_models(std::string_view text) {
  const std::vector<Model> all = all_models();
  const auto begins_model = [&](std::string_view part) {
    const std::string_view word = part.substr(0, part.find_first_of(",:"));
    return std::ranges::find(all, word, &Model::name) != all.end();
  };
  std::vector<Named<Model>> models;
  for (const std::string& part : split_before(text, ',', begins_model)) {
    const Model model = parse_model(part);
    models.push_back({to_string(model), model});
  }
  return models;
}

std::vector<Model> different_models(std::string_view text) {
  std::vector<Model> models;
  for (const Named<Model>& model : split_models(text)) {
    if (std::ranges::find(models, model.value) != models.end())
      throw InputError(fmt::format("'{}': {} is there twice", text, model.text));
    models.push_back(model.value);
  }
  return models;
}

std::vector<std::string> split_topologies(std::string_view text) { return split_before(text, ',', begins_topology); }

std::vector<Named<std::vector<std::string>>> split_faults(std::string_view text) {
  std::vector<Named<std::vector<std::string>>> points;
  for (const std::string& point : split_before(text, ',', begins_fault_point)) {
    points.push_back({point, {}});
    if (point == kNoFault) continue;
    points.back().value = split_before(point, '+', begins_fault);
    for (const std::string& fault : points.back().value)
      if (!begins_fault(fault))
        throw InputError(
            fmt::format("'{}': no fault; try none, or one that begins with link:, rank:, message:, unreliable: or "
                        "switch:, as link:0->1,slow=4",
                        fault));
  }
  return points;
}

std::vector<Named<std::vector<Routing>>> split_routings(std::string_view text) {
  constexpr std::string_view kSeeded = "ecmp:";
  constexpr std::uint64_t kMostSeeds = 10'000;
  std::vector<Named<std::vector<Routing>>> points;
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
    Named<std::vector<Routing>> point{fmt::format("ecmp:{}:{}", *first, *last), {}};
    for (std::uint64_t i = 0; i <= *last - *first; ++i) point.value.push_back(Routing::ecmp(*first + i));
    if (point.value.size() == 1) point.text = to_string(point.value.front());
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace heddle
