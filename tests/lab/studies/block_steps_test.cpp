// SPDX-License-Identifier: Apache-2.0
#include "lab/studies/block_steps.hpp"

#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "lab/describe/experiment.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

Setup plan_of(const std::string& line, const std::string& algorithms = "all") {
  return set_up(Experiment::parse(line), algorithms);
}

BlockSteps steps_of(const std::string& line) {
  const Setup setup = set_up(Experiment::parse(line));
  return block_steps(setup, setup.algorithms.chosen.front());
}

/// What each rank holds of each block at the end.
std::vector<std::vector<int>> held_at_the_end(const BlockSteps& steps) {
  std::vector<std::vector<int>> held(static_cast<std::size_t>(steps.ranks),
                                     std::vector<int>(static_cast<std::size_t>(steps.blocks)));
  const auto apply = [&](const std::vector<BlockSteps::Gain>& gains) {
    for (const BlockSteps::Gain& gain : gains) {
      int& terms = held[static_cast<std::size_t>(gain.rank)][static_cast<std::size_t>(gain.block)];
      CHECK(gain.terms > terms);
      CHECK(gain.terms <= steps.whole);
      terms = gain.terms;
    }
  };
  apply(steps.before);
  for (const BlockSteps::Step& step : steps.steps) apply(step.gains);
  return held;
}

}  // namespace

TEST_CASE("steps of a ring: a contribution more in each step, then whole blocks") {
  const BlockSteps steps = steps_of("allreduce --algo ring --topo ring:4 --size 1KiB");
  CHECK(steps.blocks == 4);
  CHECK(steps.whole == 4);
  REQUIRE(steps.steps.size() == 6);
  CHECK(steps.before.size() == 16);  // each rank's own contribution to each block
  for (const BlockSteps::Step& step : steps.steps) {
    REQUIRE(step.moves.size() == 4);
    for (const BlockSteps::Move& move : step.moves) {
      CHECK(move.dest == (move.source + 1) % 4);
      CHECK(move.blocks.size() == 1);
    }
    CHECK(step.gains.size() == 4);
  }
  for (std::size_t s = 0; s < 6; ++s)
    for (const BlockSteps::Gain& gain : steps.steps[s].gains) CHECK(gain.terms == (s < 3 ? static_cast<int>(s) + 2 : 4));
}

TEST_CASE("steps of an alltoall: each rank ends up with a block from each") {
  const BlockSteps steps = steps_of("alltoall --algo bruck --topo ring:5 --size 1KiB");
  CHECK(steps.by_source);
  CHECK(steps.blocks == 5);
  CHECK(steps.before.size() == 5);  // what a rank sends to itself
  CHECK(steps.steps.size() == 3);
}

TEST_CASE("steps of a skewed alltoall: a hot rank gets more blocks than it sends") {
  const BlockSteps steps =
      steps_of("alltoall --algo pairwise --topo ring:4 --size 8KiB --skew hotspot=1,factor=5 --out-of-place");
  CHECK(steps.needed[0].count > steps.needed[1].count);
  CHECK(steps.blocks == steps.needed[0].count);
}

TEST_CASE("steps of every row end with all that its ranks need") {
  for (const char* collective :
       {"broadcast", "reduce", "allreduce", "reduce_scatter", "allgather", "gather", "scatter", "alltoall"}) {
    for (const char* topology : {"torus:3x3", "ring:8"}) {
      const Setup setup = plan_of(std::string(collective) + " --topo " + topology + " --size 64KiB");
      for (const Algorithm& algorithm : setup.algorithms.chosen) {
        CAPTURE(collective, topology, algorithm.name);
        const BlockSteps steps = block_steps(setup, algorithm);
        const std::vector<std::vector<int>> held = held_at_the_end(steps);
        int missing = 0;
        for (std::size_t rank = 0; rank < held.size(); ++rank) {
          const BlockSteps::Needed& needed = steps.needed[rank];
          for (int b = needed.first; b < needed.first + needed.count; ++b)
            missing += held[rank][static_cast<std::size_t>(b)] < steps.whole ? 1 : 0;
        }
        CHECK(missing == 0);
      }
    }
  }
}

TEST_CASE("steps: what is not followed says why") {
  const auto why = [](const std::string& line) {
    try {
      steps_of(line);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  CHECK(why("barrier --algo dissemination --topo ring:4") == "a barrier moves no data");
  CHECK(why("allreduce --algo ring --topo ring:300 --size 1MiB") == "300 ranks; at most 256 are followed");
  CHECK(why("allreduce --algo ring --topo torus:4x4 --size 1KiB --groups rows") ==
        "several groups call at once; run one of them alone");
}

}  // namespace heddle
