// SPDX-License-Identifier: Apache-2.0
// What happened in a run, in bounded memory whatever its length: some of its messages and waits, drawn evenly, the chain that led
// to its end, and the load of each link over time. What pages are made of, where a Timeline would have all of it.
#pragma once

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/mix.hpp"
#include "emu/record/critical_path.hpp"
#include "emu/record/record_sink.hpp"
#include "emu/record/timeline.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle::emu {

// Memory that is written to from its begin to its end, made ready by another thread: the first write to a page takes as long as
// some hundred others, as the system clears the page first.

/// For one thread. It only hints: what is written is the same without, and where the system has no thread or no page for it,
/// nothing is made ready.
class PagesAhead {
 public:
  /// `memory` must outlive it.
  PagesAhead(void* memory, std::size_t bytes);
  ~PagesAhead();
  PagesAhead(const PagesAhead&) = delete;
  PagesAhead& operator=(const PagesAhead&) = delete;

  /// So many bytes have been written. Does not block. The first few are not worth a thread.
  void reached(std::size_t bytes);

 private:
  void work();

  std::byte* first_ = nullptr;  ///< whole pages
  std::size_t bytes_ = 0;
  std::mutex mutex_;                 ///< of the next three
  std::condition_variable changed_;  ///< more is wanted, or nothing any more
  std::size_t wanted_ = 0;           ///< of bytes_
  bool is_ended_ = false;
  bool has_thread_ = false;
  std::thread thread_;
};

}  // namespace heddle::emu

namespace heddle {

/// Some of many that come one after the other: at most `most`, each with the same chance, the same ones in each run.
template <class T>
class EvenSample {
 public:
  explicit EvenSample(std::size_t most) : most_(most) {}

  /// Numbers ascend. make() is the value, and is not called for those that are not kept.
  template <class Make>
  void add(std::uint64_t number, const Make& make) {
    ++seen_;
    if (!takes(number)) return;
    kept_.emplace_back(number, make());
    while (kept_.size() > most_) {
      mask_ = mask_ << 1 | 1;
      std::erase_if(kept_, [&](const auto& entry) { return !takes(entry.first); });
    }
  }
  /// nullptr: it is none of those.
  T* find(std::uint64_t number) {
    if (!takes(number)) return nullptr;
    const auto found = std::ranges::lower_bound(kept_, number, {}, &std::pair<std::uint64_t, T>::first);
    return found == kept_.end() || found->first != number ? nullptr : &found->second;
  }
  std::uint64_t seen() const { return seen_; }
  /// By number.
  std::vector<T> in_order() const {
    std::vector<T> values;
    values.reserve(kept_.size());
    for (const auto& entry : kept_) values.push_back(entry.second);
    return values;
  }

 private:
  /// Multiples of the golden ratio are even in (0, 1), and told in one step: which matters for each message.
  bool takes(std::uint64_t number) const { return (number * kGoldenGamma >> 32U & mask_) == 0; }

  std::size_t most_;
  std::uint64_t mask_ = 0;
  std::uint64_t seen_ = 0;
  std::vector<std::pair<std::uint64_t, T>> kept_;  ///< by number
};

/// The load of each link and trunk in equal spans of time, which grow as the run does.
class LoadHistory {
 public:
  explicit LoadHistory(std::size_t links);

  /// What a message does in these links from `from` until `to`.
  void add(std::span<const LinkId> links, Time from, Time to, double bytes_per_ps);
  /// How much of that time it loses, 0 … 1, because it shares them.
  void add_lost(std::span<const LinkId> links, Time from, Time to, double part);

  Time width() const { return Time::ps(std::int64_t{1} << shift_); }  ///< of a span
  /// Until the last that anything happened in.
  std::size_t spans() const { return bytes_.size() / links_; }
  struct Load {
    double bytes = 0;
    double lost_ps = 0;  ///< by all messages in it together
  };
  Load of(LinkId link, std::size_t span) const {
    const std::size_t cell = span * links_ + static_cast<std::size_t>(link);
    return {bytes_[cell], cell < lost_ps_.size() ? lost_ps_[cell] : 0};
  }

