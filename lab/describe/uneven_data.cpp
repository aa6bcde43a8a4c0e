// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/uneven_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "core/printable.hpp"
#include "core/random.hpp"
#include "core/read_file.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"

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
  for (const std::string_view size : split_list(text)) {
    try {
      sizes.push_back(parse_integer(size, 0, std::numeric_limits<std::int64_t>::max() - sum));
    } catch (const InputError&) {
      throw InputError(
          fmt::format("'{}': not sizes of blocks; even, random, random:7 or as 3,1,0,4 (elements, one per rank)", text));
    }
    sum += sizes.back();
  }
  return sizes;
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

namespace {

constexpr std::array<std::string_view, 6> kKindsOfCounts = {"random", "sparse", "rows", "columns", "giant", "symmetric"};
constexpr std::uint64_t kSeedOfCounts = 1;
constexpr std::int64_t kMostCount = std::int64_t{1} << 50;  ///< so that no sum of a thousand ranks' overflows
constexpr std::size_t kMostFileBytes = std::size_t{256} << 20;

std::string_view kind_in(std::string_view text) { return text.substr(0, text.find(':')); }

// ---- drawn ----

/// 0 … 7.
std::int64_t draw_weight(SplitMix64& random) { return static_cast<std::int64_t>(random.below(8)); }

std::vector<bool> draw_some(SplitMix64& random, std::size_t ranks) {
  std::vector<bool> some(ranks);
  for (std::size_t i = 0; i < ranks; ++i) some[i] = random.below(2) == 0;
  some[random.below(ranks)] = true;
  return some;
}

std::vector<std::int64_t> draw_weights(std::string_view kind, std::uint64_t seed, std::size_t p) {
  SplitMix64 random(seed);
  std::vector<std::int64_t> weights(p * p);
  const std::vector<bool> empty = draw_some(random, p);
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t j = 0; j < p; ++j) {
      std::int64_t weight = draw_weight(random);
      if (kind == "sparse" && random.below(4) != 0) weight = 0;
      if ((kind == "rows" && empty[i]) || (kind == "columns" && empty[j])) weight = 0;
      if (kind == "giant") weight = weight < 3 ? weight / 2 : 0;
      weights[i * p + j] = weight;
    }
  }
  if (kind == "symmetric") {
    for (std::size_t i = 0; i < p; ++i) {
      for (std::size_t j = 0; j < i; ++j) weights[i * p + j] = weights[j * p + i];
    }
  }
  if (kind == "giant") weights[random.below(p) * p + random.below(p)] = 50 * static_cast<std::int64_t>(p);
  return weights;
}

CountMatrix draw_counts(std::string_view kind, std::uint64_t seed, std::int64_t count, int ranks) {
  std::vector<std::int64_t> counts = draw_weights(kind, seed, static_cast<std::size_t>(ranks));
  const std::int64_t most = std::max<std::int64_t>(1, CountMatrix::of(ranks, counts).most_sent());
  // In whole units where there are some, so that a part of all counts can be held in place of all.
  for (std::int64_t& weight : counts) weight = count >= most ? count / most * weight : count * weight / most;
  return CountMatrix::of(ranks, std::move(counts));
}

// ---- written out ----

bool is_separator(char c) { return c == ' ' || c == '\t' || c == ',' || c == '\r'; }

/// The counts of one line. `where(column)` says where a column is, for errors.
template <class Where>
std::vector<std::int64_t> read_row(std::string_view line, Where where) {
  std::vector<std::int64_t> row;
  for (std::size_t at = 0; at < line.size();) {
    if (is_separator(line[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && !is_separator(line[end])) ++end;
    const std::string_view word = line.substr(at, end - at);
    const auto count = read_number<std::int64_t>(word);
    if (!count || *count < 0 || *count > kMostCount)
      throw InputError(
          fmt::format("{}'{}' is no count; a whole number of elements from 0 to {}", where(at + 1), word, kMostCount));
    row.push_back(*count);
    at = end;
  }
  return row;
}

/// `where(row, column)`, numbered from 1, says where something is, for errors.
CountMatrix matrix_of(const std::vector<std::vector<std::int64_t>>& rows, const std::vector<std::string>& places) {
  std::vector<std::int64_t> counts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != rows.size())
      throw InputError(fmt::format("{}{}, {} {} needed: as many as there are rows", places[i],
                                   counted(std::ssize(rows[i]), "count"), rows.size(), rows.size() == 1 ? "is" : "are"));
    counts.insert(counts.end(), rows[i].begin(), rows[i].end());
  }
  try {
    return CountMatrix::of(static_cast<int>(rows.size()), std::move(counts));
  } catch (const UsageError& error) {
    throw InputError(error.what());
  }
}

