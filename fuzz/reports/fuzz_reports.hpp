// SPDX-License-Identifier: Apache-2.0
// What fuzzing found: for people, and for programs a continuous integration's tests, a document, a folder.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/cases/run_case.hpp"
#include "fuzz/fuzz.hpp"

namespace heddle {

struct Document;

// A finding as a test.

/// Whose rows a test runs.
enum class RowSource : std::uint8_t {
  registry,  ///< heddle's own
  plugin     ///< those of a plugin whose source is part of the test's program
};

/// Which framework runs it.
enum class TestStyle : std::uint8_t {
  catch2_v2,
  catch2_v3,
  googletest,
  plain  ///< a program of its own: exit status 1, with the explanation on standard error
};

/// Reads "catch2-v2", "catch2-v3", "googletest" or "plain". Throws InputError for another word.
TestStyle parse_test_style(std::string_view name);

/// A test that compiles as it stands (link heddle::heddle) and fails as long as the finding's smallest case does: also one that ends its
/// process, or never ends, which it runs in a process of its own.
std::string pasted_test(const FuzzFinding& finding, RowSource source, TestStyle style);

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

/// JSON alone. docs/fuzzing.md has its members.
Document fuzz_report(const FuzzOutcome& outcome, const FindingTexts& texts);
/// The same of a single case, `what`, and how it ended; no value: it was stopped.
Document case_report(const Experiment& what, const std::optional<CaseEnd>& end);

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

// What happened in the run that failed, up to where it did.

/// Runs the finding's case once more, in a process of its own, and writes the trace (docs/pictures.md) of its measured call to
/// `path`. What was under way at the end of the run ends there. False, and no file: there is none, as the run ended its process,
/// did not end, was right this time, or failed before anything was sent. No other thread may run. Throws what a file that cannot
/// be written does.
bool write_trace_of(const FuzzFinding& finding, const std::string& path);

// What fuzzing found, for people.

/// Each finding (to_text) and the test that it makes; empty where nothing was found.
std::string findings_text(const FuzzOutcome& outcome, const FindingTexts& texts);

/// What was run, how fast, what faults did, and how it ended; with `by_row`, a line for each row.
std::string summary_text(const FuzzOutcome& outcome, bool by_row, bool was_interrupted, const FindingTexts& texts);

}  // namespace heddle
