// SPDX-License-Identifier: Apache-2.0
// What happened in a run. docs/model.md defines each number.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "heddle/units.hpp"

namespace heddle {

struct RankRecord {
  Time completion;            ///< when its function returned
  int rounds = 0;             ///< the longest chain of messages that ends at it
  std::int64_t messages = 0;  ///< sent, those to itself not counted
  Bytes sent;                 ///< those to itself not counted
  Bytes received;
};

struct LinkRecord {
  std::string name;  ///< "1->2"
  Bytes bytes;
  Time busy;           ///< with at least one message in it
  int peak_flows = 0;  ///< the most messages in it at once
};

/// A value. Where `failure` is set nothing was measured, and times and counts are 0.
struct Record {
  std::string algorithm = {};            ///< of a collective call: its name; empty: a program
  std::optional<Failure> failure = {};   ///< which check, its explanation and its facts
  Time completion = {};                  ///< the last rank's, in emulated time
  Time contention_free = {};             ///< what it would be had no message shared a link
  int rounds = 0;                        ///< the longest chain of messages
  std::int64_t messages = 0;             ///< of all ranks
  Bytes sent_max = {};                   ///< by the rank that sent most
  std::vector<RankRecord> ranks = {};    ///< by rank
  std::vector<LinkRecord> busiest = {};  ///< at most 16 links that carried most, most bytes first
  /// Of a run under many orders (Settings::explore): how many were right.
  std::string explored = {};
  /// All of it as `heddle run --json` writes it; a program's has the numbers above. Never null.
  std::function<std::string()> json = nullptr;

  bool passed() const { return !failure; }
};

}  // namespace heddle
