// SPDX-License-Identifier: Apache-2.0
#include "fuzz/reports/fuzz_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

#include "core/checksum.hpp"
#include "core/printable.hpp"
#include "core/read_file.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "show/document/output_file.hpp"

namespace heddle {

namespace {

/// As XML 1.0 has it; what is no character of it is an escape of printable_lines().
std::string xml(std::string_view text) {
  std::string escaped;
  for (const char c : printable_lines(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\n':
        escaped += "&#10;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string explained(const FuzzFinding& finding, const FuzzOutcome& outcome, const FindingTexts& texts) {
  return to_text(finding, outcome.seed, texts.command(finding));
}

/// A name for a file, of the letters, digits and dashes in it.
std::string file_name(std::string_view text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '-';
  return name;
}

}  // namespace

std::string junit_text(const FuzzOutcome& outcome, const FindingTexts& texts) {
  std::set<FuzzCoverage::Row> failed;
  for (const FuzzFinding& finding : outcome.findings) failed.insert(row_of(finding.smallest));
  std::string tests;
  std::size_t count = outcome.findings.size();
  for (const auto& [row, counts] : outcome.coverage.rows()) {
    if (failed.contains(row)) continue;
    std::int64_t cases = 0;
    for (const std::int64_t some : counts) cases += some;
    tests += fmt::format("  <testcase classname=\"heddle.fuzz.{}\" name=\"{}\"", to_string(row.first), xml(row.second));
    tests += cases > 0 ? "/>\n" : "><skipped message=\"no case was drawn\"/></testcase>\n";
    ++count;
  }
  for (const FuzzFinding& finding : outcome.findings) {
    const auto row = row_of(finding.smallest);
    const std::string kind = to_string(finding.failure.kind);
    tests += fmt::format(
        "  <testcase classname=\"heddle.fuzz.{}\" name=\"{}: {}\">\n    <failure type=\"{}\" message=\"{}\">{}</failure>\n"
        "  </testcase>\n",
        to_string(row.first), xml(row.second), kind, kind, xml(repeating_line(finding, outcome.seed, texts.command(finding))),
        xml(explained(finding, outcome, texts)));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"heddle fuzz\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
      "time=\"{:.3f}\">\n{}</testsuite>\n",
      count, outcome.findings.size(), outcome.seconds, tests);
}

void require_writable_folder(const std::string& directory) {
  std::error_code error;
  std::vector<std::filesystem::path> made;  // the innermost first
  for (std::filesystem::path folder = std::filesystem::absolute(directory, error);
       !error && !std::filesystem::exists(folder, error) && folder.has_relative_path(); folder = folder.parent_path())
    made.push_back(folder);
  if (!error) std::filesystem::create_directories(directory, error);
  if (error) throw InputError(fmt::format("'{}': cannot be made: {}", directory, error.message()));
  static_cast<void>(OutputFile((std::filesystem::path(directory) / "finding.txt").string()));
  for (const std::filesystem::path& folder : made) std::filesystem::remove(folder, error);
}

void write_findings(const FuzzOutcome& outcome, const FindingTexts& texts, const std::string& directory) {
  for (const FuzzFinding& finding : outcome.findings) {
    const auto row = row_of(finding.smallest);
    const std::filesystem::path folder =
        std::filesystem::path(directory) /
        file_name(fmt::format("{}-{}-{}-{}", to_string(row.first), row.second, to_string(finding.failure.kind),
                              finding.saved_as.empty() ? std::to_string(finding.index) : finding.saved_as));
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw InputError(fmt::format("--findings '{}': {}", folder.string(), error.message()));
    const bool has_trace = write_trace_of(finding, (folder / "trace.json").string());
    OutputFile((folder / "finding.txt").string())
        .write(explained(finding, outcome, texts) +
               (has_trace ? "  what happened: trace.json\n"
                          : "  no trace: nothing was sent before the run failed, or it was not a run that ended\n"));
    OutputFile((folder / "case.txt").string()).write(repeating_line(finding, outcome.seed, texts.command(finding)) + '\n');
    OutputFile((folder / "test.cpp").string()).write(pasted_test(finding, texts.source, texts.style));
  }
}

namespace {

// A saved line ends in a checksum of what stands before it; one that somebody has written by hand need not.
constexpr std::string_view kCheck = " # check ";

std::string with_check(const std::string& text) { return fmt::format("{}{}{}", text, kCheck, checksum_of(text)); }

std::string_view without_check(std::string_view line) {
  const std::size_t place = line.rfind(kCheck);
  if (place == std::string_view::npos) return line;
  const std::string_view text = line.substr(0, place);
  if (line.substr(place + kCheck.size()) != checksum_of(text))
    throw InputError("damaged, or changed since it was saved: its checksum is another; remove '# check …' if it is right");
  return text;
}

}  // namespace

std::vector<SavedCase> read_corpus(const std::string& path) {
  std::vector<SavedCase> cases;
  // Findings are added to it at the end: whether they can be is known now.
  static_cast<void>(read_flag("--corpus", path, [](std::string_view name) { return OutputFile(std::string(name)); }));
  if (!std::filesystem::exists(path)) return cases;
  std::string content;
  try {
    content = read_file(path);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--corpus '{}': {}", path, error.what()));
  }
  std::istringstream file(content);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    try {
      const std::string text(without_check(line));
      if (text.empty() || text.front() == '#') continue;
      static_cast<void>(Experiment::parse(text));
      cases.push_back({text, fmt::format("line {} of {}", number, path)});
    } catch (const InputError& error) {
      throw InputError(fmt::format("--corpus '{}': line {}: {}", path, number, error.what()));
    }
  }
  return cases;
}

void append_to_corpus(const std::string& path, const FuzzOutcome& outcome, const std::vector<SavedCase>& known) {
  std::string lines;
  for (const FuzzFinding& finding : outcome.findings) {
    const std::string text = finding.smallest.text();
    if (std::ranges::find(known, text, &SavedCase::text) == known.end()) lines += with_check(text) + '\n';
  }
  if (lines.empty()) return;
  std::ofstream file(path, std::ios::app);
  file << lines << std::flush;
  if (!file) throw InputError(fmt::format("--corpus '{}': cannot be written", path));
}

}  // namespace heddle
