// SPDX-License-Identifier: Apache-2.0
// What fuzzing found, for people.
#pragma once

#include <string>

#include "fuzz/fuzz.hpp"
#include "fuzz/reports/fuzz_reports.hpp"

namespace heddle {

/// Each finding (to_text) and the test that it makes; empty where nothing was found.
std::string findings_text(const FuzzOutcome& outcome, const FindingTexts& texts);

/// What was run, how fast, what faults did, and how it ended; with `by_row`, a line for each row.
std::string summary_text(const FuzzOutcome& outcome, bool by_row, bool was_interrupted, const FindingTexts& texts);

}  // namespace heddle
