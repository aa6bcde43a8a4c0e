// SPDX-License-Identifier: Apache-2.0
#include "emu/record/run_sample.hpp"

#include <sys/mman.h>

#include <bit>
#include <exception>
#include <memory>

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

/// Memory is taken as it is written to.
template <class T>
std::vector<T> reserved(std::size_t number) {
  std::vector<T> values;
  values.reserve(number);
  return values;
}

}  // namespace

// ---- loads ----

LoadHistory::LoadHistory(std::size_t links)
    : links_(std::max<std::size_t>(links, 1)), most_spans_(spans_for(links_)), shift_(kNarrowest) {
  // Memory is taken as it is written to.
  bytes_.reserve(most_spans_ * links_);
  lost_ps_.reserve(most_spans_ * links_);
}

namespace {

/// Each two spans become one.
void join_pairs(std::vector<double>& loads, std::size_t links) {
  const std::size_t spans = loads.size() / links;
  for (std::size_t i = 0; i < spans / 2; ++i)
    for (std::size_t link = 0; link < links; ++link)
      loads[i * links + link] = loads[2 * i * links + link] + loads[(2 * i + 1) * links + link];
  if (spans % 2 == 1)
    std::copy_n(loads.end() - static_cast<std::ptrdiff_t>(links), links,
                loads.begin() + static_cast<std::ptrdiff_t>(spans / 2 * links));
  loads.resize((spans + 1) / 2 * links);
}

}  // namespace

void LoadHistory::reach(std::int64_t time) {
  while (time > static_cast<std::int64_t>(most_spans_) << shift_) {
    ++shift_;
    join_pairs(bytes_, links_);
    join_pairs(lost_ps_, links_);
  }
  const std::int64_t last = time > 0 ? (time - 1) >> shift_ : 0;
  if (const std::size_t reached = (static_cast<std::size_t>(last) + 1) * links_; reached > bytes_.size())
    bytes_.resize(reached);
  reached_ = static_cast<std::int64_t>(spans()) << shift_;
}

/// `per_ps` of it in each picosecond.
void LoadHistory::spread(std::vector<double>& loads, std::span<const LinkId> links, Time from, Time to, double per_ps) {
  for (std::int64_t begin = from.ps(); begin < to.ps();) {
    const std::int64_t span = begin >> shift_;
    const std::int64_t end = std::min(to.ps(), (span + 1) << shift_);
    double* const of_span = &loads[static_cast<std::size_t>(span) * links_];
    for (const LinkId link : links) of_span[static_cast<std::size_t>(link)] += per_ps * static_cast<double>(end - begin);
    begin = end;
  }
}

void LoadHistory::add(std::span<const LinkId> links, Time from, Time to, double bytes_per_ps) {
  if (to.ps() > reached_) reach(to.ps());
  spread(bytes_, links, from, to, bytes_per_ps);
}

void LoadHistory::add_lost(std::span<const LinkId> links, Time from, Time to, double part) {
  if (to.ps() > reached_) reach(to.ps());
  if (lost_ps_.size() < bytes_.size()) lost_ps_.resize(bytes_.size());
  spread(lost_ps_, links, from, to, part);
}

// ---- messages ----

RunSample::RunSample(std::size_t links, int ranks)
    : chain_(reserved<ChainRecord>(kLongestRun)),
      pages_of_chain_(chain_.data(), kLongestRun * sizeof(ChainRecord)),
      follows_every_(static_cast<int>(
          std::bit_ceil(static_cast<unsigned>((std::max(ranks, 1) + kMostFollowedRanks - 1) / kMostFollowedRanks)))),
      loads_(links),
      flows_on_(links) {}

void RunSample::begin_block(Time now) {
  blocks_.push_back(now);
  pages_of_chain_.reached(chain_.size() * sizeof(ChainRecord));
}

Time RunSample::get(std::uint32_t number, std::uint32_t ChainRecord::*place, Time LongTimes::*of_long) const {
  const std::uint32_t kept = chain_[number].*place;
  return kept == kLong ? long_times_.at(number).*of_long : Time::ps(kept);
}

std::optional<std::vector<RunSample::ChainLink>> RunSample::chain(const CriticalPath& path) const {
  if (messages_.seen() > kLongestRun) return std::nullopt;
  std::vector<ChainLink> links;
  for (std::uint32_t number = path.last_record; number < chain_.size(); number = chain_[number].previous) {
    const ChainRecord& record = chain_[number];
    const Time started = block_of(number) + get(number, &ChainRecord::until_started, &LongTimes::until_started);
    const Time entered = started + get(number, &ChainRecord::until_entered, &LongTimes::until_entered);
    links.push_back({.source = record.source,
                     .dest = record.dest,
                     .round = static_cast<int>(record.round),
                     .phase = record.phase,
                     .started = started,
                     .entered = entered,
                     .arrived = entered + get(number, &ChainRecord::until_arrived, &LongTimes::until_arrived),
                     .contention = get(number, &ChainRecord::contention, &LongTimes::contention)});
  }
  std::ranges::reverse(links);
  return links;
}

