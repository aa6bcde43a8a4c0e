// SPDX-License-Identifier: Apache-2.0
// Why a fixed order decides. Call a program's order fixed if each receive names its source and all messages from one rank to
// another are posted in program order. What a rank does then depends on what it has received, and that on nothing but the
// program: a run is a set of events (posted, started, received) each of which happens once those that it needs have happened.
// With k ≥ 1 credits message n of a channel needs, besides its own posting, that n - k + 1 of those before it have been
// received; so does a request for room (wait_for_room) that comes where message n would be the channel's next; nothing else depends
// on k. The events that happen are the least set closed under these needs, whatever the times;
// fewer needs, more events. So liveness depends neither on speeds nor on the order within a timestamp, and grows with k from 1
// on. Synchronous sends need their own receive and none of those before: 0 is not below 1 in this order, and is asked by
// itself. With an order that is not fixed every count is asked.
#include "emu/studies/least_credits.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include "core/mix.hpp"
#include "core/pair_key.hpp"
#include "emu/record/record_sink.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

/// What a run has in its channels, and how it locks up.
class ChannelUse final : public emu::RecordSink {
 public:
  void posted(const emu::PostedMessage& message) override {
    if (message.source == message.dest || message.source == kSwitches || message.dest == kSwitches) return;
    const ChannelName name = name_of(message.source, message.dest, message.tag, message.credits_by_tag);
    Channel& channel = channels_[name];
    peak_ = std::max(peak_, ++channel.used);
    channel_of_[message.number] = name;
    if (message.task_family != 0 && message.task_family == channel.family && message.task != channel.task)
      shares_credits_ = true;
    channel.family = message.task_family;
    channel.task = message.task;
  }

  void received(std::uint64_t number, bool, Time, std::span<const VectorView>) override {
    const auto name = channel_of_.find(number);
    if (name == channel_of_.end()) return;  // to oneself, or of the switches
    --channels_[name->second].used;
    channel_of_.erase(name);
  }

  bool minds_room() const override { return true; }
  /// With fewer credits than what is on its way and one more, whoever asks would wait.
  void asked_room(int source, int dest, Tag tag, bool credits_by_tag) override {
    if (source == dest) return;
    peak_ = std::max(peak_, channels_[name_of(source, dest, tag, credits_by_tag)].used + 1);
  }

  bool keeps_order() const override { return true; }
  void saw_order(int /*rank*/, emu::OrderSeen /*by*/) override { sees_order_ = true; }

  int peak() const { return peak_; }
  bool sees_order() const { return sees_order_; }
  bool shares_credits() const { return shares_credits_; }

 private:
  static constexpr int kSwitches = emu::PostedMessage::kSwitches;

  struct Channel {
    int used = 0;
    int family = 0;  ///< of the last message, as its task
    int task = 0;
  };

  /// A pair of ranks, and the tag where it is a channel of its own; -1: all of the pair's.
  using ChannelName = std::pair<std::uint64_t, int>;
  static ChannelName name_of(int source, int dest, Tag tag, bool by_tag) {
    return {pair_key(source, dest), by_tag ? tag.value() : -1};
  }

  struct Hash {
    std::size_t operator()(const ChannelName& name) const {
      return std::hash<std::uint64_t>()(name.first ^ mix(static_cast<std::uint64_t>(name.second)));
    }
  };

  std::unordered_map<ChannelName, Channel, Hash> channels_;
  std::unordered_map<std::uint64_t, ChannelName> channel_of_;  ///< by a message's number, while it is under way
  int peak_ = 0;
  bool sees_order_ = false;
  bool shares_credits_ = false;
};

class Search {
 public:
  Search(const RunWithSettings& program, const EmulationSettings& settings) : program_(program), settings_(settings) {
    if (settings.wall)
      throw InputError("the least credits are sought under the virtual clock: no run of the wall clock is repeated exactly");
  }

  LeastCredits find() {
    ChannelUse use;
    found_.eager = run(Buffering::eager(), use);
    found_.enough = use.peak();
    found_.order_is_fixed = !use.sees_order() && !use.shares_credits();
    for (int credits = 0; credits < found_.enough; ++credits) {
      const bool is_shown = credits == 0 || std::has_single_bit(static_cast<unsigned>(credits));
      if (is_shown || !rest_lives_) ask(credits, is_shown);
    }
    while (found_.least < std::ssize(found_.locked) && found_.locked[static_cast<std::size_t>(found_.least)] == found_.least)
      ++found_.least;
    found_.safe = found_.locked.empty() ? 0 : found_.locked.back() + 1;
    // Synchronous sends share nothing.
    found_.least_is_fixed = found_.order_is_fixed || (found_.least == 0 && !use.sees_order());
    return std::move(found_);
  }

 private:
  Time run(Buffering buffering, ChannelUse& use) {
    settings_.buffering = buffering;
    settings_.sinks = {&use};
    return program_(settings_);
  }

  void ask(int credits, bool is_shown) {
    ChannelUse use;
    CreditsOutcome outcome{.credits = credits, .time = {}};
    try {
      outcome.time = run(Buffering::limited(credits), use);
      rest_lives_ = credits > 0 && found_.order_is_fixed;
    } catch (const CheckError& error) {
      if (error.kind() != CheckError::Kind::deadlock) throw;
      found_.locked.push_back(credits);
      found_.deadlock = error.what();
      found_.cycle = error.facts().cycle;
    }
    if (is_shown) found_.outcomes.push_back(outcome);
  }

  const RunWithSettings& program_;
  EmulationSettings settings_;
  LeastCredits found_;
  bool rest_lives_ = false;  ///< with any of the counts that are left
};

}  // namespace

LeastCredits least_credits(const RunWithSettings& run, const EmulationSettings& settings) {
  return Search(run, settings).find();
}

LeastCredits least_credits(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                           const EmulationSettings& settings) {
  return least_credits([&](const EmulationSettings& with) { return run_checked(fabric, placement, call, with).completion; },
                       settings);
}

LeastCredits least_credits(const Fabric& fabric, const Placement& placement, const RankFunction& function,
                           const EmulationSettings& settings) {
  return least_credits([&](const EmulationSettings& with) { return emulate(fabric, placement, function, with).completion; },
                       settings);
}

}  // namespace heddle
