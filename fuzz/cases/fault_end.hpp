// SPDX-License-Identifier: Apache-2.0
// How cases with faults end: right, or with an error that names the fault.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/errors.hpp"
#include "emu/settings/faults.hpp"

namespace heddle {

enum class FaultEnd : std::uint8_t {
  right,         ///< with the fault, or some of the faults, in it
  never_struck,  ///< right: the run was over before
  named,         ///< an error that names it
  refused,       ///< not begun, with the fault as the reason
};
inline constexpr std::size_t kFaultEnds = 4;

/// "right", "never struck", "named", "refused".
std::string_view to_string(FaultEnd end);

/// Whether an error says what was done to the run: one of the faults, as it is written, and its rank, message or link. What
/// goes wrong besides has no fault for a cause.
bool names_cause(const CheckError& error, const Faults& faults, const Topology& topology);

/// Whether a refusal names a fault.
bool names_cause(const InputError& refusal, const Faults& faults, const Topology& topology);

/// "link down", "rank late", "message lost", "unreliable", "switch", each fault once; "several" where there are different ones.
std::string kind_of_faults(const Faults& faults);

/// How many cases ended how, by kind of fault. A value.
class FaultCounts {
 public:
  void add(const std::string& kind, FaultEnd end) { ++by_kind_[kind][static_cast<std::size_t>(end)]; }
  bool empty() const { return by_kind_.empty(); }
  std::int64_t cases() const;

  using ByEnd = std::array<std::int64_t, kFaultEnds>;  ///< how many, by FaultEnd
  const std::map<std::string, ByEnd>& by_kind() const { return by_kind_; }

 private:
  std::map<std::string, ByEnd> by_kind_;
};

}  // namespace heddle
