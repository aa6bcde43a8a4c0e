// SPDX-License-Identifier: Apache-2.0
#include "emu/report/run_sample.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

constexpr std::size_t kMostCells = std::size_t{1} << 20U;  // spans of all links
constexpr std::size_t kMostSpansOfTime = 128;              // a power of two, as they are joined in pairs
constexpr std::size_t kFewestSpansOfTime = 8;
constexpr int kNarrowest = 10;  // about a nanosecond
constexpr int kMostFollowedRanks = 64;

/// A hundred megabytes that are written once, from front to back, are had in large pages at a fraction of the cost. Where there are none,
/// in usual ones.
void ask_for_large_pages(const void* begin, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(begin) + bytes;
  if (end > first) static_cast<void>(madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE));
}

std::size_t spans_for(std::size_t links) {
  std::size_t spans = kMostSpansOfTime;
  while (spans > kFewestSpansOfTime && spans * links > kMostCells) spans /= 2;
  return spans;
}

}  // namespace

template <class T>
std::vector<T> EvenSample<T>::in_order() const {
  std::vector<std::pair<std::uint64_t, T>> sorted(kept_.begin(), kept_.end());
  std::ranges::sort(sorted, {}, [](const auto& entry) { return entry.first; });
  std::vector<T> values;
  values.reserve(sorted.size());
  for (auto& entry : sorted) values.push_back(std::move(entry.second));
  return values;
}

template class EvenSample<MessageRecord>;
template class EvenSample<SpanRecord>;
template class EvenSample<PhaseRecord>;

// ---- loads ----

LoadHistory::LoadHistory(std::size_t links) : most_spans_(spans_for(links)), shift_(kNarrowest), rows_(links) {}

std::span<const LoadHistory::Span> LoadHistory::of(LinkId link) const { return rows_[static_cast<std::size_t>(link)]; }

std::vector<LoadHistory::Span>& LoadHistory::row(LinkId link) {
  std::vector<Span>& spans = rows_[static_cast<std::size_t>(link)];
  if (spans.empty()) spans.resize(most_spans_);
  return spans;
}

/// Until spans reach so far, each two become one.
void LoadHistory::reach(std::int64_t time) {
  while (time > static_cast<std::int64_t>(most_spans_) << shift_) {
    ++shift_;
    used_ = (used_ + 1) / 2;
    for (std::vector<Span>& spans : rows_) {
      for (std::size_t i = 1; i < spans.size(); ++i) {
        const Span moved = std::exchange(spans[i], {});
        spans[i / 2].bytes += moved.bytes;
        spans[i / 2].lost_ps += moved.lost_ps;
      }
    }
  }
}

template <class Put>
void LoadHistory::spread(Time from, Time to, const Put& put) {
  reach(to.ps());
  if (const std::int64_t span = from.ps() >> shift_; to > from && span == (to.ps() - 1) >> shift_) {  // as most are
    used_ = std::max(used_, static_cast<std::size_t>(span) + 1);
    return put(static_cast<std::size_t>(span), static_cast<double>((to - from).ps()));
  }
  for (std::int64_t begin = from.ps(); begin < to.ps();) {
    const std::int64_t span = begin >> shift_;
    const std::int64_t end = std::min(to.ps(), (span + 1) << shift_);
    used_ = std::max(used_, static_cast<std::size_t>(span) + 1);
    put(static_cast<std::size_t>(span), static_cast<double>(end - begin));
    begin = end;
  }
}

void LoadHistory::add(std::span<const LinkId> links, Time from, Time to, double bytes_per_ps) {
  spread(from, to, [&](std::size_t span, double ps) {
    for (const LinkId link : links) row(link)[span].bytes += bytes_per_ps * ps;
  });
}

void LoadHistory::add_lost(std::span<const LinkId> links, Time from, Time to, double part) {
  spread(from, to, [&](std::size_t span, double ps) {
    for (const LinkId link : links) row(link)[span].lost_ps += part * ps;
  });
}

// ---- messages ----

RunSample::RunSample(std::size_t links, int ranks)
    : follows_every_((std::max(ranks, 1) + kMostFollowedRanks - 1) / kMostFollowedRanks), loads_(links), flows_on_(links) {
  chain_.reserve(kLongestRun);  // memory is taken as it is written to
  ask_for_large_pages(chain_.data(), kLongestRun * sizeof(ChainLink));
}

std::uint32_t RunSample::sent(const MessageRecord& record) {
  const std::uint64_t number = messages_.seen();
  messages_.add(number, record);
  if (number < kLongestRun)
    chain_.push_back({.previous = record.previous,
                      .source = record.source,
                      .dest = record.dest,
                      .round = static_cast<std::uint32_t>(record.round) & 0xffffffU,
                      .phase = std::min(record.phase, ChainLink::kNoPhase) & 0xffU,
                      .started = record.started,
                      .entered = record.entered});
  return static_cast<std::uint32_t>(number);
}

void RunSample::injected(std::uint32_t number, Time started, Time entered, std::uint32_t previous) {
  if (MessageRecord* record = messages_.find(number)) {
    record->started = started;
    record->entered = entered;
    record->previous = previous;
  }
  if (number >= chain_.size()) return;
  ChainLink& link = chain_[number];
  link.previous = previous;
  link.started = started;
  link.entered = entered;
}

void RunSample::drained(std::uint32_t number, Time at, Time full_rate) {
  if (MessageRecord* record = messages_.find(number)) {
    record->drained = at;
    record->full_rate = full_rate;
  }
  if (number < chain_.size()) chain_[number].contention = at - chain_[number].entered - full_rate;
}

void RunSample::arrived(std::uint32_t number, Time at) {
  if (MessageRecord* record = messages_.find(number)) record->arrived = at;
  if (number < chain_.size()) chain_[number].arrived = at;
}

std::optional<std::vector<RunSample::ChainLink>> RunSample::chain(const CriticalPath& path) const {
  if (messages_.seen() > kLongestRun) return std::nullopt;
  std::vector<ChainLink> links;
  for (std::uint32_t number = path.last_record; number < chain_.size(); number = chain_[number].previous)
    links.push_back(chain_[number]);
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
  if (now > flow.since && flow.rate > 0) loads_.add(flow.links, flow.since, now, flow.rate);
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
