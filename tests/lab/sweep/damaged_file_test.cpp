// SPDX-License-Identifier: Apache-2.0
// What a disk may do to the files of sweeps, and to what else heddle reads: one bit of them is turned. It is refused with file
// and line, or says what it said before.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

#include "core/checksum.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/reports/fuzz_reports.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/sweep/sweep_document.hpp"
#include "lab/sweep/sweep_journal.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/temporary_directory.hpp"
#include "tests/effort.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

using namespace test;

namespace {

const int kFlips = testing::sampled(testing::sample(300, 1000), 100);

void put(const std::string& path, std::string_view content) { std::ofstream(path, std::ios::binary) << content; }

/// A sweep with a failed algorithm's absence, several fabrics and a shard.
std::string sweep_to(const std::string& json, const std::string& more) {
  return fmt::format(
      "sweep allreduce --algo ring,bucket --topo torus:2x3,star:6 --size 1KiB:16KiB:x4 --data-memory 16KiB --json {}{}", json,
      more);
}

/// Calls judge(damaged) for texts that differ from `text` in a bit.
template <class Judge>
void turn_bits(const std::string& text, Judge judge) {
  std::minstd_rand draw(11);
  for (int i = 0; i < kFlips; ++i) {
    const std::size_t byte = draw() % text.size();
    const auto bit = draw() % 8;
    std::string damaged = text;
    damaged[byte] = static_cast<char>(static_cast<unsigned char>(damaged[byte]) ^ (1U << bit));
    INFO(fmt::format("bit {} of byte {}: '{}'", bit, byte, text.substr(byte < 20 ? 0 : byte - 20, 40)));
    judge(damaged);
  }
}

}  // namespace

TEST_CASE("a bit turned in a sweep's report is refused with its line, or says the same") {
  const TemporaryDirectory directory("turned_report");
  const std::string path = directory / "s.json";
  REQUIRE(run_heddle(sweep_to(path, "")).status == 0);
  const std::string report = file_content(path);
  REQUIRE(json_text_of(read_sweep_file(path).document) == report);
  int refused = 0;
  turn_bits(report, [&](const std::string& damaged) {
    put(path, damaged);
    try {
      const std::string read = json_text_of(read_sweep_file(path).document);
      CHECK(read == report);
    } catch (const InputError& error) {
      ++refused;
      CHECK_THAT(error.what(), Catch::StartsWith(fmt::format("'{}': line ", path)));
    }
  });
  CHECK(refused > kFlips / 2);
}

TEST_CASE("a report that is cut off, or a picture in its place, is refused with the line where it stops being JSON") {
  const TemporaryDirectory directory("cut_report");
  const std::string path = directory / "s.json";
  REQUIRE(run_heddle(sweep_to(path, "")).status == 0);
  const std::string report = file_content(path);
  const std::size_t half = report.size() / 2;
  put(path, report.substr(0, half));
  const auto line = 1 + std::count(report.begin(), report.begin() + static_cast<std::ptrdiff_t>(half), '\n');
  CHECK_THROWS_WITH(read_sweep_file(path), Catch::EndsWith(fmt::format("line {}: no JSON here: the file is cut off or damaged, "
                                                                       "or is of another kind",
                                                                       line)));
  put(path, "<svg></svg>\n");
  CHECK_THROWS_WITH(read_sweep_file(path), Catch::Contains("line 1: no JSON here: "));
}

TEST_CASE("a bit turned in a journal is refused with its line, or loses no more than the last run") {
  const TemporaryDirectory directory("turned_journal");
  REQUIRE(run_heddle(sweep_to(directory / "s.json", " --csv /dev/full")).status == 1);  // so the journal stays
  const std::string path = directory / "s.json.partial";
  const std::string journal = file_content(path);
  const SweepFile whole = read_sweep_file(path);
  REQUIRE(whole.whole_bytes == journal.size());
  const std::size_t last_line = journal.rfind('\n', journal.size() - 2) + 1;
  turn_bits(journal, [&](const std::string& damaged) {
    put(path, damaged);
    try {
      const SweepFile file = read_sweep_file(path);
      if (file.cut_line > 0) {
        CHECK(file.whole_bytes == last_line);
      } else {
        CHECK(json_text_of(file.document) == json_text_of(whole.document));
      }
      CHECK((file.words == whole.words && file.directory == whole.directory));
    } catch (const InputError& error) {
      CHECK_THAT(error.what(), Catch::StartsWith(fmt::format("'{}': line ", path)));
    }
  });
}

TEST_CASE("a bit turned in a shard is refused by merge, or the whole is the same bytes") {
  const TemporaryDirectory directory("turned_shard");
  for (int i = 1; i <= 2; ++i)
    REQUIRE(run_heddle(sweep_to(directory / fmt::format("{}", i), fmt::format(" --shard {}/2", i))).status == 0);
  const std::string path = directory / "1";
  const std::string whole_path = directory / "m.json";
  const std::string merge = fmt::format("merge {} {} --json {}", path, directory / "2", whole_path);
  REQUIRE(run_heddle(merge).status == 0);
  const std::string whole = file_content(whole_path);
  turn_bits(file_content(path), [&](const std::string& damaged) {
    put(path, damaged);
    const test::CommandResult result = run_heddle(merge);
    if (result.status == 0) {
      CHECK(file_content(whole_path) == whole);
    } else {
      CHECK(result.status == 2);
      CHECK_THAT(result.err, Catch::StartsWith(fmt::format("heddle: '{}': line ", path)));
    }
  });
}

