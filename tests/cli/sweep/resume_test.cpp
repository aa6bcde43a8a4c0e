// SPDX-License-Identifier: Apache-2.0
// A sweep that goes on where another stopped: from its journal, or from its report.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "lab/sweep/sweep_document.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/sweep/small_sweep.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle {

using namespace test;

TEST_CASE("resumed from a journal that is cut anywhere, a sweep ends in the same bytes") {
  const TemporaryDirectory directory("cut");
  const Outputs whole = run_sweep_in(directory, "");
  const std::string journal = journal_of_all_runs(directory);
  REQUIRE(lines_of(journal).size() == 31);
  const auto check_cut = [&](std::size_t bytes) {
    INFO(bytes);
    write_file(directory / "s.json.partial", journal.substr(0, bytes));
    CHECK(run_sweep_in(directory, "--resume " + (directory / "s.json.partial")) == whole);
  };
  const std::size_t header = journal.find('\n');
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{5}, header / 2, header, header + 1, journal.size()})
    check_cut(bytes);
  std::minstd_rand draw(7);
  for (int i = 0; i < 12; ++i) check_cut(header + draw() % (journal.size() - header));
}

TEST_CASE("a journal with its lines in another order, or twice, is as good") {
  const TemporaryDirectory directory("order");
  const Outputs whole = run_sweep_in(directory, "");
  std::vector<std::string> lines = lines_of(journal_of_all_runs(directory));
  std::reverse(lines.begin() + 1, lines.end());
  lines.resize(10);
  lines.push_back(lines[3]);
  write_file(directory / "s.json.partial", fmt::format("{}\n", fmt::join(lines, "\n")));
  CHECK(run_sweep_in(directory, "--resume " + (directory / "s.json")) == whole);
}

TEST_CASE("sweep --resume alone takes the flags from the journal") {
  const TemporaryDirectory directory("alone");
  journal_of_all_runs(directory);
  const std::string path = directory / "x/s.json.partial";
  const std::string journal = file_content(path);
  const std::size_t header_end = journal.find('\n');
  std::string header = journal.substr(0, header_end);
  // The words name /dev/full for the CSV; a file takes its place.
  const std::string full = "/dev/full";
  header.replace(header.find(full), full.size(), directory / "a.csv");
  header = line_of(with_checksum(nlohmann::ordered_json::parse(header)));
  write_file(path, header + journal.substr(header_end, journal.size() * 2 / 3 - header_end));
  const CommandResult result = run_heddle("sweep --resume " + path + " --jobs 1");
  CHECK(result.err == "");
  CHECK(result.status == 0);
  const Outputs whole = run_sweep_in(directory, "");
  CHECK(file_content(directory / "x/s.json") == whole.json);
  CHECK(file_content(directory / "a.csv") == whole.csv);
  CHECK(result.out == whole.out);
}

TEST_CASE("a finished report can be resumed: nothing is run, everything is written") {
  const TemporaryDirectory directory("finished");
  const Outputs whole = run_sweep_in(directory, "");
  std::filesystem::copy_file(directory / "s.json", directory / "copy.json");
  CHECK(run_sweep_in(directory, "--resume " + (directory / "copy.json")) == whole);
}

TEST_CASE("what belongs to another sweep is not resumed, and the difference is named") {
  const TemporaryDirectory directory("another");
  const std::string journal = journal_of_all_runs(directory);
  const std::string path = directory / "s.json.partial";
  const auto check_refused = [&](const std::string& words, const std::string& expected) {
    write_file(path, journal);
    const CommandResult result = run_heddle(words + " --resume " + path);
    CHECK(result.status == 2);
    CHECK(result.out == "");
    CHECK(result.err == fmt::format("heddle: --resume '{}'{}\n", path, expected));
    CHECK(file_content(path) == journal);
  };
  check_refused(kSweep + " --seed 2", " is of another sweep: its --seed is '1', here it is '2'");
  check_refused(kSweep + " --alpha 1us", " is of another sweep: its --alpha is not given, here it is '1us'");
  check_refused(kSweep + " --shard 1/2", " is of another sweep: its --shard is 1/1, here it is 1/2");
  std::string shorter = kSweep;
  shorter.replace(shorter.find("16KiB:x4"), 5, "17KiB");
  check_refused(shorter, " is of another sweep: its --size is '1KiB:16KiB:x4', here it is '1KiB:17KiB:x4'");
  write_file(path, journal);
  CHECK_THAT(run_heddle(kSweep + " --resume /nowhere.partial").err,
             Catch::Equals("heddle: --resume '/nowhere.partial': cannot be read: No such file or directory\n"));
  write_file(path, "{\"some\": 1}\n");
  CHECK_THAT(run_heddle(kSweep + " --resume " + path).err,
             Catch::Equals(
                 fmt::format("heddle: --resume '{}': line 1: no file of a sweep; 'heddle sweep --json' and what it leaves in "
                             ".partial are\n",
                             path)));
  std::string damaged = journal;
  damaged.replace(damaged.find("\"algorithm\":", damaged.find('\n')), 4, "****");
  write_file(path, damaged);
  CHECK_THAT(run_heddle(kSweep + " --resume " + path).err, Catch::Contains("line 2 is damaged"));
}

TEST_CASE("a journal with results is never overwritten") {
  const TemporaryDirectory directory("kept");
  const std::string journal = journal_of_all_runs(directory);
  const std::string path = directory / "s.json.partial";
  write_file(path, journal);
  const CommandResult result = run_heddle(kSweep + " --json " + (directory / "s.json"));
  CHECK(result.status == 2);
  CHECK(result.err == fmt::format("heddle: '{0}': holds 30 finished runs of a sweep; add --resume {0} to go on with it, or "
                                  "remove it\n",
                                  path));
  CHECK(file_content(path) == journal);
  write_file(path, "somebody's notes\n");
  CHECK_THAT(run_heddle(kSweep + " --json " + (directory / "s.json")).err, Catch::Contains("is in the way"));
  CHECK(file_content(path) == "somebody's notes\n");
  write_file(path, journal.substr(0, journal.find('\n') + 1));  // nothing to lose
  CHECK(run_heddle(kSweep + " --json " + (directory / "s.json")).status == 0);
}

}  // namespace heddle
