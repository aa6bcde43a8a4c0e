// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "emu/network/fluid_network_lockstep.hpp"
#include "emu/network/max_min.hpp"

namespace heddle::emu {

namespace {

/// Levels that lie nearer to each other, but are not the same, MaxMin may take for one.
constexpr double kApart = 1 + 1e-9;

/// Sums of multiples of it are exact up to kLargestSum, in whichever order.
constexpr double kFinest = 1.0 / 1024;
constexpr double kLargestSum = 4398046511104.0;  // 2^42

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

/// MaxMin takes the rates of a link's flows from it one after the other. Each time that rounds at most half of the last bit of what is
/// left, of which the lightest flow has one part in `units`: whether it may take the level for another one then.
bool may_round_away(double flows, double units) {
  constexpr double kRounding = 1.0 / 9007199254740992.0;  // 2^-53
  return kRounding * flows * units >= kSameLevel / 2;
}

/// From the lowest link on.
LinkRun upwards(const LinkRun& run) { return run.stride >= 0 ? run : LinkRun{run[run.count - 1], -run.stride, run.count}; }

}  // namespace

void LockstepRates::clear() {
  kinds_.clear();
  flows_.clear();
  runs_.clear();
  strides_.clear();
  is_simple_ = true;
  are_alike_ = true;
  crossings_ = 0;
}

void LockstepRates::add(std::span<const LinkRun> runs, double weight, double bytes) {
  assert(!runs.empty() && weight > 0);
  if (!is_simple_) return;
  is_simple_ = runs.size() <= std::numeric_limits<std::uint16_t>::max() &&
               runs_.size() + runs.size() <= std::numeric_limits<std::uint32_t>::max();
  const auto first = static_cast<std::uint32_t>(runs_.size());
  for (const LinkRun& run : runs) {
    runs_.push_back(upwards(run));
    crossings_ += run.count;
    if (run.count > 1) note_stride(runs_.back().stride);
  }
  flows_.push_back({first, static_cast<std::uint16_t>(runs.size()), kind_of(weight, bytes)});
  // The fullest link has as many as others have on average, or more.
  const double on_link = crossings_ / static_cast<double>(links_);
  if (!are_alike_ && may_round_away(on_link, on_link)) is_simple_ = false;
}

std::uint16_t LockstepRates::kind_of(double weight, double bytes) {
  for (std::size_t i = kinds_.size(); i-- > 0;)
    if (kinds_[i].weight == weight && kinds_[i].bytes == bytes) return static_cast<std::uint16_t>(i);
  is_simple_ =
      is_simple_ && kinds_.size() < kMostKinds && is_power_of_two(weight) && bytes / kFinest == std::floor(bytes / kFinest);
  are_alike_ = are_alike_ && (kinds_.empty() || kinds_.front().weight == weight);
  kinds_.push_back({weight, bytes});
  return static_cast<std::uint16_t>(kinds_.size() - 1);
}

void LockstepRates::note_stride(std::int32_t stride) {
  if (!strides_.empty() && strides_.back() == stride) return;
  if (std::find(strides_.begin(), strides_.end(), stride) != strides_.end()) return;
  is_simple_ = is_simple_ && strides_.size() < kMostStrides;
  strides_.push_back(stride);
}

bool LockstepRates::solve(std::span<const double> capacity, const std::function<bool()>& is_to_stop) {
  assert(capacity.size() >= links_);
  if (!is_simple_ || flows_.empty() || !count_units()) return false;
  add_up(loads_, nullptr);
  if (!bytes_are_exact()) return false;
  left_.assign(capacity.begin(), capacity.begin() + static_cast<std::ptrdiff_t>(links_));
  rest_.resize(links_);
  for (std::size_t link = 0; link < links_; ++link) rest_[link] = {loads_[link].flows, loads_[link].units};
  rates_.resize(flows_.size());
  undecided_.resize(flows_.size());
  std::iota(undecided_.begin(), undecided_.end(), 0U);
  double before = 0;
  for (int levels = 0; levels < kMostLevels; ++levels) {
    if (is_to_stop && is_to_stop()) return false;
    const double level = least_level();
    if (std::isinf(level) || level <= before * kApart || !mark_full(level) || !decide(level)) return false;
    if (undecided_.empty()) return true;
    take_away(level);
    before = level;
  }
  return false;
}

/// False: they differ by more than numbers of units hold.
bool LockstepRates::count_units() {
  constexpr double kMost = 1 << 16;
  quantum_ =
      std::min_element(kinds_.begin(), kinds_.end(), [](const Kind& a, const Kind& b) { return a.weight < b.weight; })->weight;
  for (Kind& kind : kinds_) {
    const double units = kind.weight / quantum_;
    if (units > kMost || units * static_cast<double>(flows_.size()) > std::numeric_limits<std::int32_t>::max()) return false;
    kind.units = static_cast<std::int32_t>(units);
  }
  return true;
}

/// What all flows, or some, bring to each link.
void LockstepRates::add_up(std::vector<Load>& loads, const Flows* some) {
  loads.assign(links_, {});
  const auto for_each = [&](const auto& use) {
    if (some == nullptr)
      for (const Flow& flow : flows_) use(flow);
    else
      for (const std::uint32_t flow : *some) use(flows_[flow]);
  };
  const auto change = [](Load& load, const Kind& kind, int sign) {
    load.flows += sign;
    load.units += sign * kind.units;
    load.bytes += sign * kind.bytes;
  };
  for_each([&](const Flow& flow) {
    for (std::uint32_t r = flow.first_run; r < flow.first_run + flow.runs; ++r)
      if (runs_[r].count == 1) change(loads[static_cast<std::size_t>(runs_[r].first)], kinds_[flow.kind], 1);
  });
  for (const std::int32_t stride : strides_) {
    const auto step = static_cast<std::size_t>(stride);
    ends_.assign(links_ + step, {});
    for_each([&](const Flow& flow) {
      for (std::uint32_t r = flow.first_run; r < flow.first_run + flow.runs; ++r) {
        const LinkRun& run = runs_[r];
        if (run.count == 1 || run.stride != stride) continue;
        change(ends_[static_cast<std::size_t>(run.first)], kinds_[flow.kind], 1);
        change(ends_[static_cast<std::size_t>(run[run.count])], kinds_[flow.kind], -1);
      }
    });
    for (std::size_t link = 0; link < links_; ++link) {
      Load& sum = ends_[link];
      if (link >= step) {
        sum.flows += ends_[link - step].flows;
        sum.units += ends_[link - step].units;
        sum.bytes += ends_[link - step].bytes;
      }
      loads[link].flows += sum.flows;
      loads[link].units += sum.units;
      loads[link].bytes += sum.bytes;
    }
  }
}

bool LockstepRates::bytes_are_exact() const {
  return std::all_of(loads_.begin(), loads_.end(), [](const Load& load) { return load.bytes <= kLargestSum; });
}

double LockstepRates::least_level() const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t link = 0; link < links_; ++link)
    if (rest_[link].flows > 0) least = std::min(least, level_of(left_[link], rest_[link], quantum_));
  return least;
}

