// SPDX-License-Identifier: Apache-2.0
// Sweeps in a process of their own, which is interrupted or killed half-way: nothing that was finished is lost, and what
// resumes ends in the same bytes. The process is this program with a hidden test case; after so many runs it blocks in the next
// ones until it is killed, or goes on when it is interrupted, so that nothing depends on time.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "cli/commands/run_command.hpp"
#include "cli/process/interrupt.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle {

using namespace test;

namespace {

constexpr auto kChild = "a sweep in a process of its own";
const std::string kChildSweep =
    "sweep allreduce --algo ring,bucket,rabenseifner --topo torus:2x3 --size 1KiB:64KiB:x4 --jobs 2";
constexpr std::size_t kRuns = 12;

/// What the child gets, by its environment.
struct Orders {
  std::string json;     ///< --json
  int free_runs = 0;    ///< that end by themselves; those after wait
  bool obeys = true;    ///< those that wait go on when the process is interrupted
  long most_bytes = 0;  ///< that a file may have, as a disk that fills up; 0: any
};

void wait_a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

class Child {
 public:
  explicit Child(const Orders& orders) : out_(orders.json + ".out"), err_(orders.json + ".err") {
    const std::array<std::string, 4> environment = {
        "HEDDLE_TEST_JSON=" + orders.json, fmt::format("HEDDLE_TEST_FREE_RUNS={}", orders.free_runs),
        fmt::format("HEDDLE_TEST_OBEYS={}", orders.obeys ? 1 : 0), fmt::format("HEDDLE_TEST_MOST_BYTES={}", orders.most_bytes)};
    std::array<const char*, 5> variables = {};
    for (std::size_t i = 0; i < environment.size(); ++i) variables[i] = environment[i].c_str();
    const std::array<const char*, 3> words = {"heddle_cli_tests", kChild, nullptr};
    pid_ = fork();
    if (pid_ != 0) return;
    // Between fork and exec only what is safe in a copy of one thread of many. What the tests' parent ignores ends the child all the same.
    for (const int number : {SIGHUP, SIGINT, SIGTERM}) ::signal(number, SIG_DFL);
    dup2(open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    execve("/proc/self/exe", const_cast<char* const*>(words.data()), const_cast<char* const*>(variables.data()));
    _exit(99);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (!has_ended_) kill(pid_, SIGKILL), wait();
  }

  void signal(int number) const { kill(pid_, number); }

  /// The status as wait() has it.
  int wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    has_ended_ = true;
    return status;
  }
  std::string out() const { return file_content(out_); }
  std::string err() const { return file_content(err_); }

 private:
  pid_t pid_ = 0;
  bool has_ended_ = false;
  std::string out_, err_;
};

std::size_t finished_runs(const std::string& journal) {
  const std::size_t lines = lines_of(file_content(journal)).size();
  return lines == 0 ? 0 : lines - 1;
}

/// Until so many runs are in the journal.
void wait_for_runs(const std::string& journal, std::size_t runs) {
  while (finished_runs(journal) < runs) wait_a_moment();
}

void wait_for_text(const Child& child, std::string_view text) {
  while (child.err().find(text) == std::string::npos) wait_a_moment();
}

/// The report of the sweep when nothing disturbs it.
std::string whole_report(const TemporaryDirectory& directory) {
  const std::string json = directory / "whole.json";
  CHECK(test::run_heddle(kChildSweep + " --json " + json).status == 0);
  return file_content(json);
}

void check_resumes_to_the_whole(const TemporaryDirectory& directory, const std::string& json) {
  const std::string whole = whole_report(directory);
  const test::CommandResult resumed =
      test::run_heddle(fmt::format("{} --json {} --resume {}.partial", kChildSweep, json, json));
  CHECK(resumed.err == "");
  CHECK(resumed.status == 0);
  CHECK(file_content(json) == whole);
  CHECK_FALSE(std::filesystem::exists(json + ".partial"));
}

int number_from(const char* variable) { return std::atoi(std::getenv(variable)); }

}  // namespace

