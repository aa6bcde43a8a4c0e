// SPDX-License-Identifier: Apache-2.0
// What holds for the critical path of every run.
#pragma once

#include <fmt/format.h>

#include <stdexcept>

#include "emu/record/report.hpp"

namespace heddle::testing {

/// Its parts add up to the completion time to the picosecond, none is negative, and without contention it would not have been
/// later. Throws std::logic_error.
inline void require_whole_path(const Report& report) {
  const PathParts& parts = report.critical_path.parts;
  if (parts.total() != report.completion)
    throw std::logic_error(fmt::format("the critical path's parts add up to {} ps, completion is {} ps", parts.total().ps(),
                                       report.completion.ps()));
  for (const Time part :
       {parts.startup, parts.propagation, parts.serialisation, parts.contention, parts.local_work, parts.waiting})
    if (part < Time()) throw std::logic_error("a part of the critical path is negative");
  if (report.contention_free > report.completion)
    throw std::logic_error(fmt::format("without contention it would take {} ps, with it {} ps", report.contention_free.ps(),
                                       report.completion.ps()));
}

}  // namespace heddle::testing