/// Notes which links are full at this level. False if it cannot be told from others as MaxMin tells them.
bool LockstepRates::mark_full(double level) {
  full_.assign(links_, 0);
  double last_left = 0;
  Rest last;
  for (std::size_t link = 0; link < links_; ++link) {
    const Rest& rest = rest_[link];
    if (rest.flows == 0) continue;
    const double own = level_of(left_[link], rest, quantum_);
    if (own > level * kApart) continue;
    if (own != level) return false;
    full_[link] = 1;
    // All links of a symmetric pattern are alike.
    if (left_[link] == last_left && rest.flows == last.flows && rest.units == last.units) continue;
    if (!stays_full(left_[link], rest, level)) return false;
    last_left = left_[link];
    last = rest;
  }
  sums_.resize(strides_.size());
  for (std::size_t s = 0; s < strides_.size(); ++s) {
    const auto step = static_cast<std::size_t>(strides_[s]);
    sums_[s].resize(links_);
    for (std::size_t link = 0; link < links_; ++link) sums_[s][link] = full_[link] + (link >= step ? sums_[s][link - step] : 0);
  }
  return true;
}

/// Whether what is left for the others, however many have had their rates from another full link, still is this level to MaxMin.
bool LockstepRates::stays_full(double left, const Rest& rest, double level) const {
  if (!may_round_away(rest.flows, rest.units)) return true;
  if (!are_alike_) return false;
  for (std::int32_t others = rest.flows - 1; others > 0; --others) {
    left -= quantum_ * level;
    if (left / (others * quantum_) > level * (1 + kSameLevel)) return false;
  }
  return true;
}

bool LockstepRates::crosses_full(const Flow& flow) const {
  for (std::uint32_t r = flow.first_run; r < flow.first_run + flow.runs; ++r) {
    const LinkRun& run = runs_[r];
    const auto first = static_cast<std::size_t>(run.first);
    if (full_[first] != 0) return true;
    if (run.count == 1) continue;
    const auto s = static_cast<std::size_t>(std::find(strides_.begin(), strides_.end(), run.stride) - strides_.begin());
    // The first is not full: what comes behind it is what counts.
    if (sums_[s][static_cast<std::size_t>(run[run.count - 1])] != sums_[s][first]) return true;
  }
  return false;
}

/// Flows over full links have their rates. False: MaxMin would take them away from the others in an order that counts.
bool LockstepRates::decide(double level) {
  decided_.clear();
  std::size_t kept = 0;
  for (const std::uint32_t flow : undecided_) {
    if (!crosses_full(flows_[flow])) {
      undecided_[kept++] = flow;
      continue;
    }
    rates_[flow] = kinds_[flows_[flow].kind].weight * level;
    decided_.push_back(flow);
  }
  undecided_.resize(kept);
  const double weight = kinds_[flows_[decided_.front()].kind].weight;
  return undecided_.empty() || std::all_of(decided_.begin(), decided_.end(),
                                           [&](std::uint32_t flow) { return kinds_[flows_[flow].kind].weight == weight; });
}

/// What the decided flows, all of one rate, leave to the others.
void LockstepRates::take_away(double level) {
  const double rate = kinds_[flows_[decided_.front()].kind].weight * level;
  add_up(decided_loads_, &decided_);
  for (std::size_t link = 0; link < links_; ++link) {
    const Load& gone = decided_loads_[link];
    if (gone.flows == 0) continue;
    Rest& rest = rest_[link];
    rest.flows -= gone.flows;
    rest.units -= gone.units;
    if (rest.flows == 0) continue;
    for (std::int32_t i = 0; i < gone.flows; ++i) left_[link] -= rate;  // one by one, as MaxMin does
  }
}

}  // namespace heddle::emu
