// SPDX-License-Identifier: Apache-2.0
#include "emu/studies/further_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "emu/check/checked_calls.hpp"
#include "emu/data/call_bits.hpp"
#include "emu/record/record_sink.hpp"
#include "emu/studies/explore.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

bool is_usual_order(const EmulationSettings& settings) { return !settings.order_seed && settings.order.is_usual(); }

/// Without what the caller wants to see of it.
EmulationSettings unseen(EmulationSettings settings) {
  settings.sinks.clear();
  settings.met_points = nullptr;
  return settings;
}

EmulationSettings in_usual_order(EmulationSettings settings) {
  settings.order_seed.reset();
  settings.order = {};
  return unseen(std::move(settings));
}

/// Of two vectors as long. The facts have the first element that differs.
std::string difference_of(ConstVectorView usual, ConstVectorView other, std::int64_t first, const std::string& order,
                          FailureFacts& facts) {
  std::int64_t count = 0;
  std::string example;
  for (std::int64_t i = 0; i < usual.count(); ++i) {
    const ConstVectorView one = usual.slice(i, 1);
    const ConstVectorView another = other.slice(i, 1);
    if (std::memcmp(one.data(), another.data(), one.size_bytes()) == 0) continue;
    if (count++ > 0) continue;
    facts.element = first + i;
    facts.expected = emu::bits_text(one);
    facts.got = emu::bits_text(another);
    example = fmt::format("element {}: {} in the usual order, {} with {}", *facts.element, facts.expected, facts.got, order);
  }
  if (count == 0) return "made again, it did not differ: it depends on chance, time or addresses besides";
  return fmt::format("{} of {} elements; the first is {}", count, usual.count(), example);
}

}  // namespace

std::vector<ResultBits> RunToRun::promised(std::vector<ResultBits> bits) const {
  std::erase_if(bits,
                [this](const ResultBits& of) { return !calls_[static_cast<std::size_t>(of.group)].same_bits_in_any_order; });
  return bits;
}

void RunToRun::hold(const EmulationSettings& settings, const Report& run) {
  const std::vector<ResultBits> bits = promised(run.result_bits);
  const bool is_comparable = settings.faults.empty() && !settings.wall;
  if (bits.empty() || !is_comparable) return;
  if (is_usual_order(settings))
    usual_ = bits;
  else
    require_usual_bits(settings, bits);
}

GroupsReport RunToRun::run_in_usual_order(EmulationSettings settings) const {
  try {
    return run_checked_groups(fabric_, placement_, groups_, calls_, in_usual_order(std::move(settings)));
  } catch (const CheckError& error) {
    throw CheckError(error.kind(), fmt::format("in the usual order, with whose result this one is compared: {}", error.what()),
                     error.facts());
  }
}

void RunToRun::require_usual_bits(const EmulationSettings& settings, const std::vector<ResultBits>& bits) {
  if (!usual_) usual_ = promised(run_in_usual_order(settings).report.result_bits);
  const auto [usual, other] = std::ranges::mismatch(*usual_, bits);
  if (usual == usual_->end()) return;

  emu::KeptOutput kept{.group = usual->group, .call = usual->call, .rank = usual->rank};
  const CollectiveCall& call = calls_[static_cast<std::size_t>(kept.group)];
  std::vector<CollectiveCall> keeping = calls_;
  keeping[static_cast<std::size_t>(kept.group)].keep = &kept;
  run_checked_groups(fabric_, placement_, groups_, keeping, in_usual_order(settings));
  const Buffer in_usual = *std::move(kept.output);
  emu::OrderObserver observer;
  EmulationSettings again = unseen(settings);
  again.sinks = {&observer};
  run_checked_groups(fabric_, placement_, groups_, keeping, again);

  const int ranks = static_cast<int>(groups_[static_cast<std::size_t>(kept.group)].size());
  const std::string order = FailingOrder{settings.order_seed, settings.order, {}}.arguments();
  const std::string of_group = groups_.size() == 1 ? "" : fmt::format(" of group {}", kept.group);
  FailureFacts facts{.rank = groups_[static_cast<std::size_t>(kept.group)][static_cast<std::size_t>(kept.rank)]};
  std::string text = fmt::format(
      "the result changes with the order of events, from run to run: {}\n  on rank {}{} after call {}: {}\n  both are within "
      "what roundings allow",
      emu::call_text(call, emu::layout_of(call, ranks, kept.call), emu::op_of(call, kept.call)), kept.rank, of_group,
      kept.call + 1, difference_of(in_usual.view(), kept.output->view(), kept.first, order, facts));
  if (const std::string seen = observer.text(); !seen.empty())
    text += fmt::format("; {}, and who reduces what comes first has another result each time", seen);
  throw CheckError(CheckError::Kind::run_to_run, text, std::move(facts));
}

}  // namespace heddle
