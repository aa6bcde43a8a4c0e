// SPDX-License-Identifier: Apache-2.0
// What libc keeps for a program, each copy keeps for itself; time is the host's.
#include <fcntl.h>
#include <getopt.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "mpi/image/program_copy.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/compiled.hpp"

using namespace heddle;
using testing::compiled;
using testing::host_log;

namespace {

// Two copies of states.c; a test asks them in turn.
struct TwoCopies {
  mpi::ProgramImage image{compiled("states.c", {"-shared"})};
  mpi::ProgramCopy first{image, testing::host_table()};
  mpi::ProgramCopy second{image, testing::host_table()};

  template <class Result, class... Arguments>
  static Result ask(const mpi::ProgramCopy& copy, const char* name, Arguments... arguments) {
    return reinterpret_cast<Result (*)(Arguments...)>(copy.find(name))(arguments...);
  }
};

// A command line that lives long enough.
class CommandLine {
 public:
  explicit CommandLine(std::vector<std::string> texts) : texts_(std::move(texts)) {
    for (std::string& text : texts_) words_.push_back(text.data());
    words_.push_back(nullptr);
  }
  int count() const { return static_cast<int>(texts_.size()); }
  char** words() { return words_.data(); }
  std::vector<std::string> from(int index) const {
    std::vector<std::string> rest;
    for (int i = index; i < count(); ++i) rest.emplace_back(words_[static_cast<std::size_t>(i)]);
    return rest;
  }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> words_;
};

std::string next_option(const mpi::ProgramCopy& copy, CommandLine& line) {
  return TwoCopies::ask<const char*>(copy, "next_option", line.count(), line.words());
}

std::vector<std::string> all_options(const mpi::ProgramCopy& copy, CommandLine& line) {
  std::vector<std::string> options;
  for (std::string option = next_option(copy, line); !option.empty(); option = next_option(copy, line))
    options.push_back(option);
  return options;
}

}  // namespace

TEST_CASE("random numbers of a copy are those of a program that runs alone") {
  TwoCopies copies;
  // Without a seed, as with seed 1.
  srandom(1);
  for (int i = 0; i < 5; ++i) CHECK(TwoCopies::ask<int>(copies.first, "next_rand") == rand());
  TwoCopies::ask<void>(copies.first, "seed", 5U);
  TwoCopies::ask<void>(copies.second, "seed", 9U);
  std::vector<long> first, second;
  for (int i = 0; i < 40; ++i) {
    first.push_back(TwoCopies::ask<long>(copies.first, "next_random"));
    first.push_back(TwoCopies::ask<long>(copies.first, "next_long"));
    second.push_back(TwoCopies::ask<int>(copies.second, "next_rand"));
    second.push_back(static_cast<long>(TwoCopies::ask<double>(copies.second, "next_double") * 1e15));
  }
  std::vector<long> alone;
  srandom(5);
  srand48(5);
  for (int i = 0; i < 40; ++i) {
    alone.push_back(random());
    alone.push_back(lrand48() ^ mrand48());
  }
  CHECK(first == alone);
  alone.clear();
  srand(9);
  srand48(9);
  for (int i = 0; i < 40; ++i) {
    alone.push_back(rand());
    alone.push_back(static_cast<long>(drand48() * 1e15));
  }
  CHECK(second == alone);
}

TEST_CASE("a program may have states of its own for random numbers") {
  TwoCopies copies;
  srandom(1);
  const auto ask = [&](const char* name) { return TwoCopies::ask<long>(copies.first, name); };
  CHECK(ask("next_random") == random());
  // What the functions do alone: in this program they are libc's.
  std::array<char, 64> other{};
  char* const before = initstate(77, other.data(), other.size());
  const long number = random();
  setstate(before);
  CHECK(ask("other_random") == number);
  CHECK(ask("next_random") == random());
  TwoCopies::ask<void>(copies.first, "seed", 9U);
  TwoCopies::ask<void>(copies.second, "seed", 9U);
  std::array<unsigned short, 3> state{1, 2, 3};
  std::array<unsigned short, 7> parameters{1, 2, 3, 4, 5, 6, 7};
  srand48(9);
  const unsigned short* const seeded = seed48(state.data());
  const long first = seeded[0] + lrand48();
  const long second = nrand48(state.data());
  const long third = jrand48(state.data());
  const long fourth = static_cast<long>(erand48(state.data()) * 1000);
  lcong48(parameters.data());
  const long sum = first + second + third + fourth + mrand48();
  CHECK(ask("other_rand48") == sum);
  CHECK(TwoCopies::ask<long>(copies.second, "other_rand48") == sum);
}