 private:
  void spread(std::vector<double>& loads, std::span<const LinkId> links, Time from, Time to, double per_ps);
  void reach(std::int64_t time);

  std::size_t links_;
  std::size_t most_spans_;
  int shift_;  ///< a span is a power of two picoseconds long: which one a timestamp is in is told for each message
  std::int64_t reached_ = 0;  ///< picoseconds that there are spans for
  // By span, then by link, as many links' loads of one span are added one after the other. Apart, as most messages lose nothing.
  std::vector<double> bytes_;
  std::vector<double> lost_ps_;  ///< up to the last span that something was lost in
};

class RunSample final : public emu::RecordSink {
 public:
  /// On a fabric with so many links and trunks.
  explicit RunSample(std::size_t links, int ranks = 1);
  RunSample(const RunSample&) = delete;
  RunSample& operator=(const RunSample&) = delete;

  // ---- once the run has ended ----

  /// By the order in which they took effect. Those of the switches' operations have MessageRecord::kSwitches for ranks.
  std::vector<MessageRecord> messages() const { return messages_.in_order(); }
  std::uint64_t messages_seen() const { return messages_.seen(); }
  /// Of the ranks' own tasks, on those ranks that are followed: every so many, at most 64.
  std::vector<SpanRecord> spans() const { return spans_.in_order(); }
  int follows_every() const { return follows_every_; }
  bool follows(int rank) const { return (rank & (follows_every_ - 1)) == 0; }
  std::uint64_t spans_seen() const { return spans_.seen(); }
  /// Those that ranks named, in the order in which they were first named.
  const std::vector<NamedPhase>& phases() const { return phases_; }
  /// Stretches that tasks spent in them. All of them, where as many were seen.
  std::vector<PhaseRecord> phase_records() const { return phase_records_.in_order(); }
  std::uint64_t phase_records_seen() const { return phase_records_.seen(); }
  const LoadHistory& loads() const { return loads_; }

  /// A message of the critical path.
  struct ChainLink {
    static constexpr std::uint32_t kNoPhase = 255;
    int source = 0;
    int dest = 0;
    int round = 0;
    std::uint32_t phase = kNoPhase;  ///< index into phases(); or none, or one of more than there is room for
    Time started = {};
    Time entered = {};
    Time arrived = {};
    Time contention = {};
  };
  /// From the first message to the last. No value: the run had too many messages to keep it.
  std::optional<std::vector<ChainLink>> chain(const CriticalPath& path) const;

  // ---- while it runs ----

  bool keeps_times() const override { return true; }
  void posted(const emu::PostedMessage& message) override {
    add(message.source, message.dest, message.round, message.phase, message.time, [&] { return record_of(message); });
  }
  void switches_started(const MessageRecord& operation, Collective, const std::vector<int>& ranks) override;
  void injected(std::uint32_t number, Time started, Time entered, std::uint32_t previous) override;
  void drained(std::uint32_t number, Time entered, Time at, Time full_rate) override;
  void arrived(std::uint32_t number, Time entered, Time at) override;
  void named(const NamedPhase& phase) override { phases_.push_back(phase); }
  void was_in_phase(const PhaseRecord& stretch) override {
    phase_records_.add(phase_records_.seen(), [&] { return stretch; });
  }
  void waited(const SpanRecord& span) override {
    if (span.task == 0 && follows(span.rank)) spans_.add(spans_.seen(), [&] { return span; });
  }
  void begin_flow(std::uint32_t flow, const emu::FlowStart& start, std::span<const LinkId> links, Time now) override;
  void rate_of_flow(std::uint32_t flow, double bytes_per_second, Time now) override;
  void end_flow(std::uint32_t flow, Time now) override;

