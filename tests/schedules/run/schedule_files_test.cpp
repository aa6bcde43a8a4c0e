// SPDX-License-Identifier: Apache-2.0
// Schedules from files, run and checked as any algorithm; what is wrong with others, in words.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "lab/run/run_algorithm.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/files.hpp"

namespace heddle {
namespace {

using testing::experiment_on;

const std::vector<std::string> kRight = {"ring",     "tree",           "allpairs",  "hierarchical", "two_channels",
                                         "alltoall", "reduce_scatter", "broadcast", "one_slot",     "copies"};

std::string failure_of(const Experiment& what) {
  const Outcome outcome = what.run();
  return outcome.failure() == nullptr ? "right" : outcome.failure()->explanation;
}

Experiment with_count(Experiment what, std::int64_t count) {
  what.size = Bytes(count * 4);
  return what;
}

}  // namespace

TEST_CASE("right schedules are right for every count, in place and out of place, under every buffering that they can do with") {
  for (const std::string& name : kRight) {
    const Experiment usual = experiment_on(name);
    const std::int64_t chunks = testing::read_schedule(name).chunks;
    for (const std::int64_t count :
         {std::int64_t{0}, std::int64_t{1}, chunks - 1, chunks, chunks + 1, 3 * chunks + 2, std::int64_t{1000}}) {
      for (const bool in_place : {true, false}) {
        Experiment what = with_count(usual, count);
        what.in_place = in_place;
        INFO(name << ", " << count << " elements" << (in_place ? ", in place" : ""));
        CHECK(failure_of(what) == "right");
        what.threads = Threads::kernel;
        if (count == 1000) CHECK(failure_of(what) == "right");
      }
    }
  }
}

TEST_CASE("a schedule from one root serves every root") {
  Experiment what = with_count(experiment_on("broadcast"), 10);
  for (int root = 0; root < 4; ++root) {
    what.root = root;
    CHECK(failure_of(what) == "right");
  }
}

TEST_CASE("user-level and kernel threads, in memory and emulated, give the same") {
  for (const std::string& name : kRight) {
    Experiment what = with_count(experiment_on(name), 120);
    const Outcome user = what.run();
    what.threads = Threads::kernel;
    const Outcome kernel = what.run();
    REQUIRE(user.report() != nullptr);
    REQUIRE(kernel.report() != nullptr);
    CHECK(user.report()->completion == kernel.report()->completion);
    CHECK(user.report()->messages() == kernel.report()->messages());
    what.threads.reset();
    what.clock.is_wall = true;
    what.fabric.bandwidth = {Bandwidth::unlimited()};
    what.fabric.latency = {Time()};
    what.iterations = 1;
    INFO(name);
    CHECK(failure_of(what) == "right");
  }
}

TEST_CASE("a schedule takes the time of the rounds that it has") {
  // Ring of 4 on a star: 6 rounds of a quarter each, 2 links of 100 ns and M/4 at 50 GB/s: 6 (0.2 us + 1200/50e9) at 4,800 bytes.
  const Outcome ring = with_count(experiment_on("ring"), 1200).run();
  REQUIRE(ring.report() != nullptr);
  CHECK(ring.report()->completion == Time::ps(6 * (200'000 + 24'000)));
  CHECK(ring.report()->rounds.size() == 6);
}

TEST_CASE("what is wrong with a schedule is said with file, line, gpu, tb and step") {
  struct Fault {
    std::string name;
    std::string text;
  };
  for (const auto& [name, text] : std::vector<Fault>{
           {"missing_dependency",
            "missing_dependency.xml:49: gpu 1, tb 3, step 2 reads s[2], which tb 2, step 1 (line 42) writes"},
           {"double_reduce",
            "double_reduce.xml:30: gpu 2, tb 0, step 4 adds to chunk 3 what gpus 0, 1, 2, 3 gave, which is in it"},
           {"wrong_offset", "wrong_offset.xml:19: gpu 1, tb 0, step 4 puts chunk 1 where chunk 2 is"}}) {
    const std::string failure = failure_of(with_count(experiment_on(name), 1200));
    INFO(failure);
    CHECK(failure.find(text) != std::string::npos);
  }
}

TEST_CASE("a wrong element is traced the same whether its chunk is repeated whole or by one element") {
  const auto traced = [](std::int64_t count, std::int64_t element) {
    const std::string failure = failure_of(with_count(experiment_on("double_reduce"), count));
    INFO(failure);
    const std::string place = fmt::format("  provenance of element {} on rank ", element);
    const std::size_t begin = failure.find(place);
    REQUIRE(begin != std::string::npos);
    const std::string text = failure.substr(begin + place.size());
    return text.substr(0, text.find("posted at"));
  };
  const std::string by_one = traced(1200, 900);
  CHECK(by_one.find("more than once") != std::string::npos);
  CHECK(by_one == traced(1202, 902));  // two chunks have an element more
}

TEST_CASE("a schedule that locks up with one slot is explained by its cycle") {
  Experiment what = with_count(experiment_on("one_slot"), 100);
  what.buffering = Buffering::limited(1);
  const std::string failure = failure_of(what);
  INFO(failure);
  CHECK(failure.find("one_slot.xml:5: gpu 0, tb 0, step 1 (s) waits for a free slot of channel 0 to gpu 1") !=
        std::string::npos);
  CHECK(failure.find("one_slot.xml:14: gpu 1, tb 0, step 1 (s) waits for a free slot of channel 0 to gpu 0") !=
        std::string::npos);
  what.buffering = Buffering::limited(2);
  CHECK(failure_of(what) == "right");
}

TEST_CASE("messages without a partner, and a channel with two senders, are refused when the file is read") {
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"never_received", "never_received.xml:20: gpu 2, tb 0, step 2: nobody receives it"},
           {"channel_twice", "channel_twice.xml:15: gpu 0, tb 2 sends to gpu 1 on channel 0, as tb 0 does"}}) {
    std::string refusal;
    try {
      with_count(experiment_on(name), 1200).run();
    } catch (const InputError& error) {
      refusal = error.what();
    }
    INFO(refusal);
    CHECK(refusal.find(text) != std::string::npos);
    CHECK(refusal.find('\n') == std::string::npos);
  }
}

TEST_CASE("the least number of slots is that of the messages that are sent before one is received") {
  const auto least = [](const char* name) { return CompiledSchedule(testing::read_schedule(name)).least_slots(); };
  CHECK(least("one_slot") == 2);
  CHECK(least("ring") == 2);  // it passes on in one step, and no slot is free when each has sent
  CHECK(least("broadcast") == 0);
  CHECK(least("tree") == 0);
}

TEST_CASE("a schedule fits as many ranks as it was made for") {
  Experiment what = with_count(experiment_on("ring"), 100);
  what.fabric.topology = "star:5";
  CHECK(what.why_not() == "it is made for 4 ranks");
}

}  // namespace heddle