TEST_CASE("two copies cut their own texts into words") {
  TwoCopies copies;
  std::string one = "a,b c", other = "d e,f";
  char* const none = nullptr;
  std::string words = TwoCopies::ask<char*>(copies.first, "next_word", one.data());
  words += TwoCopies::ask<char*>(copies.second, "next_word", other.data());
  for (int i = 0; i < 2; ++i) {
    words += TwoCopies::ask<char*>(copies.first, "next_word", none);
    words += TwoCopies::ask<char*>(copies.second, "next_word", none);
  }
  CHECK(words == "adbecf");
  CHECK(TwoCopies::ask<char*>(copies.first, "next_word", none) == nullptr);
}

TEST_CASE("two copies read their own options in turn") {
  TwoCopies copies;
  CommandLine one({"one", "-ab", "1", "file", "--gamma=3", "-g", "--", "-a"}), other({"other", "--alpha", "-b2", "-z", "x"});
  std::vector<std::string> first, second;
  for (int i = 0; i < 5; ++i) {
    first.push_back(next_option(copies.first, one));
    second.push_back(next_option(copies.second, other));
  }
  CHECK(first == std::vector<std::string>{"a", "b=1", "g=3", "g", ""});
  CHECK(one.from(TwoCopies::ask<int>(copies.first, "next_index")) == std::vector<std::string>{"file", "-a"});
  CHECK(second == std::vector<std::string>{"a", "b=2", "?", "", ""});
  CHECK(other.from(TwoCopies::ask<int>(copies.second, "next_index")) == std::vector<std::string>{"x"});
}

TEST_CASE("options are read as the system's getopt_long reads them") {
  const std::vector<std::vector<std::string>> lines = {
      {"p"},
      {"p", "x", "y"},
      {"p", "-a", "-a"},
      {"p", "-aab", "v", "x"},
      {"p", "x", "-a", "y", "-bv", "z"},
      {"p", "x", "y", "-b", "v", "z", "-a", "w", "--al"},
      {"p", "-b"},
      {"p", "--beta"},
      {"p", "--beta", "v"},
      {"p", "--be=v", "x"},
      {"p", "--alpha=v", "x"},
      {"p", "--nothing", "x"},
      {"p", "-g", "v"},
      {"p", "-gv"},
      {"p", "--gamma", "v", "--", "-b"},
      {"p", "x", "--", "-a", "y"},
      {"p", "-", "-a", "-"},
      {"p", "x", "-ag3", "--g=4", "y", "--", "z"},
      {"p", "-:", "-;", "-a"},
  };
  const auto alone = compiled("states.c", {"-shared"});
  for (const auto& texts : lines) {
    CAPTURE(texts);
    const mpi::ProgramImage image(alone);
    const mpi::ProgramCopy copy(image, testing::host_table());
    CommandLine ours(texts), theirs(texts);
    const std::vector<std::string> options = all_options(copy, ours);
    // The test's own program has libc's getopt.
    const std::array<option, 4> names{{{"alpha", no_argument, nullptr, 'a'},
                                       {"beta", required_argument, nullptr, 'b'},
                                       {"gamma", optional_argument, nullptr, 'g'},
                                       {}}};
    optind = 0;
    opterr = 0;
    std::vector<std::string> expected;
    for (int found = 0; (found = getopt_long(theirs.count(), theirs.words(), "ab:g::", names.data(), nullptr)) >= 0;) {
      expected.push_back(std::string(1, static_cast<char>(found)) + (optarg != nullptr ? std::string("=") + optarg : ""));
    }
    CHECK(options == expected);
    CHECK(ours.from(TwoCopies::ask<int>(copy, "next_index")) == theirs.from(optind));
  }
}

