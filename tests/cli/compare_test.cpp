// SPDX-License-Identifier: Apache-2.0
// heddle compare as a CI job sees it: exit status, and the name of what is slower.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lab/sweep/sweep_document.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle {

using namespace test;
using OrderedJson = nlohmann::ordered_json;

namespace {

const std::string kSwept =
    "sweep allreduce --algo ring,rabenseifner --topo ring:8,star:8 --placement linear,random:3 --ranks 4,8 --size 1KiB,64KiB ";

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// A sweep's file with the time of one run times `factor`.
void write_slowed(const std::string& from, const std::string& to, std::size_t run, double factor) {
  OrderedJson document = OrderedJson::parse(file_content(from));
  OrderedJson& slow = document["runs"][run];
  slow["time_s"] = slow["time_s"].get<double>() * factor;
  slow = with_checksum(slow);
  write(to, document.dump(2));
}

/// A text that can be read once, as a shell's <(…) is.
class Pipe {
 public:
  explicit Pipe(const std::string& text) {
    REQUIRE(pipe(ends_.data()) == 0);
    REQUIRE(::write(ends_[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));  // less than a pipe holds
    close(ends_[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() { close(ends_[0]); }
  std::string path() const { return fmt::format("/dev/fd/{}", ends_[0]); }

 private:
  std::array<int, 2> ends_{};
};

}  // namespace

TEST_CASE("results and measured times are read once, so that pipes are") {
  const TemporaryDirectory directory("compare_pipes");
  const std::string swept = directory / "swept.json";
  REQUIRE(run_heddle("sweep allreduce --algo ring --topo star:4 --size 1KiB --json " + swept).status == 0);
  const std::string results = file_content(swept);
  const std::string log = "collective,algorithm,ranks,bytes,seconds\nallreduce,ring,4,1024,0.001\n";
  const Pipe before(results);
  const Pipe now(results);
  CHECK_THAT(run_heddle(fmt::format("compare {} {}", before.path(), now.path())).out,
             Catch::EndsWith("# 1 of 1 result within 1 %\n"));
  const Pipe measured(log);
  const Pipe emulated(results);
  CHECK_THAT(run_heddle(fmt::format("compare {} {}", measured.path(), emulated.path())).out,
             Catch::Contains("# ring: emulated is 0.00123 times measured"));
  const Pipe reference(log);
  CHECK_THAT(run_heddle("sweep allreduce --algo ring --topo star:4 --reference " + reference.path()).out,
             Catch::Contains("# ring: emulated is 0.00123 times measured"));
}

TEST_CASE("a cell of a sweep that is 2 % slower is named, with exit status 1") {
  const TemporaryDirectory directory("compare_sweeps");
  const std::string before = directory / "old.json";
  const std::string now = directory / "new.json";
  REQUIRE(run_heddle(kSwept + "--json " + before).status == 0);
  const std::string words = fmt::format("compare {} {}", before, now);

  write_slowed(before, now, 13, 1);
  const CommandResult same = run_heddle(words + " --tolerance 0");
  CHECK(same.status == 0);
  CHECK_THAT(same.out, Catch::EndsWith("# 32 of 32 results within 0 %\n"));

  write_slowed(before, now, 13, 1.02);
  const OrderedJson slow = OrderedJson::parse(file_content(before))["runs"][13];
  const CommandResult slower = run_heddle(words);
  const CommandResult as_json = run_heddle(words + " --json -");
  CHECK(as_json.status == 1);
  const OrderedJson compared = OrderedJson::parse(as_json.out);
  CHECK(compared["matched"] == 32);
  CHECK(compared["unchanged"] == 31);
  CHECK(compared["changes"]["slower"] == 1);
  CHECK(compared["is_worse"] == true);
  REQUIRE(compared["differences"].size() == 1);
  const OrderedJson& difference = compared["differences"][0];
  CHECK(difference["change"] == "slower");
  CHECK(difference["algorithm"] == slow["algorithm"]);
  CHECK(difference["ranks"] == slow["ranks"]);
  CHECK(difference["new_s"] == slow["time_s"].get<double>() * 1.02);
  CHECK(difference["slowdown"].get<double>() == Approx(0.02).epsilon(0.001));
  CHECK(slower.status == 1);
  CHECK(slower.err == "");
  CHECK_THAT(slower.out, Catch::EndsWith("# 31 of 32 results within 1 %, 1 slower\n"));
  std::string line;
  for (const std::string& one : lines_of(slower.out))
    if (one.starts_with(" slower ")) line = one;
  for (const auto* name : {"topology", "placement", "algorithm"})
    CHECK_THAT(line, Catch::Contains(' ' + slow[name].get<std::string>() + ' '));
  CHECK_THAT(line, Catch::Contains("+2.0 %"));

  CHECK(run_heddle(words + " --tolerance 2.1%").status == 0);
  CHECK(run_heddle(fmt::format("compare {} {}", now, before)).status == 0);
}

TEST_CASE("reports of runs are compared, too, and another version is said") {
  const TemporaryDirectory directory("compare_runs");
  const std::string before = directory / "old.json";
  const std::string now = directory / "new.json";
  REQUIRE(run_heddle("run allreduce --algo ring,rabenseifner --topo ring:8 --size 1KiB --json " + before).status == 0);
  OrderedJson document = OrderedJson::parse(file_content(before));
  document["context"]["version"] = "9.9.9";
  document["runs"][1]["time_s"] = document["runs"][1]["time_s"].get<double>() * 1.02;
  write(now, document.dump(2));
  const CommandResult slower = run_heddle(fmt::format("compare {} {}", before, now));
  CHECK(slower.status == 1);
  CHECK_THAT(slower.out, Catch::Contains("# not the same: version: "));
  CHECK_THAT(slower.out, Catch::Contains(", now 9.9.9\n"));
  CHECK_THAT(slower.out, Catch::Contains("\n slower  1KiB  rabenseifner  "));

  document["runs"][1].erase("time_s");
  document["runs"][1]["error"] = {{"kind", "wrong_result"}, {"explanation", "planted"}};
  write(now, document.dump(2));
  const CommandResult wrong = run_heddle(fmt::format("compare {} {}", before, now));
  CHECK(wrong.status == 1);
  CHECK_THAT(wrong.out, Catch::Contains("\n wrong  1KiB  rabenseifner  "));
  CHECK_THAT(wrong.out, Catch::Contains("wrong_result"));
}

TEST_CASE("a run and a sweep of the same calls agree, and the kinds of files are said") {
  const TemporaryDirectory directory("compare_kinds");
  REQUIRE(run_heddle("run allreduce --algo ring --topo ring:8 --size 1KiB --json " + (directory / "run.json")).status == 0);
  REQUIRE(run_heddle("sweep allreduce --algo ring --topo ring:8 --size 1KiB --fault none --json " + (directory / "sweep.json"))
              .status == 0);
  const CommandResult result =
      run_heddle(fmt::format("compare {} {} --tolerance 0", directory / "run.json", directory / "sweep.json"));
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("# not the same: written by: heddle run, now heddle sweep\n"));
  CHECK_THAT(result.out, Catch::EndsWith("# 1 of 1 result within 0 %\n"));
}

TEST_CASE("what cannot be compared is refused in one line, with exit status 2") {
  const TemporaryDirectory directory("compare_refused");
  const std::string good = directory / "good.json";
  REQUIRE(run_heddle("run allreduce --algo ring --topo ring:8 --size 1KiB --json " + good).status == 0);
  write(directory / "other.json", R"({"name": "no results"})");
  write(directory / "runs.json", R"({"context": {}, "runs": [{"time_s": "long"}]})");
  write(directory / "text.json", "no JSON at all");
  const auto check_refused = [&](const std::string& words, const std::string& expected) {
    const CommandResult result = run_heddle("compare " + words);
    INFO(words);
    CHECK(result.status == 2);
    CHECK(result.out == "");
    CHECK(lines_of(result.err).size() == 1);
    CHECK_THAT(result.err, Catch::Contains(expected));
  };
  check_refused("", "two files are needed");
  check_refused(good, "two files are needed");
  check_refused(fmt::format("{0} {0} {0}", good), "is one file too many");
  check_refused(fmt::format("{0} {0} --tolerance -1%", good), "--tolerance '-1%': not a part of a time; try 1%, or 0");
  for (const std::string name : {"other.json", "runs.json", "text.json", "none.json"})
    check_refused(fmt::format("{} {}", good, directory / name), name);
}

TEST_CASE("a time below 0 is no time, in a run's document and in a sweep's") {
  const TemporaryDirectory directory("compare_times");
  const std::string right = directory / "right.json";
  const std::string wrong = directory / "wrong.json";
  for (const std::string& command : {std::string("run allreduce --algo ring --topo ring:4 --size 1KiB "), kSwept}) {
    REQUIRE(run_heddle(command + "--json " + right).status == 0);
    write_slowed(right, wrong, 0, -1);
    const CommandResult compared = run_heddle(fmt::format("compare {} {}", right, wrong));
    CHECK(compared.status == 2);
    CHECK_THAT(compared.err, Catch::Contains("wrong.json': ") && Catch::Contains("a time of -"));
    std::filesystem::remove(right);
  }
}

}  // namespace heddle
