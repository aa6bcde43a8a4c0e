// SPDX-License-Identifier: Apache-2.0
// An experiment as a value: its line of text reads back as the same experiment, and running it is running that line.
#include "lab/describe/experiment.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "heddle/errors.hpp"
#include "lab/run/run_algorithm.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

TEST_CASE("an experiment's text reads back, flag for flag") {
  for (const std::string text : {
           "allreduce --algo ring --topo star:5 --size 28",
           "allreduce --algo hierarchical:inner=ring,outer=bucket --topo superpod:pods=2 --size 4096 --datatype bf16 --op max",
           "broadcast --algo chain:segments=8 --topo torus:2x3 --ranks 5 --placement random:7 --size 100 --root 3 "
           "--out-of-place",
           "alltoall --algo linear --topo ring:4 --size 64 --in-place",
           "alltoall --algo linear --topo ring:4 --size 64 --skew hotspot=1,factor=2",
           "gather --algo linear --topo ring:4 --blocks 3,1,0,4 --seed 9",
           "allreduce --algo ring --topo ring:4 --size 64 --op affine --data-memory full",
           "allreduce --algo ring --topo torus:4x4 --groups '8 along x' --isolated-groups all --size 64 --background "
           "'0->5@50%'",
           "allreduce --algo ring --topo ring:4 --size 64 --preset trivance --bw 50GB/s,25GB/s --latency 1us --switch-latency "
           "5ns "
           "--host-link 3ns --alpha 2us",
           "allreduce --algo ring --topo torus:4x2 --size 64 --bw x=50GB/s,y=25GB/s --latency x=1us,y=2us --eta-beta x=1,y=0.5",
           "allreduce --algo ring --topo ring:4 --size 64 --buffering 2 --model alpha-beta --order-seed 3 --explore 1 --stack "
           "65536",
           "allreduce --algo ring --topo ring:4 --size 64 --clock wall --time-scale 1000 --deadline 30s",
           "allreduce --algo ring --topo ring:4 --size 64 --gamma 1.2e-11s",
           "barrier --algo dissemination --topo ring:4 --order delays:r1.1+m0-1.1",
       }) {
    INFO(text);
    CHECK(Experiment::parse(text).text() == text);
  }
}

TEST_CASE("what an experiment's text leaves out is as heddle run has it") {
  CHECK(Experiment::parse("allreduce --topo ring:4 --size 1KiB --algo ring --in-place --seed 1 --datatype i32").text() ==
        "allreduce --algo ring --topo ring:4 --size 1024");
  CHECK(Experiment::parse("alltoall --out-of-place --root 2 --op max --algo linear --topo ring:4 --size 64").text() ==
        "alltoall --algo linear --topo ring:4 --size 64");
}

TEST_CASE("an experiment runs as its line does") {
  const std::string text = "allreduce --algo swing_bandwidth --topo torus:4x4 --size 65536 --preset trivance";
  const Outcome outcome = Experiment::parse(text).run();
  REQUIRE(outcome.report() != nullptr);
  const auto run = nlohmann::json::parse(test::run_heddle("run " + text + " --json -").out)["runs"][0];
  CHECK(outcome.report()->completion.seconds() == Approx(run["time_s"].get<double>()).epsilon(1e-12));
}

TEST_CASE("an experiment says why its algorithm does not fit") {
  CHECK(Experiment::parse("allreduce --algo bucket --topo star:4 --size 64").why_not() == "it needs a grid");
  CHECK(Experiment::parse("allreduce --algo ring --topo star:4 --size 64").why_not().empty());
  CHECK(Experiment::parse("allreduce --algo ring --topo torus:2x4 --size 64").shape().ranks == 8);
  CHECK_THROWS_AS(Experiment::parse("allreduce --algo bucket --topo star:4 --size 64").run(), InputError);
}

TEST_CASE("what is no experiment is refused") {
  for (const std::string text : {"", "allreduce ring", "allreduce --algo", "allreduce --size x", "allreduce --schedule-seed 3",
                                 "allreduce --groups '8 along x"}) {
    INFO(text);
    CHECK_THROWS_AS(Experiment::parse(text), InputError);
  }
  for (const std::string algorithm : {"all", "ring,rabenseifner"}) {
    INFO(algorithm);
    CHECK_THROWS_AS(Experiment::parse("allreduce --topo ring:4 --size 64 --algo " + algorithm).run(), InputError);
  }
}

}  // namespace heddle