TEST_CASE("clocks and sleep are the host's") {
  TwoCopies copies;
  host_log() = {};
  host_log().now = 1'500'000'000;
  CHECK(TwoCopies::ask<long>(copies.first, "seconds_of_time") == 1'000'000'001);
  CHECK(TwoCopies::ask<long>(copies.first, "microseconds_of_day") == 1'000'000'001'500'000);
  CHECK(TwoCopies::ask<long>(copies.first, "nanoseconds", static_cast<int>(CLOCK_MONOTONIC)) == 1'500'000'000);
  CHECK(TwoCopies::ask<long>(copies.first, "nanoseconds", static_cast<int>(CLOCK_PROCESS_CPUTIME_ID)) == 1'500'000'000);
  CHECK(TwoCopies::ask<long>(copies.first, "nanoseconds", 77) == -EINVAL);
  TwoCopies::ask<void>(copies.first, "sleep_all_ways");
  CHECK(host_log().now == 5'000'000'000);  // the last one sleeps until then
  const mpi::ProgramImage image(compiled("objects.cpp"));
  const mpi::ProgramCopy copy(image, testing::host_table());
  CHECK(TwoCopies::ask<long>(copy, "steady") == 5'000'000'000);
}

TEST_CASE("a program ends through the host, and what atexit was given runs in its copy") {
  const mpi::ProgramImage image(compiled("endings.c"));
  struct Case {
    const char* how;
    const char* call;
    int status;
    int handlers_run;
  };
  for (const Case& c : {Case{"exit", "exit 3", 3, 21}, Case{"err", "exit 6", 6, 21}, Case{"error", "exit 7", 7, 21},
                        Case{"_exit", "_exit 4", 4, 21}, Case{"abort", "abort", 134, 21},
                        Case{"assert", "assert argc == 7 endings.c:32 main", 134, 21}}) {
    CAPTURE(c.how);
    mpi::ProgramCopy copy(image, testing::host_table());
    host_log() = {};
    CHECK(testing::run_main(copy, {c.how}) == c.status);
    CHECK(host_log().calls == std::vector<std::string>{c.call});
    const int* const run = static_cast<int*>(copy.find("handlers_run"));
    CHECK(*run == 0);
    copy.finalize();
    CHECK(*run == c.handlers_run);  // the last one first
    copy.finalize();
    CHECK(*run == c.handlers_run);  // once
  }
}

TEST_CASE("what atexit was given is forgotten with a rank that something else has ended") {
  const mpi::ProgramImage image(compiled("endings.c")), objects(compiled("objects.cpp"));
  mpi::ProgramCopy copy(image, testing::host_table()), other(objects, testing::host_table());
  testing::run_main(copy, {"many"});
  testing::run_main(other);
  copy.abandon();
  other.abandon();
  copy.finalize();
  other.finalize();
  CHECK(*static_cast<int*>(copy.find("counted")) == 0);
  CHECK(*static_cast<int*>(copy.find("handlers_run")) == 0);
  CHECK(TwoCopies::ask<int>(other, "ended") == 0);
}

TEST_CASE("atexit takes many functions, and some that add more") {
  const mpi::ProgramImage image(compiled("endings.c"));
  mpi::ProgramCopy copy(image, testing::host_table());
  for (int round = 1; round <= 2; ++round) {
    CHECK(testing::run_main(copy, {"many"}) == 5);
    copy.finalize();
    CHECK(*static_cast<int*>(copy.find("counted")) == 100 * round);
  }
}

TEST_CASE("heddle_compute is the host's") {
  const mpi::ProgramImage image(compiled("endings.c"));
  const mpi::ProgramCopy copy(image, testing::host_table());
  host_log() = {};
  CHECK(testing::run_main(copy, {"compute"}) == 5);
  CHECK(host_log().calls == std::vector<std::string>{"compute 0.500000"});
}

TEST_CASE("started without heddle, a program is a program, and MPI_Init starts heddle with it") {
  const std::string program = compiled("endings.c");
  const auto status = [&](const std::string& words) { return WEXITSTATUS(std::system((program + " " + words).c_str())); };
  CHECK(status("") == 5);
  CHECK(status("exit") == 3);
  CHECK(status("_exit") == 4);
  const std::string output = testing::scratch_folder() + "/said";
  std::string printed, print_line;
  CHECK(status("print > " + output) == 5);
  for (std::ifstream file(output); std::getline(file, print_line);) printed += print_line + " ";
  CHECK(printed == "other first ");
  REQUIRE(std::system(("HEDDLE=echo " + program + " init 'a b' > " + output).c_str()) == 0);
  std::ifstream said(output);
  std::string line;
  std::getline(said, line);
  CHECK(line == "mpirun -n 1 " + program + " init a b");
  REQUIRE(WEXITSTATUS(std::system(("HEDDLE=/nowhere/heddle " + program + " init 2> " + output).c_str())) == 127);
  std::ifstream complained(output);
  std::getline(complained, line);
  CHECK_THAT(line, Catch::Contains("MPI_Init") && Catch::Contains("heddle mpirun -n 4 PROGRAM"));
}
