// SPDX-License-Identifier: Apache-2.0
// The end of a run that was stopped before its ranks had returned.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/errors.hpp"
#include "emu/report/report.hpp"

namespace heddle {

/// A run under the wall clock was stopped by its deadline, or was interrupted.
class RunStopped : public Error {
 public:
  enum class Reason : std::uint8_t { deadline, interrupted };

  RunStopped(Reason reason, const std::string& explanation, Report so_far)
      : Error(explanation), reason_(reason), so_far_(std::move(so_far)) {}

  Reason reason() const { return reason_; }
  /// What was measured until then: `completion` is the emulated time that the run had reached; a rank that had not returned has
  /// a completion of 0.
  const Report& so_far() const { return so_far_; }

 private:
  Reason reason_;
  Report so_far_;
};

}  // namespace heddle
