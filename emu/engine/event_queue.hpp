// SPDX-License-Identifier: Apache-2.0
// Events by time. Emulated ranks act in step, so many events share a timestamp: they are in the heap as one list, in the order in which
// they were added.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "heddle/units.hpp"

namespace heddle::emu {

template <class Event>
class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }
  /// The earliest time. Not for an empty queue.
  Time next() const { return heap_.front().time; }

  /// Counted: it takes as long as there are timestamps.
  std::size_t size() const {
    std::size_t events = 0;
    for (const Timestamp& timestamp : heap_) events += lists_[timestamp.list].size();
    return events;
  }

  void push(Time time, Event event) {
    // The next one goes where the last one went, often.
    if (!open_[last_].is_of(time)) last_ = place_of(time);
    OpenList& open = open_[last_];
    if (!open.is_of(time)) {
      open = {time, take_list()};
      heap_.push_back({time, lists_taken_++, open.list});
      std::push_heap(heap_.begin(), heap_.end(), later);
    }
    lists_[open.list].push_back(event);
  }

  /// Moves the events of the earliest time to `events`, which is cleared first.
  void pop(std::vector<Event>& events) {
    const Time time = next();
    OpenList& open = open_[place_of(time)];
    if (open.time == time) open.list = kNone;
    events.clear();
    events.swap(lists_[pop_list()]);
    while (!heap_.empty() && next() == time) {
      std::vector<Event>& more = lists_[pop_list()];
      events.insert(events.end(), more.begin(), more.end());
      more.clear();
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Timestamp {
    Time time;
    std::uint64_t serial;  ///< of its list: a time that has several gets its events from each in turn
    std::uint32_t list;
  };

  /// The list that events of a time go to. Where many times take turns, one may lose its list to another, and gets a new one: that costs
  /// a place in the heap, where to look each time up in a table of all would cost more.
  struct OpenList {
    Time time;
    std::uint32_t list = kNone;

    bool is_of(Time other) const { return list != kNone && time == other; }
  };

  static bool later(const Timestamp& a, const Timestamp& b) { return a.time != b.time ? a.time > b.time : a.serial > b.serial; }

  static std::size_t place_of(Time time) {
    const std::uint64_t mixed = static_cast<std::uint64_t>(time.ps()) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(mixed >> 56) % kOpen;
  }

  std::uint32_t pop_list() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const std::uint32_t list = heap_.back().list;
    heap_.pop_back();
    free_lists_.push_back(list);
    return list;
  }

  std::uint32_t take_list() {
    if (!free_lists_.empty()) {
      const std::uint32_t list = free_lists_.back();
      free_lists_.pop_back();
      return list;
    }
    lists_.emplace_back();
    return static_cast<std::uint32_t>(lists_.size() - 1);
  }

  static constexpr std::size_t kOpen = 64;

  std::vector<Timestamp> heap_;
  std::array<OpenList, kOpen> open_;
  std::size_t last_ = 0;  ///< of these: where the last event went
  std::vector<std::vector<Event>> lists_;
  std::vector<std::uint32_t> free_lists_;
  std::uint64_t lists_taken_ = 0;
};

}  // namespace heddle::emu
