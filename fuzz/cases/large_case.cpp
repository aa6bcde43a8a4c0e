// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "fuzz/cases/case_data.hpp"

namespace heddle {

namespace {

constexpr std::int64_t kFewestElements = 5'000;
constexpr std::int64_t kMostElements = 70'000;
constexpr int kFewestRanks = 65;

constexpr std::array<std::int64_t, 4> kBeyondPowers = {8'193, 16'385, 32'769, 65'537};

/// With less between large ones, all others are as usual.
constexpr int kFewestBetween = 4;

/// Of all ranks together.
constexpr std::int64_t kMostHeld = std::int64_t{1} << 19;
constexpr std::int64_t kMostMessages = std::int64_t{1} << 15;
/// A ring of 64 ranks has fewer. Of pipelines of one element a message, a few would take as long as thousands of other cases.
constexpr std::int64_t kMostUsualMessages = std::int64_t{1} << 13;

/// 100 is beyond 64 and nothing else; 129 and 256 beyond 128 as well.
constexpr std::array<int, 8> kFirst = {100, 129, 256, 65, 128, 96, 255, 192};
/// Beyond 16 bits, on so many ranks at most.
constexpr std::int64_t kFirstElements = 65'537;
constexpr int kFewRanks = 7;
static_assert(kFirstElements * kFewRanks <= kMostHeld);

int draw_many_ranks(RandomSource& random, std::uint64_t turn, int attempt, int most) {
  const int any = static_cast<int>(random.between(kFewestRanks, most));
  if (attempt > 0 || turn >= kFirst.size()) return any;
  const int first = kFirst[turn];
  return first <= most ? first : any;
}

}  // namespace

std::int64_t LargeCase::elements_of(int by_ranks) const {
  return std::min(count, std::max(kFewestElements, kMostHeld / by_ranks));
}

std::optional<std::uint64_t> number_of_large_case(std::uint64_t index, const DrawBounds& bounds) {
  if (bounds.large_once_in == 0) return std::nullopt;
  const auto once_in = static_cast<std::uint64_t>(bounds.large_once_in);
  if (index % once_in != once_in - 1) return std::nullopt;
  return index / once_in;
}

std::optional<std::uint64_t> number_of_positions_case(std::uint64_t index, const DrawBounds& bounds) {
  if (bounds.positions_once_in < kFewestBetween || !bounds.only.is_nothing()) return std::nullopt;
  const auto once_in = static_cast<std::uint64_t>(bounds.positions_once_in);
  // Not behind a large one: memory that it has left would be given back, so that what this one takes shows.
  if (index % once_in != once_in / 4) return std::nullopt;
  return index / once_in;
}

std::optional<std::uint64_t> number_of_long_case(std::uint64_t index, const DrawBounds& bounds) {
  if (bounds.large_once_in < 2 * kFewestBetween) return std::nullopt;
  const auto half = static_cast<std::uint64_t>(bounds.large_once_in) / 2;
  if (index % half != half / 2) return std::nullopt;
  return index / half;
}

bool has_many_calls(const Algorithm& row) { return !row.needs.in_network; }

bool has_positions(const Algorithm& row) { return row.collective != Collective::barrier && !row.needs.in_network; }

void draw_positions(RandomSource& random, Experiment& what, const Algorithm& row, int ranks, std::uint64_t turn) {
  what.positions = true;
  what.op = &ReduceOp::sum();
  if (has_root(what.collective)) what.root = static_cast<int>(random.between(0, ranks - 1));
  what.in_place = random.once_in(2);
  const Datatype least = reduces(what.collective) ? Datatype::f16() : Datatype::user(1);
  // Beyond 32 bits a count in 31 is cut as well; beyond 31 it turns negative.
  const std::int64_t boundary = std::int64_t{1} << (turn == 0 ? 32 : random.one_of({31, 32}));
  std::int64_t count = 0;
  if (turn > 0 && has_blocks(what.collective) && random.once_in(3)) {
    what.type = least;
    count = boundary / 2 * std::min(ranks, 4);  // so many elements that a block's come near
  } else if (turn == 0 || random.once_in(2)) {
    what.type = least;
    count = least.size() == 1 ? boundary : std::int64_t{1} << 31;  // so many elements
  } else {
    what.type = random.one_of({Datatype::i32(), Datatype::f64()});
    count = boundary / static_cast<std::int64_t>(what.type->size());  // so many bytes
  }
  count += random.between(0, 3 * ranks);
  const bool takes_counts = what.collective == Collective::alltoall && !row.needs.equal_blocks;
  if (what.collective == Collective::alltoall) count += ranks - count % ranks;
  set_count(what, count);
  if (takes_counts && random.once_in(3))
    what.counts = fmt::format("{}:{}", what.in_place == true ? "symmetric" : "sparse", random.between(1, 1000));
}

LargeCase draw_large_case(RandomSource& random, Collective collective, std::uint64_t turn, int attempt,
                          const DrawBounds& bounds) {
  const bool has_many_ranks = bounds.most_large_ranks >= kFewestRanks;
  const bool is_barrier = collective == Collective::barrier;
  // A barrier, which has no elements, has many ranks in each turn, and begins with 129: a session of many rows may come to one turn
  // of each only.
  if (has_many_ranks && (is_barrier || turn % 2 == 1))
    return {.ranks = draw_many_ranks(random, is_barrier ? turn + 1 : turn / 2, attempt, bounds.most_large_ranks)};
  if (is_barrier) return {};
  if (turn == 0 && attempt == 0)
    return {.ranks = static_cast<int>(random.between(std::min(2, bounds.most_ranks), std::min(kFewRanks, bounds.most_ranks))),
            .count = kFirstElements};
  const std::int64_t any = random.between(kFewestElements, kMostElements);
  return {.count = random.once_in(2) ? any : random.one_of<std::int64_t>(kBeyondPowers)};
}

LargeCase draw_long_case(RandomSource& random, Collective collective, const DrawBounds& bounds) {
  constexpr int kMostRanks = 5;
  const int ranks = static_cast<int>(random.between(std::min(2, bounds.most_ranks), std::min(kMostRanks, bounds.most_ranks)));
  const std::int64_t count = collective == Collective::barrier ? 0 : random.between(kMostRanks, 32);
  return {.ranks = ranks, .count = count, .calls = static_cast<int>(random.between(23, 32))};
}

bool is_affordable(const Experiment& what, const Algorithm& row, const std::vector<Shape>& shapes, bool is_large) {
  std::int64_t held = 0;
  std::int64_t messages = 0;
  for (Shape shape : shapes) {
    shape.count = count_of(what);
    shape.bytes = shape.count * static_cast<std::int64_t>(type_of(what).size());
    held += shape.count * shape.ranks;
    if (row.rounds) messages += std::int64_t{row.rounds(shape)} * shape.ranks;
  }
  return held <= 2 * kMostHeld && messages <= (is_large ? kMostMessages : kMostUsualMessages);
}

}  // namespace heddle
