// SPDX-License-Identifier: Apache-2.0
// How virtual time goes by for a rank that asks in vain, sleeps or reads the clock: Process, "polling".
#include <algorithm>
#include <utility>

#include "mpi/objects/process.hpp"

namespace heddle::mpi {

namespace {

constexpr Time kShortestPause = Time::ps(1000);
constexpr Time kLongestPause = Time::ps(std::int64_t{1000} << 20);
// Of what a program that asks has waited, where that is more: some ask for ever, and each question is a switch of threads.
constexpr Time kManySeconds = Time::ps(10'000'000'000'000);
constexpr int least_parts(Time waited) { return waited < kManySeconds ? 1024 : 128; }

/// 1 ns, 2 ns, 4 ns, … at most 1.05 ms.
Time pause(int tries) { return Time::ps(kShortestPause.ps() << std::min(tries, 20)); }

/// A part of the time that has gone by while a program waits, so that it waits little longer than it wants to, in few steps.
Time pause_after(Time waited, int parts, Time longest = kLongestPause) {
  return std::clamp(Time::ps(waited.ps() / parts), kShortestPause, longest);
}
constexpr int kParts = 16;

}  // namespace

bool Process::asked_in_vain(Communicator& communicator, Polling polling) {
  vain_question_.communicator = &communicator;
  vain_question_.site = site_;
  vain_question_.requests.assign(polling.requests.begin(), polling.requests.end());
  vain_question_.probes.assign(polling.probes.begin(), polling.probes.end());
  if (++asked_in_vain_ < 2) return false;
  const Time now = communicator.now();
  if (asked_in_vain_ == 2)
    asks_since_ = now;
  else
    clock_reads_ = 0;
  polling.reads_clock = reads_clock_;
  const Time asked_for = now - asks_since_;
  const Time longest = std::max(kLongestPause, Time::ps(asked_for.ps() / least_parts(asked_for)));
  const Time limit = reads_clock_ ? pause_after(asked_for, kParts, longest) : pause(asked_in_vain_ - 2);
  const bool has_happened = communicator.doze(polling, limit);
  if (has_happened) {
    asked_in_vain_ = 1;
    vain_question_.communicator = nullptr;
  }
  return has_happened;
}

Process::ClockLoop::Place Process::ClockLoop::note(const CallSite* place) {
  constexpr std::size_t kMost = 8;
  const auto found = std::find(places_.begin(), places_.end(), place);
  if (found == places_.end()) {
    if (is_closed_ || places_.size() == kMost) places_.clear();
    is_closed_ = false;
    places_.push_back(place);
    return Place::new_one;
  }
  if (!is_closed_) places_.erase(places_.begin(), found);
  is_closed_ = true;
  return place == places_.back() ? Place::last : Place::within;
}

void Process::sleep(Time duration) {
  if (duration <= Time()) return;
  const VainQuestion& question = vain_question_;
  if (question.communicator == nullptr) return communicator_.sleep(duration);
  communicator_.call_from(question.site);
  question.communicator->doze({.requests = question.requests, .probes = question.probes, .sleeps = true}, duration);
  communicator_.call_from(site_);
}

Time Process::read_clock_time() {
  constexpr int kFreeReads = 1000;             // with nothing but polls between them
  constexpr int kFreeReadsOfWaiter = 16;       // the same, of a program that has waited for the clock before
  constexpr int kFreeReadsAtOneTime = 100000;  // with calls that take no time: programs that work until a second has passed
  // Of all that it has waited: a program may wait for each of many parts of a time, with a question behind each, or for all of it.
  constexpr int kPartsOfAll = 1024;
  constexpr int kFewWaits = 64;
  // A loop that sums up what it computes reads the clock before and behind it: what goes by from one round to the next is not in the sum.
  constexpr int kReadsWithin = 11;  // more than a loop has places, and no multiple of their number
  constexpr int kPartsWithin = 6;
  constexpr Time kLongWait = Time::ps(10'000'000);  // with no other call: what has gone by before is none of its matter
  reads_clock_ = true;
  Time now = communicator_.now();
  const ClockLoop::Place place = clock_loop_.note(site_);
  const CallsBetween between = std::exchange(calls_between_reads_, CallsBetween::none);
  if (now != clock_read_at_ || now - waits_since_ > kLongWait) clock_reads_at_one_time_ = 0;
  if (between == CallsBetween::others && clock_reads_at_one_time_ <= kFreeReadsAtOneTime) {
    all_waits_since_ = now;
    waits_ = 0;
  }
  if (between != CallsBetween::none || place == ClockLoop::Place::new_one) {
    waits_since_ = now;
    waits_ = std::min(waits_ + 1, kFewWaits + 1);
  }
  const bool has_read_often = ++clock_reads_ > (waits_for_clock_ ? kFreeReadsOfWaiter : kFreeReads);
  if (++clock_reads_at_one_time_ > kFreeReadsAtOneTime || has_read_often) {
    waits_for_clock_ = waits_for_clock_ || has_read_often;
    // At most a millisecond, however long it has waited: many reads without a question may be those of a program that computes.
    Time pause = pause_after(now - waits_since_, kParts);
    if (waits_ > kFewWaits) pause = std::max(pause, pause_after(now - all_waits_since_, kPartsOfAll));
    if (place != ClockLoop::Place::within) {
      communicator_.sleep(pause);
    } else {
      reads_within_ = (reads_within_ + 1) % kReadsWithin;
      if (reads_within_ == 0) communicator_.sleep(Time::ps(pause.ps() / kPartsWithin));
    }
    now = communicator_.now();
    asked_in_vain_ = std::min(asked_in_vain_, 1);
  }
  clock_read_at_ = now;
  return now;
}

}  // namespace heddle::mpi
