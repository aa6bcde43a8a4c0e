// SPDX-License-Identifier: Apache-2.0
#include "lab/grammar/skew.hpp"

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <utility>

#include "core/errors.hpp"
#include "core/random.hpp"
#include "lab/grammar/flag_value.hpp"

namespace heddle {

namespace {

constexpr std::int64_t kLargestFactor = 1'000'000;

struct Fields {
  std::optional<std::int64_t> hot;
  std::optional<std::int64_t> factor;
  std::optional<std::uint64_t> seed;
};

Fields read_fields(std::string_view text, int ranks) {
  Fields fields;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view field = rest.substr(0, comma);
    const std::size_t equals = field.find('=');
    const std::string_view name = field.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : field.substr(equals + 1);
    if (name == "hot" && !fields.hot)
      fields.hot = parse_integer(value, 1, ranks);
    else if (name == "factor" && !fields.factor)
      fields.factor = parse_integer(value, 1, kLargestFactor);
    else if (name == "seed" && !fields.seed)
      fields.seed = parse_seed(value);
    else
      throw InputError(
          fmt::format("'{}': it has hot, factor and, if the hot ones are drawn, seed, each once: hot=2,factor=5", text));
    if (comma == std::string_view::npos) return fields;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

std::vector<std::int64_t> parse_skew(std::string_view text, int ranks) {
  const Fields fields = read_fields(text, ranks);
  if (!fields.hot || !fields.factor)
    throw InputError(fmt::format("'{}': {} is missing; try hot=2,factor=5", text, fields.hot ? "factor" : "hot"));
  std::vector<std::size_t> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (fields.seed) {
    SplitMix64 random(*fields.seed);
    for (std::size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[random.below(left)]);
  }
  std::vector<std::int64_t> weights(static_cast<std::size_t>(ranks), 1);
  for (std::size_t i = 0; i < static_cast<std::size_t>(*fields.hot); ++i) weights[order[i]] = *fields.factor;
  return weights;
}

}  // namespace heddle
