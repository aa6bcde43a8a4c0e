// SPDX-License-Identifier: Apache-2.0
// A run lists the points that it met. An order with k delays, the last at point i, has one successor for each way at each
// point after i: so every set of delays is tried once, and what comes before i in a successor is what came before it here.
#include "emu/studies/explore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace heddle {

namespace {

/// How many delays it takes to go that way.
int cost(const Deviation& deviation) {
  return deviation.point.kind == OrderPoint::Kind::pick ? static_cast<int>(deviation.way) : 1;
}

void check(const EmulationSettings& settings, const ExploreBound& bound) {
  if (bound.delays < 0 || bound.orders < 1 || bound.seeds < 0) {
    throw InputError(fmt::format("explore: {} delays, {} orders and {} seeds; at least 0, 1 and 0", bound.delays, bound.orders,
                                 bound.seeds));
  }
  if (!settings.order.is_usual()) throw InputError("explore: the settings have an order of their own already");
  if (settings.wall)
    throw InputError("explore: under the wall clock the machine orders what happens; it needs the virtual clock");
}

class Explorer {
 public:
  Explorer(const std::function<void(const EmulationSettings&)>& run, const EmulationSettings& settings,
           const ExploreBound& bound)
      : run_(run), settings_(settings), bound_(bound) {
    settings_.met_points = &met_;
  }

  Exploration explore() {
    levels_.resize(static_cast<std::size_t>(bound_.delays) + 1);
    levels_.front().push_back({});
    for (std::size_t delays = 0; delays < levels_.size() && !is_over_; ++delays) try_all(delays);
    if (!result_.failure) try_seeds();
    return std::move(result_);
  }

 private:
  using Delays = std::vector<Deviation>;

  /// All orders with so many delays; those that come of them join the levels above.
  void try_all(std::size_t delays) {
    for (std::size_t i = 0; i < levels_[delays].size(); ++i) {
      if (result_.with_delays == bound_.orders || is_stopped()) {
        is_over_ = true;
        return;
      }
      const Delays order = std::move(levels_[delays][i]);
      settings_.order.delays = order;
      ++result_.with_delays;
      if (fails()) {
        is_over_ = true;
        return;
      }
      add_successors(order, delays);
    }
    result_.complete_delays = static_cast<int>(delays);
    levels_[delays] = {};
  }

  void add_successors(const Delays& order, std::size_t delays) {
    if (order.empty()) result_.points = static_cast<std::int64_t>(met_.size());
    auto next = met_.begin();
    if (!order.empty()) {
      next = std::ranges::find(met_, order.back().point, &MetPoint::point);
      if (next == met_.end()) {
        throw InputError(fmt::format(
            "explore: the program does not repeat itself: {}, which it did the time before, does not come about any more",
            to_string(settings_.order)));
      }
      ++next;
    }
    for (; next != met_.end(); ++next) {
      for (std::uint32_t way = 1; way < next->ways; ++way) add({next->point, way}, order, delays);
    }
  }

  void add(const Deviation& deviation, const Delays& order, std::size_t delays) {
    const std::size_t level = delays + static_cast<std::size_t>(cost(deviation));
    if (level >= levels_.size()) return;
    // As many as can still be run at most: those that come first.
    if (static_cast<std::int64_t>(levels_[level].size()) == bound_.orders) return;
    levels_[level].push_back(order);
    levels_[level].back().push_back(deviation);
  }

  void try_seeds() {
    for (std::int64_t i = 0; i < bound_.seeds && !is_stopped(); ++i) {
      const std::uint64_t seed = bound_.first_seed + static_cast<std::uint64_t>(i);
      settings_.order_seed = seed;
      settings_.order = {.jitter = seed, .pick = seed, .delays = {}};
      ++result_.seeded;
      if (fails()) return;
    }
  }

  bool is_stopped() const { return result_.with_delays > 0 && bound_.is_stopped && bound_.is_stopped(); }

  bool fails() {
    try {
      run_(settings_);
      return false;
    } catch (const CheckError& error) {
      result_.failure = FailingOrder{settings_.order_seed, settings_.order, error.failure()};
      return true;
    }
  }

  const std::function<void(const EmulationSettings&)>& run_;
  EmulationSettings settings_;
  const ExploreBound& bound_;
  std::vector<MetPoint> met_;
  std::vector<std::vector<Delays>> levels_;  ///< by number of delays: what is still to be run
  bool is_over_ = false;
  Exploration result_;
};

std::string plural_delays(int delays) { return fmt::format("{} delay{}", delays, delays == 1 ? "" : "s"); }

}  // namespace

std::string FailingOrder::arguments() const {
  std::string text;
  if (order_seed) text = fmt::format("--order-seed {}", *order_seed);
  if (!order.is_usual()) text += fmt::format("{}--order {}", text.empty() ? "" : " ", to_string(order));
  return text;
}

std::string FailingOrder::text(std::string_view command) const {
  std::string text = failure.explanation;
  for (const Deviation& delay : order.delays) text += "\n  " + describe(delay);
  if (order.jitter) text += "\n  everything of one instant is in an order by seed, and messages come later by seed";
  const std::string given = arguments();
  if (given.empty()) text += "\n  in the usual order";
  const std::string_view repeat = command.empty() ? std::string_view(given) : command;
  return repeat.empty() ? text : fmt::format("{}\n  repeat: {}", text, repeat);
}

std::string Exploration::covered() const {
  const std::string all = complete_delays < 0 ? "not all" : fmt::format("all with at most {}", plural_delays(complete_delays));
  return fmt::format("{} orders: {} with delays ({}; {} points) and {} seeds", orders(), with_delays, all, points, seeded);
}

std::string Exploration::text(std::string_view command) const {
  if (!failure) return "right under " + covered();
  return fmt::format("order {} of those explored is wrong: {}: {}", orders(), to_string(failure->failure.kind),
                     failure->text(command));
}

Exploration explore(const std::function<void(const EmulationSettings&)>& run, const EmulationSettings& settings,
                    const ExploreBound& bound) {
  check(settings, bound);
  return Explorer(run, settings, bound).explore();
}

Exploration explore(const Fabric& fabric, const Placement& placement, const RankFunction& function,
                    const EmulationSettings& settings, const ExploreBound& bound) {
  return explore([&](const EmulationSettings& given) { emulate(fabric, placement, function, given); }, settings, bound);
}

}  // namespace heddle