 private:
  static constexpr std::size_t kMostMessages = 8192;
  static constexpr std::size_t kMostSpans = 8192;
  static constexpr std::size_t kLongestRun = 4'000'000;  ///< in messages, whose chain is kept

  /// What a ChainLink is made of, small, as there are millions, and in one cache line. Each round has a message, of which kLongestRun
  /// are kept.
  struct alignas(32) ChainRecord {
    std::uint32_t previous = CriticalPath::kNoRecord;
    int source = 0;
    int dest = 0;
    std::uint32_t round : 24 = 0;
    std::uint32_t phase : 8 = ChainLink::kNoPhase;
    // Picoseconds, or kLong.
    std::uint32_t until_started = 0;  ///< since its block began
    std::uint32_t until_entered = 0;  ///< since it started
    std::uint32_t until_arrived = 0;  ///< since it entered
    std::uint32_t contention = 0;
  };
  static_assert(sizeof(ChainRecord) == 32);
  /// Of a message that takes milliseconds.
  struct LongTimes {
    Time until_started = {};
    Time until_entered = {};
    Time until_arrived = {};
    Time contention = {};
  };
  static constexpr std::size_t kBlock = 4096;  ///< messages, one after the other: most start soon after the first was posted
  static constexpr std::uint32_t kLong = std::numeric_limits<std::uint32_t>::max();

  /// A message's number is that of its record. make_record() is all of it, and is called for the few that are kept whole.
  template <class MakeRecord>
  void add(int source, int dest, int round, std::uint32_t phase, Time posted, const MakeRecord& make_record) {
    const std::uint64_t number = messages_.seen();
    messages_.add(number, make_record);
    if (number >= kLongestRun) return;
    chain_.push_back({.source = source,
                      .dest = dest,
                      .round = static_cast<std::uint32_t>(round) & 0xffffffU,
                      .phase = std::min(phase, ChainLink::kNoPhase) & 0xffU});
    if (number % kBlock == 0) begin_block(posted);
  }
  void begin_block(Time now);
  /// When it began.
  Time block_of(std::uint32_t number) const { return blocks_[number / kBlock]; }
  void put(std::uint32_t number, std::uint32_t ChainRecord::*place, Time LongTimes::*of_long, Time time) {
    const bool is_long = time < Time() || time.ps() >= std::int64_t{kLong};
    if (is_long) long_times_[number].*of_long = time;
    chain_[number].*place = is_long ? kLong : static_cast<std::uint32_t>(time.ps());
  }
  Time get(std::uint32_t number, std::uint32_t ChainRecord::*place, Time LongTimes::*of_long) const;

  /// In one cache line, as there are thousands at once.
  struct alignas(64) Flow {
    boost::container::small_vector<LinkId, 1> links = {};
    double alone_rate = 0;  ///< bytes per picosecond
    double rate = 0;
    Time since = {};
    bool is_slowed = false;  ///< by others, in some of shared_
  };
  static_assert(sizeof(Flow) == 64);

  void settle(std::uint32_t flow, Time now);

  EvenSample<MessageRecord> messages_{kMostMessages};
  EvenSample<SpanRecord> spans_{kMostSpans};
  std::vector<NamedPhase> phases_;
  EvenSample<PhaseRecord> phase_records_{kMostSpans};
  std::vector<ChainRecord> chain_;
  emu::PagesAhead pages_of_chain_;
  std::vector<Time> blocks_;  ///< when the first of each kBlock messages in chain_ was posted
  std::unordered_map<std::uint32_t, LongTimes> long_times_;
  int follows_every_;  ///< a power of two, as it is asked for each wait
  LoadHistory loads_;
  std::vector<Flow> flows_;
  std::vector<std::vector<LinkId>> shared_;  ///< by flow: its links that others are in too, since its rate is what it is
  std::vector<int> flows_on_;                ///< by link
};

}  // namespace heddle
