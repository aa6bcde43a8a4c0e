// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "emu/check/checked_calls.hpp"
#include "emu/record/record_sink.hpp"
#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

constexpr int kRepeats = 3;  // chance may flip the same bit twice
constexpr std::uint64_t kOtherOrders = 4;

struct RepeatEnd {
  std::string wrong;
  bool is_given_up;  ///< by an error: what is wrong is then that of ranks which had ended a call before
};

RepeatEnd repeat(const Fabric& fabric, const Placement& placement, const CollectiveCall& call, EmulationSettings settings) {
  settings.met_points = nullptr;
  GroupsRun again({call}, {all_ranks(placement.size())}, placement, settings.interrupted);
  const auto what_is_wrong = [&again] { return again.groups().front()->explain_failures().text; };
  try {
    emulate_measured(fabric, placement, std::ref(again), settings);
  } catch (const CheckError& error) {
    const std::string wrong = what_is_wrong();
    return {wrong.empty() ? error.what() : wrong, true};
  }
  return {what_is_wrong(), false};
}

RepeatEnd repeat(const Fabric& fabric, const CheckedCalls& group, EmulationSettings settings, OrderObserver& observer) {
  settings.sinks = {&observer};
  return repeat(fabric, group.placement(), group.call(), std::move(settings));
}

struct OtherOrder {
  EmulationSettings settings;
  std::string name;
};

std::vector<OtherOrder> other_orders(const EmulationSettings& settings) {
  std::vector<OtherOrder> orders;
  if (settings.order_seed || !settings.order.is_usual()) {
    orders.push_back({settings, "in the usual order"});
    orders.back().settings.order_seed.reset();
    orders.back().settings.order = {};
  }
  for (std::uint64_t seed = 1; seed <= kOtherOrders; ++seed) {
    OtherOrder order{settings, fmt::format("in another order (--order-seed {0} --order jitter:{0},pick:{0})", seed)};
    order.settings.order_seed = seed;
    order.settings.order = {.jitter = seed, .pick = seed};
    orders.push_back(std::move(order));
  }
  return orders;
}

/// `seen`: who sees what comes first; empty: nobody.
std::string order_text(const std::string& order, bool is_right, const std::string& seen) {
  const char* const outcome = is_right ? "is right" : "is wrong in another way";
  if (!seen.empty())
    return fmt::format("  the result depends on the order in which messages arrive: {}, and {} it {}", seen, order, outcome);
  return fmt::format(
      "  the result depends on the order in which ranks take turns: {} it {}, though nobody receives from any source, or sees "
      "what has come first; ranks or tasks share memory (a static or global variable) or messages, use memory that they have "
      "not written, or depend on time, chance or addresses",
      order, outcome);
}

}  // namespace

std::string wrong_when_repeated(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                                EmulationSettings settings) {
  return repeat(fabric, placement, call, std::move(settings)).wrong;
}

Dependence find_dependence(const Fabric& fabric, const CheckedCalls& group, const EmulationSettings& settings,
                           const std::string& wrong) {
  OrderObserver observer;
  bool is_given_up = false;
  for (int i = 0; i < kRepeats; ++i) {
    const RepeatEnd end = repeat(fabric, group, settings, observer);
    is_given_up = end.is_given_up;
    const std::string& again = end.wrong;
    if (again == wrong) continue;
    return {.comes_again = false,
            .text = fmt::format(
                "  the same call, made again at once, is {}: it depends on chance, time, addresses, memory that nobody "
                "has written, or what earlier calls have left, and no repeat can say where this result comes from",
                again.empty() ? "right" : "wrong in another way")};
  }
  if (!settings.faults.empty()) return {};  // which depend on the order themselves
  for (const OtherOrder& order : other_orders(settings)) {
    const RepeatEnd other = repeat(fabric, group, order.settings, observer);
    // Which ranks had ended a call when an error ended the run depends on the order, where nobody sees it, too.
    if (observer.text().empty() && (is_given_up || other.is_given_up)) continue;
    if (other.wrong != wrong) return {.text = order_text(order.name, other.wrong.empty(), observer.text())};
  }
  return {};
}

}  // namespace heddle::emu
