// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/skips/circulant_skips.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <iterator>

#include "algorithms/registry/requirements.hpp"
#include "core/errors.hpp"
#include "core/nearest_name.hpp"

namespace heddle::schedule {

namespace {

constexpr std::array<std::string_view, 4> kNames{"halving", "power_of_two", "sqrt", "linear"};

constexpr int halved_up(int n) { return n / 2 + n % 2; }

void append_halving(int n, std::vector<int>& skips) {
  while (n > 1) skips.push_back(n = halved_up(n));
}

int square_root_up(int n) {
  int root = 1;
  while (root * root < n) ++root;
  return root;
}

/// Algorithm 1's choice of rounds: when a round begins, only offsets below the skip before it are left.
Horizons falling_horizons(int ranks, const std::vector<int>& skips) {
  Horizons horizons{ranks};
  horizons.insert(horizons.end(), skips.begin(), skips.end());
  horizons.resize(skips.size());
  return horizons;
}

SkipRounds one_per_round(const std::vector<int>& skips) {
  SkipRounds rounds;
  for (const int skip : skips) rounds.push_back({skip});
  return rounds;
}

std::vector<int> parse_list(std::string_view text) {
  std::vector<int> list;
  for (const char* at = text.data();; ++at) {
    int skip = 0;
    const auto [end, error] = std::from_chars(at, text.data() + text.size(), skip);
    const bool at_end = end == text.data() + text.size();
    if (error != std::errc() || skip < 1 || (!at_end && *end != '+'))
      throw InputError(fmt::format("skips '{}': whole numbers from 1 on are needed, as in 5+3+2+1", text));
    list.push_back(skip);
    if (at_end) return list;
    at = end;
  }
}

}  // namespace

CirculantSkips CirculantSkips::parse(std::string_view text) {
  const auto found = std::find(kNames.begin(), kNames.end(), text);
  if (found != kNames.end()) return CirculantSkips(static_cast<Kind>(found - kNames.begin()));
  const bool is_word =
      !text.empty() && ((text.front() >= 'a' && text.front() <= 'z') || (text.front() >= 'A' && text.front() <= 'Z'));
  if (is_word) throw InputError(unknown_name_message("choice of skips", text, kNames) + ", or a list such as 5+3+2+1");
  CirculantSkips skips(Kind::list);
  skips.list_ = parse_list(text);
  return skips;
}

std::string CirculantSkips::name() const {
  return kind_ == Kind::list ? fmt::format("{}", fmt::join(list_, "+"))
                             : std::string(kNames.at(static_cast<std::size_t>(kind_)));
}

std::vector<int> CirculantSkips::for_ranks(int ranks) const {
  std::vector<int> skips;
  switch (kind_) {
    case Kind::halving:
      append_halving(ranks, skips);
      break;
    case Kind::power_of_two:
      for (int rest = ranks; rest > 1;)
        skips.push_back(rest = static_cast<int>(std::bit_floor(static_cast<unsigned>(rest - 1))));
      break;
    case Kind::sqrt: {
      const int stride = square_root_up(ranks);
      int rest = ranks;
      while (rest - stride > stride) skips.push_back(rest -= stride);
      append_halving(rest, skips);
      break;
    }
    case Kind::linear:
      for (int skip = ranks - 1; skip >= 1; --skip) skips.push_back(skip);
      break;
    case Kind::list:
      std::copy_if(list_.begin(), list_.end(), std::back_inserter(skips), [ranks](int skip) { return skip < ranks; });
      break;
  }
  return skips;
}

bool CirculantSkips::reach_everyone(int ranks) const {
  return kind_ != Kind::list || reaches_everyone(ranks, one_per_round(for_ranks(ranks)));
}

int CirculantSkips::rounds(int ranks) const { return reach_everyone(ranks) ? circulant_schedule(ranks, *this).steps() : 0; }

SkipSchedule circulant_schedule(int ranks, const CirculantSkips& skips) {
  const std::vector<int> falling = skips.for_ranks(ranks);
  const SkipRounds rounds = one_per_round(falling);
  const Horizons horizons = falling_horizons(ranks, falling);
  return reaches_everyone(ranks, rounds, horizons) ? SkipSchedule(ranks, rounds, horizons) : SkipSchedule(ranks, rounds);
}

std::shared_ptr<const SkipSchedule> circulant_plan(Communicator& comm, const CirculantSkips& skips) {
  const int p = comm.size();
  return comm.shared_plan<SkipSchedule>("circulant, skips " + skips.name(), [&] {
    if (!skips.reach_everyone(p))
      throw UsageError(fmt::format("circulant: it needs skips that reach every rank, and {} do not reach {}", skips.name(), p));
    return circulant_schedule(p, skips);
  });
}

}  // namespace heddle::schedule