void RunSample::switches_started(const MessageRecord& operation, Collective, const std::vector<int>&) {
  const auto number = static_cast<std::uint32_t>(messages_.seen());
  add(operation.source, operation.dest, operation.round, operation.phase, operation.posted, [&] { return operation; });
  injected(number, operation.started, operation.entered, operation.previous);
}

void RunSample::injected(std::uint32_t number, Time started, Time entered, std::uint32_t previous) {
  if (MessageRecord* record = messages_.find(number)) {
    record->started = started;
    record->entered = entered;
    record->previous = previous;
  }
  if (number >= chain_.size()) return;
  chain_[number].previous = previous;
  put(number, &ChainRecord::until_started, &LongTimes::until_started, started - block_of(number));
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

// ---- flows ----

void RunSample::begin_flow(std::uint32_t flow, const emu::FlowStart& start, std::span<const LinkId> links, Time now) {
  if (flow >= flows_.size()) {
    flows_.resize(flow + std::size_t{1});
    shared_.resize(flows_.size());
  }
  Flow& begun = flows_[flow];
  begun.links.assign(links.begin(), links.end());
  begun.alone_rate = start.full_rate > Time() ? start.bytes / static_cast<double>(start.full_rate.ps()) : 0;
  begun.rate = 0;
  begun.since = now;
  begun.is_slowed = false;
  for (const LinkId link : links) ++flows_on_[static_cast<std::size_t>(link)];
}

void RunSample::settle(std::uint32_t number, Time now) {
  Flow& flow = flows_[number];
  if (now > flow.since && flow.rate > 0) loads_.add({flow.links.data(), flow.links.size()}, flow.since, now, flow.rate);
  if (now > flow.since && flow.is_slowed) loads_.add_lost(shared_[number], flow.since, now, 1 - flow.rate / flow.alone_rate);
  flow.since = now;
}

void RunSample::rate_of_flow(std::uint32_t flow, double bytes_per_second, Time now) {
  settle(flow, now);
  const double bytes_per_ps = bytes_per_second / 1e12;
  Flow& changed = flows_[flow];
  changed.rate = bytes_per_ps;
  constexpr double kNearlyAlone = 1 - 1e-9;
  changed.is_slowed = bytes_per_ps < changed.alone_rate * kNearlyAlone;
  if (!changed.is_slowed) return;
  shared_[flow].clear();
  for (const LinkId link : changed.links)
    if (flows_on_[static_cast<std::size_t>(link)] > 1) shared_[flow].push_back(link);
}

void RunSample::end_flow(std::uint32_t flow, Time now) {
  settle(flow, now);
  for (const LinkId link : flows_[flow].links) --flows_on_[static_cast<std::size_t>(link)];
}

}  // namespace heddle

namespace heddle::emu {

namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::size_t kWorthThread = 4 * kLargePage;
constexpr std::size_t kAhead = 4 * kLargePage;

}  // namespace

PagesAhead::PagesAhead(void* memory, std::size_t bytes) {
  if (std::align(kLargePage, kLargePage, memory, bytes) == nullptr) return;
  first_ = static_cast<std::byte*>(memory);
  bytes_ = bytes / kLargePage * kLargePage;
}

PagesAhead::~PagesAhead() {
  if (!has_thread_) return;
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void PagesAhead::reached(std::size_t bytes) {
  if (bytes < kWorthThread || bytes_ == 0) return;
  {
    const std::lock_guard lock(mutex_);
    wanted_ = std::min(bytes + kAhead, bytes_);
  }
  if (has_thread_) return changed_.notify_one();
  try {
    thread_ = std::thread([this] { work(); });
    has_thread_ = true;
  } catch (const std::exception&) {  // no thread, or no memory for one
    bytes_ = 0;
  }
}

void PagesAhead::work() {
  // Those before are in use.
  for (std::size_t done = kWorthThread; done < bytes_; done += kLargePage) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_ended_ || wanted_ > done; });
      if (is_ended_) return;
    }
    madvise(first_ + done, kLargePage, MADV_HUGEPAGE);
    if (madvise(first_ + done, kLargePage, MADV_POPULATE_WRITE) != 0) return;  // before Linux 5.14, or no memory
  }
}

}  // namespace heddle::emu
