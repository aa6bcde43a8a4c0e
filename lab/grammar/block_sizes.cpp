// SPDX-License-Identifier: Apache-2.0
#include "lab/grammar/block_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <string>

#include "core/errors.hpp"
#include "lab/grammar/flag_value.hpp"

namespace heddle {

namespace {

constexpr std::string_view kEven = "even";
constexpr std::string_view kRandom = "random";
constexpr std::uint64_t kDefaultSeed = 1;

bool is_random(std::string_view text) { return text == kRandom || text.starts_with("random:"); }

std::int64_t sum_of(const BlockSizes& sizes) { return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}); }

}  // namespace

BlockSizes parse_block_list(std::string_view text) {
  BlockSizes sizes;
  std::int64_t sum = 0;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    try {
      sizes.push_back(parse_integer(rest.substr(0, comma), 0, std::numeric_limits<std::int64_t>::max() - sum));
    } catch (const InputError&) {
      throw InputError(
          fmt::format("'{}': not sizes of blocks; even, random, random:7 or as 3,1,0,4 (elements, one per rank)", text));
    }
    sum += sizes.back();
    if (comma == std::string_view::npos) return sizes;
    rest.remove_prefix(comma + 1);
  }
}

bool is_list_of_blocks(std::string_view text) { return text != kEven && !text.starts_with(kRandom); }

std::optional<std::int64_t> listed_count(std::string_view text) {
  if (text == kEven || is_random(text)) return std::nullopt;
  return sum_of(parse_block_list(text));
}

BlockSizes parse_blocks(std::string_view text, std::int64_t count, int ranks) {
  if (text == kEven) return {};
  if (is_random(text))
    return random_blocks(count, ranks, text == kRandom ? kDefaultSeed : parse_seed(text.substr(kRandom.size() + 1)));
  BlockSizes sizes = parse_block_list(text);
  if (sizes.size() != static_cast<std::size_t>(ranks))
    throw InputError(fmt::format("'{}': {} sizes for {} ranks; one for each is needed", text, sizes.size(), ranks));
  if (const std::int64_t sum = sum_of(sizes); sum != count)
    throw InputError(fmt::format("'{}': {} elements in all, but --size is {}; leave --size out", text, sum, count));
  return sizes;
}

BlockSizes random_blocks(std::int64_t count, int ranks, std::uint64_t seed) {
  // Cut in proportion to weights 0 … 7.
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> weights(static_cast<std::size_t>(ranks));
  for (std::int64_t& weight : weights) weight = static_cast<std::int64_t>(random() >> 61);
  const std::int64_t total = std::max<std::int64_t>(1, sum_of(weights));
  weights.front() += total - sum_of(weights);
  BlockSizes sizes;
  std::int64_t weight_so_far = 0;
  std::int64_t begin = 0;
  for (const std::int64_t weight : weights) {
    weight_so_far += weight;
    const std::int64_t end = count / total * weight_so_far + count % total * weight_so_far / total;
    sizes.push_back(end - begin);
    begin = end;
  }
  return sizes;
}

}  // namespace heddle
