// SPDX-License-Identifier: Apache-2.0
#include "core/count_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 62;

using Counts = std::vector<std::int64_t>;

/// The sum of all; throws UsageError as CountMatrix does.
std::int64_t checked_sum(std::span<const std::int64_t> counts, std::int64_t times) {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) {
    if (count < 0) throw UsageError(fmt::format("a count of {}: it must not be negative", count));
    if (count > kMostElements / times - sum) throw UsageError("counts of more than 2^62 elements in all");
    sum += count;
  }
  return sum;
}

/// sums[k] is of the first k.
void append_sums(Counts& sums, std::span<const std::int64_t> counts) {
  std::int64_t sum = 0;
  sums.push_back(sum);
  for (const std::int64_t count : counts) sums.push_back(sum += count);
}

}  // namespace

CountMatrix::CountMatrix(Rows kind, int ranks, std::span<const std::int64_t> counts)
    : kind_(kind), ranks_(ranks), counts_(std::make_shared<const Counts>(counts.begin(), counts.end())) {
  const auto p = static_cast<std::size_t>(ranks);
  const std::int64_t sum = checked_sum(counts, kind == Rows::all ? 1 : ranks);
  most_sent_ = kind == Rows::all ? 0 : sum;
  for (const std::int64_t count : counts) unit_ = std::gcd(unit_, count);
  Counts rows;
  if (kind != Rows::all) {
    append_sums(rows, counts);
    if (kind == Rows::turning) {
      for (const std::int64_t count : counts) rows.push_back(rows.back() + count);
    }
    rows_ = std::make_shared<const Counts>(std::move(rows));
    return;
  }
  Counts columns;
  Counts column(p);
  for (std::size_t i = 0; i < p; ++i) {
    append_sums(rows, counts.subspan(i * p, p));
    most_sent_ = std::max(most_sent_, rows.back());
    for (std::size_t j = 0; j < p; ++j) column[j] = counts[j * p + i];
    append_sums(columns, column);
  }
  rows_ = std::make_shared<const Counts>(std::move(rows));
  columns_ = std::make_shared<const Counts>(std::move(columns));
}

CountMatrix CountMatrix::of(int ranks, std::vector<std::int64_t> counts) {
  if (ranks < 1 || counts.size() != static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks))
    throw UsageError(fmt::format("{} counts for {} ranks: one for each two is needed", counts.size(), ranks));
  return {Rows::all, ranks, counts};
}

CountMatrix CountMatrix::by_destination(std::span<const std::int64_t> to) {
  if (to.empty()) throw UsageError("counts of no rank");
  return {Rows::alike, static_cast<int>(to.size()), to};
}

CountMatrix CountMatrix::by_sum(std::span<const std::int64_t> sizes) {
  if (sizes.empty()) throw UsageError("counts of no rank");
  return {Rows::turning, static_cast<int>(sizes.size()), sizes};
}

std::int64_t CountMatrix::sent_before(int from, int to) const {
  const auto i = static_cast<std::size_t>(from);
  const auto j = static_cast<std::size_t>(to);
  switch (kind_) {
    case Rows::alike:
      return (*rows_)[j];
    case Rows::turning:
      return (*rows_)[i + j] - (*rows_)[i];
    default:
      return (*rows_)[i * (static_cast<std::size_t>(ranks_) + 1) + j];
  }
}

std::int64_t CountMatrix::received_before(int to, int from) const {
  const auto i = static_cast<std::size_t>(from);
  const auto j = static_cast<std::size_t>(to);
  switch (kind_) {
    case Rows::alike:
      return from * (*counts_)[j];
    case Rows::turning:
      return sent_before(to, from);
    default:
      return (*columns_)[j * (static_cast<std::size_t>(ranks_) + 1) + i];
  }
}

bool CountMatrix::is_symmetric() const {
  if (kind_ == Rows::turning) return true;
  if (kind_ == Rows::alike) return std::ranges::adjacent_find(stored(), std::not_equal_to<>()) == stored().end();
  for (int i = 0; i < ranks_; ++i) {
    for (int j = 0; j < i; ++j) {
      if (at(i, j) != at(j, i)) return false;
    }
  }
  return true;
}

CountMatrix CountMatrix::scaled(std::int64_t part, std::int64_t whole) const {
  if (empty() || part == whole || unit_ == 0) return *this;
  // All counts are multiples of the unit, so what remains of the fraction must divide it.
  const std::int64_t common = std::gcd(part, whole);
  const std::int64_t divisor = whole / common;
  if (unit_ % divisor != 0) throw UsageError(fmt::format("counts times {} / {} do not come out even", part, whole));
  Counts counts(stored().begin(), stored().end());
  for (std::int64_t& count : counts) count = count / divisor * (part / common);
  return with(counts);
}

CountMatrix CountMatrix::another() const {
  const auto p = static_cast<std::size_t>(ranks_);
  Counts counts(stored().begin(), stored().end());
  if (kind_ == Rows::all) {
    for (std::size_t i = 0; i < p; ++i) {
      for (std::size_t j = 0; j < p; ++j) counts[i * p + j] = stored()[(i + 1) % p * p + (j + 1) % p];
    }
  } else {
    std::rotate(counts.begin(), counts.begin() + 1, counts.end());
  }
  for (std::int64_t& count : counts) count += count > 0 || unit_ == 0 ? 1 : 0;
  return with(counts);
}

std::string_view CountMatrix::description() const {
  switch (kind_) {
    case Rows::alike:
      return "skewed by destination";
    case Rows::turning:
      return "in blocks of given sizes";
    default:
      return "of given counts";
  }
}

}  // namespace heddle