// Hidden: only Child runs it.
TEST_CASE("a sweep in a process of its own", "[.]") {
  const char* json = std::getenv("HEDDLE_TEST_JSON");
  REQUIRE(json != nullptr);
  const int free_runs = number_from("HEDDLE_TEST_FREE_RUNS");
  const bool obeys = number_from("HEDDLE_TEST_OBEYS") == 1;
  if (const int most = number_from("HEDDLE_TEST_MOST_BYTES"); most > 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  std::atomic<int> runs = 0;
  const RunFunction run = [&](const Setup& setup, const Algorithm& algorithm) {
    std::ofstream(std::string(json) + ".begun");
    if (++runs > free_runs)
      while (!obeys || InterruptGuard::count() == 0) wait_a_moment();
    return run_algorithm(setup, algorithm);
  };
  SweepFlags options;
  CLI::App app;
  add_sweep_flags(*app.add_subcommand("sweep"), options);
  const std::string words = kChildSweep + " --json " + json;
  app.parse(words);
  options.words = test::words_of(words);
  std::_Exit(sweep_command(options, std::cout, std::cerr, run));  // its own status, not the test's
}

TEST_CASE("killed half-way, a sweep loses the runs under way alone") {
  const TemporaryDirectory directory("kill");
  const std::string json = directory / "s.json";
  Child child({.json = json, .free_runs = 5});
  wait_for_runs(json + ".partial", 5);
  child.signal(SIGKILL);
  CHECK(WIFSIGNALED(child.wait()));
  CHECK(finished_runs(json + ".partial") == 5);
  CHECK_FALSE(std::filesystem::exists(json));
  check_resumes_to_the_whole(directory, json);
}

TEST_CASE("interrupted, a sweep ends what is under way, keeps all and says how to go on") {
  const TemporaryDirectory directory("interrupt");
  const std::string json = directory / "s.json";
  for (const int signal : {SIGINT, SIGTERM}) {
    Child child({.json = json, .free_runs = 4});
    wait_for_runs(json + ".partial", 4);
    child.signal(signal);
    const int status = child.wait();
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 128 + signal);
    const std::size_t finished = finished_runs(json + ".partial");
    CHECK(finished >= 4);
    CHECK(finished <= 4 + 2);  // of two jobs
    CHECK_THAT(child.err(),
               Catch::EndsWith(fmt::format("heddle: interrupted: {} of {} runs are finished; go on with: heddle sweep "
                                           "--resume {}.partial\n",
                                           finished, kRuns, json)));
    CHECK_THAT(child.out(), Catch::EndsWith(fmt::format("; incomplete: {} runs not run\n", kRuns - finished)));
    const nlohmann::json report = nlohmann::json::parse(file_content(json));
    CHECK(report["complete"] == false);
    CHECK(report["runs"].size() == finished);
    check_resumes_to_the_whole(directory, json);
    std::filesystem::remove(json);
  }
}

TEST_CASE("a sweep whose report goes to a pipe that nobody reads ends when it is told to") {
  const TemporaryDirectory directory("pipe");
  const std::string json = directory / "pipe";
  REQUIRE(mkfifo(json.c_str(), 0600) == 0);
  Child child({.json = json, .free_runs = 0});
  while (!std::filesystem::exists(json + ".begun")) wait_a_moment();
  child.signal(SIGTERM);
  const int status = child.wait();
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 128 + SIGTERM);
  CHECK_THAT(child.err(), Catch::Contains(fmt::format("heddle: --json '{}': cannot be written: nobody reads it; ", json)));
}

TEST_CASE("interrupted twice, a sweep gives up what is under way") {
  const TemporaryDirectory directory("twice");
  const std::string json = directory / "s.json";
  Child child({.json = json, .free_runs = 6, .obeys = false});
  wait_for_runs(json + ".partial", 6);
  child.signal(SIGINT);
  wait_for_text(child, "or none with Ctrl-C again");
  child.signal(SIGINT);
  const int status = child.wait();
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 128 + SIGINT);
  CHECK(nlohmann::json::parse(file_content(json))["runs"].size() == 6);
  CHECK(finished_runs(json + ".partial") == 6);
  check_resumes_to_the_whole(directory, json);
}

TEST_CASE("interrupted once, a sweep gives up what does not end within a second") {
  const TemporaryDirectory directory("once");
  const std::string json = directory / "s.json";
  Child child({.json = json, .free_runs = 6, .obeys = false});
  wait_for_runs(json + ".partial", 6);
  child.signal(SIGHUP);
  const int status = child.wait();
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 128 + SIGHUP);
  CHECK(finished_runs(json + ".partial") == 6);
  check_resumes_to_the_whole(directory, json);
}

TEST_CASE("a disk that fills up half-way stops a sweep in one line, with all that was written before") {
  const TemporaryDirectory directory("full");
  const std::string json = directory / "s.json";
  Child child({.json = json, .free_runs = 1000, .most_bytes = 6000});
  const int status = child.wait();
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 1);
  const std::string why = fmt::format("heddle: '{}.partial': cannot be written: File too large; ", json);
  CHECK_THAT(child.err(), Catch::Contains(why));
  CHECK_THAT(child.err(), Catch::Contains("go on with: heddle sweep --resume " + json + ".partial\n"));
  CHECK(std::filesystem::file_size(json + ".partial") == 6000);
  CHECK(finished_runs(json + ".partial") >= 3);
  check_resumes_to_the_whole(directory, json);
}

}  // namespace heddle
