// SPDX-License-Identifier: Apache-2.0
// The calls of a checked run that one process makes, and what it then knows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emu/data/collective_call.hpp"
#include "emu/messages/measured_communicator.hpp"
#include "heddle/errors.hpp"
#include "heddle/units.hpp"

namespace heddle::net {

/// When a rank entered a barrier and left it, by the clock that all processes of its machine have: nanoseconds.
struct BarrierTimes {
  std::int64_t entered = 0;
  std::int64_t left = 0;
};

/// What one rank found.
struct ProcessFindings {
  Time completion;         ///< of the first call
  std::string wrong = {};  ///< in words; empty: nothing
  CheckError::Kind kind = CheckError::Kind::wrong_result;
  /// After each call, where all ranks share a result that rounds: a number that changes with each bit of it.
  std::vector<std::uint64_t> bits = {};
  std::vector<BarrierTimes> barriers = {};
};

/// On every rank.
ProcessFindings make_calls(const CollectiveCall& call, emu::MeasuredCommunicator& communicator);

/// All ranks' findings as bytes, for gather_text, and back.
std::string text_of(const ProcessFindings& findings);
ProcessFindings read_findings(const std::string& text);

/// What is wrong with a call by what all ranks found, by rank; `machines`, by rank, says whose clocks are one. Throws CheckError.
void require_right(const CollectiveCall& call, const std::vector<ProcessFindings>& ranks, const std::vector<int>& machines);

}  // namespace heddle::net