CountMatrix read_counts(const std::string& path) {
  std::vector<std::vector<std::int64_t>> rows;
  std::vector<std::string> places;
  const std::string text = [&] {
    try {
      return read_file(path, kMostFileBytes);
    } catch (const InputError& error) {
      throw InputError(
          fmt::format("'{}': {}; a file with a row of counts on each line, drawn ones as {} (with a seed: "
                      "sparse:7), or a matrix as 0,2:1,0",
                      path, error.what(), fmt::join(kKindsOfCounts, ", ")));
    }
  }();
  std::size_t number = 0;
  for (const std::string_view line : split_list(text, '\n')) {
    ++number;
    const std::string_view content = line.substr(0, line.find('#'));
    std::vector<std::int64_t> row =
        read_row(content, [&](std::size_t column) { return fmt::format("{}:{}:{}: ", path, number, column); });
    if (row.empty()) continue;
    rows.push_back(std::move(row));
    places.push_back(fmt::format("{}:{}: ", path, number));
  }
  if (rows.empty()) throw InputError(fmt::format("{}: no counts; a row of them on each line", path));
  return matrix_of(rows, places);
}

}  // namespace

std::span<const std::string_view> kinds_of_counts() { return kKindsOfCounts; }

bool are_drawn_counts(std::string_view text) {
  return std::ranges::find(kKindsOfCounts, kind_in(text)) != kKindsOfCounts.end();
}

bool are_written_counts(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789,:") == std::string_view::npos;
}

CountMatrix parse_written_counts(std::string_view text) {
  std::vector<std::vector<std::int64_t>> rows;
  std::vector<std::string> places;
  for (const std::string_view row : split_list(text, ':')) {
    places.push_back(fmt::format("'{}': row {}: ", text, rows.size() + 1));
    rows.push_back(read_row(row, [&](std::size_t) { return places.back(); }));
  }
  return matrix_of(rows, places);
}

CountMatrix parse_counts(std::string_view text, std::int64_t count, int ranks) {
  if (are_drawn_counts(text)) {
    const std::string_view kind = kind_in(text);
    return draw_counts(kind, kind == text ? kSeedOfCounts : parse_seed(text.substr(kind.size() + 1)), count, ranks);
  }
  const CountMatrix counts = are_written_counts(text) ? parse_written_counts(text) : read_counts(std::string(text));
  if (counts.ranks() != ranks)
    throw InputError(fmt::format("'{}': a matrix of {} rows for {} ranks; each rank needs one", text, counts.ranks(), ranks));
  return counts;
}

std::string to_string(const CountMatrix& counts) {
  std::string text;
  for (int i = 0; i < counts.ranks(); ++i) {
    for (int j = 0; j < counts.ranks(); ++j) {
      if (j > 0 || i > 0) text += j == 0 ? ':' : ',';
      text += std::to_string(counts.at(i, j));
    }
  }
  return text;
}

namespace {

constexpr std::int64_t kLargestFactor = 1'000'000;

struct Fields {
  std::optional<std::int64_t> hot;
  std::optional<std::int64_t> factor;
  std::optional<std::uint64_t> seed;
};

Fields read_fields(std::string_view text, int ranks) {
  Fields fields;
  for (const std::string_view field : split_list(text)) {
    const std::size_t equals = field.find('=');
    const std::string_view name = field.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : field.substr(equals + 1);
    if (name == "hotspot" && !fields.hot)
      fields.hot = parse_integer(value, 1, ranks);
    else if (name == "factor" && !fields.factor)
      fields.factor = parse_integer(value, 1, kLargestFactor);
    else if (name == "seed" && !fields.seed)
      fields.seed = parse_seed(value);
    else
      throw InputError(fmt::format(
          "'{}': it has hotspot, factor and, if the hot ones are drawn, seed, each once: hotspot=2,factor=5", text));
  }
  return fields;
}

}  // namespace

std::vector<std::int64_t> parse_skew(std::string_view text, int ranks) {
  const Fields fields = read_fields(text, ranks);
  if (!fields.hot || !fields.factor)
    throw InputError(fmt::format("'{}': {} is missing; try hotspot=2,factor=5", text, fields.hot ? "factor" : "hotspot"));
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
