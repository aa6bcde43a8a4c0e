// SPDX-License-Identifier: Apache-2.0
#include "emu/report/run_sample.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle {

namespace {

constexpr std::size_t kMostCells = std::size_t{1} << 20U;  // spans of all links
constexpr std::size_t kMostSpansOfTime = 128;              // a power of two, as they are joined in pairs
constexpr std::size_t kFewestSpansOfTime = 8;
constexpr int kNarrowest = 10;  // about a nanosecond
constexpr int kMostFollowedRanks = 64;

std::size_t spans_for(std::size_t links) {
  std::size_t spans = kMostSpansOfTime;
  while (spans > kFewestSpansOfTime && spans * links > kMostCells) spans /= 2;
  return spans;
}

}  // namespace

template <class T>
std::vector<T> EvenSample<T>::in_order() const {
  std::vector<T> values;
  values.reserve(kept_.size());
  for (const auto& entry : kept_) values.push_back(entry.second);
  return values;
}

template class EvenSample<MessageRecord>;
template class EvenSample<SpanRecord>;
template class EvenSample<PhaseRecord>;

// ---- loads ----

LoadHistory::LoadHistory(std::size_t links)
    : links_(std::max<std::size_t>(links, 1)), most_spans_(spans_for(links_)), shift_(kNarrowest) {
  loads_.reserve(most_spans_ * links_);  // memory is taken as it is written to
}

/// Until spans reach so far, each two become one.
void LoadHistory::reach(std::int64_t time) {
  while (time > static_cast<std::int64_t>(most_spans_) << shift_) {
    ++shift_;
    for (std::size_t i = 1; i < spans(); ++i) {
      const std::span<Load> into = std::span(loads_).subspan(i / 2 * links_, links_);
      for (std::size_t link = 0; link < links_; ++link) {
        const Load moved = std::exchange(loads_[i * links_ + link], {});
        into[link].bytes += moved.bytes;
        into[link].lost_ps += moved.lost_ps;
      }
    }
    loads_.resize((spans() + 1) / 2 * links_);
  }
  const std::int64_t last = time > 0 ? (time - 1) >> shift_ : 0;
  if (const std::size_t reached = (static_cast<std::size_t>(last) + 1) * links_; reached > loads_.size())
    loads_.resize(reached);
  reached_ = static_cast<std::int64_t>(spans()) << shift_;
}

/// Calls put(the loads of all links in a span, the picoseconds in it).
template <class Put>
void LoadHistory::spread(Time from, Time to, const Put& put) {
  if (to <= from) return;
  if (to.ps() > reached_) reach(to.ps());
  for (std::int64_t begin = from.ps(); begin < to.ps();) {
    const std::int64_t span = begin >> shift_;
    const std::int64_t end = std::min(to.ps(), (span + 1) << shift_);
    put(std::span(loads_).subspan(static_cast<std::size_t>(span) * links_, links_), static_cast<double>(end - begin));
    begin = end;
  }
}

void LoadHistory::add(std::span<const LinkId> links, Time from, Time to, double bytes_per_ps) {
  spread(from, to, [&](std::span<Load> loads, double ps) {
    for (const LinkId link : links) loads[static_cast<std::size_t>(link)].bytes += bytes_per_ps * ps;
  });
}

void LoadHistory::add_lost(std::span<const LinkId> links, Time from, Time to, double part) {
  spread(from, to, [&](std::span<Load> loads, double ps) {
    for (const LinkId link : links) loads[static_cast<std::size_t>(link)].lost_ps += part * ps;
  });
}

// ---- messages ----

RunSample::RunSample(std::size_t links, int ranks)
    : follows_every_(static_cast<int>(
          std::bit_ceil(static_cast<unsigned>((std::max(ranks, 1) + kMostFollowedRanks - 1) / kMostFollowedRanks)))),
      loads_(links),
      flows_on_(links) {
  // Memory is taken as it is written to.
  chain_.reserve(kLongestRun);
  started_.reserve(kLongestRun);
}

void RunSample::add_to_chain(const Sent& message) {
  chain_.push_back({.source = message.source,
                    .dest = message.dest,
                    .round = static_cast<std::uint32_t>(message.round) & 0xffffffU,
                    .phase = std::min(message.phase, ChainLink::kNoPhase) & 0xffU});
  started_.emplace_back();
}