TEST_CASE("a file without checksums, as heddle wrote it before, is refused and says what to do") {
  const TemporaryDirectory directory("unchecked");
  const std::string path = directory / "s.json";
  REQUIRE(run_heddle(sweep_to(path, "")).status == 0);
  auto report = nlohmann::ordered_json::parse(file_content(path));
  report.erase("check");
  put(path, report.dump(2));
  CHECK_THROWS_WITH(read_sweep_file(path),
                    Catch::EndsWith("no checksum: an older heddle wrote it, or it is damaged; run the sweep again"));
  put(path, "{\"heddle_sweep_journal\":1,\"context\":{}}\n");
  CHECK_THROWS_WITH(read_sweep_file(path), Catch::EndsWith("line 1: another version of heddle wrote it; run the sweep again"));
}

TEST_CASE("a report that was laid out anew says the same") {
  const TemporaryDirectory directory("laid_out");
  const std::string path = directory / "s.json";
  REQUIRE(run_heddle(sweep_to(path, "")).status == 0);
  const std::string report = file_content(path);
  put(path, nlohmann::ordered_json::parse(report).dump(4));
  CHECK(json_text_of(read_sweep_file(path).document) == report);
}

TEST_CASE("a checksum is of what the object says, whatever checksum it had") {
  const nlohmann::ordered_json object = {{"run", 1}, {"time_s", 1.5e-6}};
  CHECK_NOTHROW(require_checksum(with_checksum(object)));
  CHECK(with_checksum(with_checksum(object)) == with_checksum(object));
  auto other = with_checksum(object);
  other["run"] = 2;
  CHECK_THROWS_WITH(require_checksum(other), Catch::StartsWith("damaged: "));
  CHECK_THROWS_WITH(require_checksum(object), Catch::StartsWith("no checksum: "));
  CHECK(checksum_of("") == "cbf29ce484222325");
  CHECK(checksum_of("a") == "af63dc4c8601ec8c");  // draft-eastlake-fnv, appendix C
}

TEST_CASE("a bit turned in a fabric's file with a checksum is refused with file and line, or says the same") {
  const TemporaryDirectory directory("turned_fabric");
  const std::string path = directory / "f.json";
  const std::string fabric = R"({
  "endpoints": ["a", "b", "c"],
  "switches": [{"name": "s", "alu": true, "radix": 8}],
  "tiers": [{"name": "near", "bandwidth": "50GB/s", "latency": "1us"}],
  "links": [{"from": "a", "to": "s"}, {"from": "b", "to": "s", "cables": 2}, {"from": "s", "to": "c", "tier": "near"}])";
  put(path, fabric + "\n}\n");
  const std::string checksum = parse_topology("file:" + path)->checksum();
  turn_bits(fmt::format("{},\n  \"check\": \"{}\"\n}}\n", fabric, checksum), [&](const std::string& damaged) {
    put(path, damaged);
    try {
      const std::string read = parse_topology("file:" + path)->checksum();
      CHECK(read == checksum);
    } catch (const InputError& error) {
      CHECK_THAT(error.what(), Catch::StartsWith(path + ":"));
      CHECK_THAT(error.what(), !Catch::Contains("\n"));
    }
  });
}

TEST_CASE("a bit turned in saved cases is refused with its line, or changes no case") {
  const TemporaryDirectory directory("turned_cases");
  const std::string path = directory / "saved.txt";
  FuzzOutcome found;
  for (const char* const fabric : {"torus:2x3 --bw 50GB/s --latency 1us --buffering 2", "star:4 --seed 9"}) {
    const Experiment what = Experiment::parse(fmt::format("allreduce --algo ring --size 4096 --topo {}", fabric));
    found.findings.push_back({.drawn = what, .smallest = what, .failure = {}});
  }
  append_to_corpus(path, found, {});
  const auto texts = [&path] {
    std::string all;
    for (const SavedCase& saved : read_corpus(path)) all += saved.text + '\n';
    return all;
  };
  const std::string whole = texts();
  REQUIRE(std::ranges::count(whole, '\n') == 2);
  turn_bits(file_content(path), [&](const std::string& damaged) {
    put(path, damaged);
    try {
      const std::string read = texts();
      CHECK(read == whole);
    } catch (const InputError& error) {
      CHECK_THAT(error.what(), Catch::StartsWith(fmt::format("--corpus '{}': line ", path)));
    }
  });
}

// Written by hand, a case has no checksum: what a turned bit makes of it may be another case, which says so itself.
TEST_CASE("a bit turned in a case makes a case that says what it is, or one line") {
  const std::string text =
      "allreduce --algo ring --topo torus:2x3 --size 4096 --bw 50GB/s --latency 1us --seed 9 --buffering 2";
  turn_bits(text, [&](const std::string& damaged) {
    try {
      const std::string read = Experiment::parse(damaged).text();
      CHECK(Experiment::parse(read).text() == read);
    } catch (const InputError& error) {
      CHECK(std::string_view(error.what()).size() > 0);
    }
  });
}

}  // namespace heddle
