// SPDX-License-Identifier: Apache-2.0
// What happened in the run that failed, up to where it did.
#pragma once

#include <string>

#include "fuzz/fuzz.hpp"

namespace heddle {

/// Runs the finding's case once more, in a process of its own, and writes the trace (docs/pictures.md) of its measured call to
/// `path`. What was under way at the end of the run ends there. False, and no file: there is none, as the run ended its process,
/// did not end, was right this time, or failed before anything was sent. No other thread may run. Throws what a file that cannot
/// be written does.
bool write_trace_of(const FuzzFinding& finding, const std::string& path);

}  // namespace heddle
