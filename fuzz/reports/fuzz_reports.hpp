// SPDX-License-Identifier: Apache-2.0
// What fuzzing found, for programs: a continuous integration's tests, a document, a folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/cases/run_case.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/reports/pasted_test.hpp"

namespace heddle {

/// How findings are written down.
struct FindingTexts {
  /// The words before a case that repeats it ("heddle run").
  std::function<std::string(const FuzzFinding&)> command;
  /// The same before a case that has not ended in time.
  std::string watched = "heddle fuzz --case";
  RowSource source = RowSource::registry;
  TestStyle style = TestStyle::catch2_v2;
};

/// JUnit's XML: a test for each row that was right, and one for each finding.
std::string junit_text(const FuzzOutcome& outcome, const FindingTexts& texts);

/// One JSON object, with a newline. docs/fuzzing.md has its members.
std::string json_text(const FuzzOutcome& outcome, const FindingTexts& texts);
/// The same of a single case, `what`, and how it ended; no value: it was stopped.
std::string case_json_text(const Experiment& what, const std::optional<CaseEnd>& end);

/// For each finding a folder in `directory`, which is made: finding.txt (as it is printed), case.txt (the line that repeats it),
/// test.cpp, and, where the run leaves one, trace.json (write_trace_of). No other thread may run. Throws InputError if one cannot
/// be written.
void write_findings(const FuzzOutcome& outcome, const FindingTexts& texts, const std::string& directory);

/// Throws InputError if write_findings could not make its folders in `directory`. Leaves no trace.
void require_writable_folder(const std::string& directory);

/// One case on each line; what begins with # is none. None where there is no file yet. Throws InputError that names the line, or
/// says that findings could not be added.
std::vector<SavedCase> read_corpus(const std::string& path);
/// Those findings that are not among `known`, at its end. Throws InputError if it cannot be written.
void append_to_corpus(const std::string& path, const FuzzOutcome& outcome, const std::vector<SavedCase>& known);

}  // namespace heddle
