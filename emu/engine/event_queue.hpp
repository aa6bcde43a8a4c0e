// SPDX-License-Identifier: Apache-2.0
// Events by time. Emulated ranks act in step, so many events share an instant: each distinct time is in the heap once, with a
// list of its events in the order in which they were added.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/units.hpp"

namespace heddle::emu {

template <class Event>
class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }
  /// The earliest time. Not for an empty queue.
  Time next() const { return heap_.front().time; }

  void push(Time time, Event event) {
    if (time != last_time_ || last_list_ == kNone) {
      const auto [place, is_new] = list_of_time_.try_emplace(time.ps(), kNone);
      if (is_new) {
        place->second = take_list();
        heap_.push_back({time, place->second});
        std::push_heap(heap_.begin(), heap_.end(), later);
      }
      last_time_ = time;
      last_list_ = place->second;
    }
    lists_[last_list_].push_back(event);
  }

  /// Moves the events of the earliest time to `events`, which is cleared first.
  void pop(std::vector<Event>& events) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Instant instant = heap_.back();
    heap_.pop_back();
    list_of_time_.erase(instant.time.ps());
    if (last_list_ == instant.list) last_list_ = kNone;
    events.clear();
    events.swap(lists_[instant.list]);
    free_lists_.push_back(instant.list);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Instant {
    Time time;
    std::uint32_t list;
  };

  static bool later(const Instant& a, const Instant& b) { return a.time > b.time; }

  std::uint32_t take_list() {
    if (!free_lists_.empty()) {
      const std::uint32_t list = free_lists_.back();
      free_lists_.pop_back();
      return list;
    }
    lists_.emplace_back();
    return static_cast<std::uint32_t>(lists_.size() - 1);
  }

  std::vector<Instant> heap_;
  std::unordered_map<std::int64_t, std::uint32_t> list_of_time_;
  std::vector<std::vector<Event>> lists_;
  std::vector<std::uint32_t> free_lists_;
  Time last_time_;  ///< where the last event went: the next one often goes there too
  std::uint32_t last_list_ = kNone;
};

}  // namespace heddle::emu