void RunSample::injected(std::uint32_t number, Time started, Time entered, std::uint32_t previous) {
  if (MessageRecord* record = messages_.find(number)) {
    record->started = started;
    record->entered = entered;
    record->previous = previous;
  }
  if (number >= chain_.size()) return;
  chain_[number].previous = previous;
  started_[number] = started;
  put(number, &ChainRecord::until_entered, &LongTimes::until_entered, entered - started);
}

void RunSample::drained(std::uint32_t number, Time entered, Time at, Time full_rate) {
  if (MessageRecord* record = messages_.find(number)) {
    record->drained = at;
    record->full_rate = full_rate;
  }
  if (number < chain_.size()) put(number, &ChainRecord::contention, &LongTimes::contention, at - entered - full_rate);
}

void RunSample::arrived(std::uint32_t number, Time entered, Time at) {
  if (MessageRecord* record = messages_.find(number)) record->arrived = at;
  if (number < chain_.size()) put(number, &ChainRecord::until_arrived, &LongTimes::until_arrived, at - entered);
}

void RunSample::put(std::uint32_t number, std::uint32_t ChainRecord::*place, Time LongTimes::*of_long, Time time) {
  const bool is_long = time < Time() || time.ps() >= std::int64_t{kLong};
  if (is_long) long_times_[number].*of_long = time;
  chain_[number].*place = is_long ? kLong : static_cast<std::uint32_t>(time.ps());
}

Time RunSample::get(std::uint32_t number, std::uint32_t ChainRecord::*place, Time LongTimes::*of_long) const {
  const std::uint32_t kept = chain_[number].*place;
  return kept == kLong ? long_times_.at(number).*of_long : Time::ps(kept);
}

Time RunSample::entered(std::uint32_t number) const {
  return started_[number] + get(number, &ChainRecord::until_entered, &LongTimes::until_entered);
}

std::optional<std::vector<RunSample::ChainLink>> RunSample::chain(const CriticalPath& path) const {
  if (messages_.seen() > kLongestRun) return std::nullopt;
  std::vector<ChainLink> links;
  for (std::uint32_t number = path.last_record; number < chain_.size(); number = chain_[number].previous) {
    const ChainRecord& record = chain_[number];
    links.push_back({.source = record.source,
                     .dest = record.dest,
                     .round = static_cast<int>(record.round),
                     .phase = record.phase,
                     .started = started_[number],
                     .entered = entered(number),
                     .arrived = entered(number) + get(number, &ChainRecord::until_arrived, &LongTimes::until_arrived),
                     .contention = get(number, &ChainRecord::contention, &LongTimes::contention)});
  }
  std::ranges::reverse(links);
  return links;
}

// ---- flows ----

void RunSample::begin_flow(std::uint32_t flow, std::span<const LinkId> links, double bytes, Time full_rate, Time now) {
  if (flow >= flows_.size()) flows_.resize(flow + std::size_t{1});
  Flow& begun = flows_[flow];
  begun.links.assign(links.begin(), links.end());
  begun.shared.clear();
  begun.alone_rate = full_rate > Time() ? bytes / static_cast<double>(full_rate.ps()) : 0;
  begun.rate = 0;
  begun.since = now;
  for (const LinkId link : links) ++flows_on_[static_cast<std::size_t>(link)];
}

void RunSample::settle(Flow& flow, Time now) {
  if (now > flow.since && flow.rate > 0) loads_.add({flow.links.data(), flow.links.size()}, flow.since, now, flow.rate);
  if (now > flow.since && !flow.shared.empty()) loads_.add_lost(flow.shared, flow.since, now, 1 - flow.rate / flow.alone_rate);
  flow.since = now;
}

void RunSample::rate_of_flow(std::uint32_t flow, double bytes_per_ps, Time now) {
  Flow& changed = flows_[flow];
  settle(changed, now);
  changed.rate = bytes_per_ps;
  changed.shared.clear();
  constexpr double kNearlyAlone = 1 - 1e-9;
  if (bytes_per_ps >= changed.alone_rate * kNearlyAlone) return;
  for (const LinkId link : changed.links)
    if (flows_on_[static_cast<std::size_t>(link)] > 1) changed.shared.push_back(link);
}

void RunSample::end_flow(std::uint32_t flow, Time now) {
  Flow& ended = flows_[flow];
  settle(ended, now);
  for (const LinkId link : ended.links) --flows_on_[static_cast<std::size_t>(link)];
}

}  // namespace heddle
