// SPDX-License-Identifier: Apache-2.0
// What Bine's claims are read from: schedules that checked runs recorded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "claims/claim_data.hpp"
#include "heddle/registry.hpp"
#include "lab/studies/schedule_picture.hpp"

namespace heddle::claims {

/// Who sends to whom, round by round.
struct Message {
  int from;
  int to;
  friend auto operator<=>(const Message&, const Message&) = default;
};
using Rounds = std::vector<std::vector<Message>>;

/// What a checked run of `algorithm` recorded on "p=8" or a grid.
Schedule recorded(Collective collective, std::string_view algorithm, const std::string& where);
/// Its messages, each round in order.
Rounds messages_of(const Schedule& schedule);
/// "0>3; 0>7 3>4".
std::string to_text(const Rounds& rounds);
/// The heddle list command that draws it.
std::string drawing(Collective collective, std::string_view algorithm, const std::string& where);

/// Compares two sets of messages, round by round, as text.
Finding compare_rounds(std::string subject, const Rounds& printed, const Rounds& measured, std::string command);

/// A rank's s digits in base -2 (§2.3.1), most significant first: rank2nb(6, 8) is 010.
std::string rank2nb(int rank, int ranks);
int nb2rank(const std::string& digits, int ranks);

/// Σ_{j ≤ step} (-2)^j.
int alternating_sum(int step);

}  // namespace heddle::claims
