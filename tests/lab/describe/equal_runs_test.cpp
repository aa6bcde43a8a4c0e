// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/equal_runs.hpp"

#include <memory>
#include <string>
#include <vector>

#include "heddle/communicator.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/run/run_algorithm.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

/// Rank 0 sends the vector to both others, in pieces, in this order.
Algorithm fan(std::string name, std::vector<int> order, int pieces = 1) {
  Algorithm algorithm;
  algorithm.collective = Collective::broadcast;
  algorithm.name = std::move(name);
  algorithm.run = [order, pieces](Communicator& comm, const CollectiveArguments& args) {
    const std::int64_t each = args.output.count() / pieces;
    std::vector<Request> requests;
    for (int piece = 0; piece < pieces; ++piece) {
      const VectorView part = args.output.slice(piece * each, each);
      if (comm.rank() == args.root) {
        for (const int dest : order) requests.push_back(comm.isend(Rank((args.root.value() + dest) % comm.size()), part));
      } else {
        requests.push_back(comm.irecv(args.root, part));
      }
    }
    comm.wait_all(requests);
  };
  return algorithm;
}

Report report_of(const std::vector<Algorithm>& own, const std::string& name, const std::string& topology = "star:3",
                 Collective collective = Collective::broadcast) {
  Experiment what;
  what.fabric.topology = topology;
  what.collective = collective;
  what.size = Bytes(4096);
  what.algorithm = name;
  if (!own.empty()) what.own = std::make_shared<const std::vector<Algorithm>>(own);
  const Outcome outcome = what.run();
  REQUIRE(outcome.report() != nullptr);
  return *outcome.report();
}

}  // namespace

TEST_CASE("runs of the same messages are equivalent, in whatever order they are sent") {
  const std::vector<Algorithm> own = {fan("up", {1, 2}), fan("down", {2, 1}), fan("pieces", {1, 2}, 2)};
  EquivalentRuns equivalents;
  CHECK(equivalents.add("up", RunLikeness(report_of(own, "up"))).empty());
  CHECK(equivalents.add("down", RunLikeness(report_of(own, "down"))) == "up");
  CHECK(equivalents.add("pieces", RunLikeness(report_of(own, "pieces"))).empty());
}

TEST_CASE("ring and torus_ring do the same where the torus is a ring") {
  const Report ring = report_of({}, "ring", "ring:8", Collective::allreduce);
  const Report torus_ring = report_of({}, "torus_ring", "ring:8", Collective::allreduce);
  const Report doubling = report_of({}, "recursive_doubling", "ring:8", Collective::allreduce);
  CHECK(are_equivalent(RunLikeness(ring), RunLikeness(torus_ring)));
  CHECK_FALSE(are_equivalent(RunLikeness(ring), RunLikeness(doubling)));
  CHECK(report_of({}, "ring", "ring:8", Collective::allreduce).messages_digest == ring.messages_digest);
}

TEST_CASE("a digest knows who sends, to whom, how much and in which round") {
  const std::vector<Algorithm> own = {fan("to_one_first", {1, 2}), fan("to_one_twice", {1, 1, 2})};
  CHECK(report_of(own, "to_one_first").messages_digest !=
        report_of({}, "chain:segments=1").messages_digest);  // other senders and rounds
  CHECK(report_of({}, "chain:segments=1").messages_digest != report_of({}, "chain:segments=2").messages_digest);
}

TEST_CASE("runs in the network have a digest, too") {
  const std::string star = "star:4,alu,multicast";
  const Report sum = report_of({}, "in_network", star, Collective::allreduce);
  CHECK(sum.messages_digest != 0);
  CHECK(sum.messages_digest != report_of({}, "in_network", star, Collective::broadcast).messages_digest);
}

TEST_CASE("who sends nothing is equivalent to nobody, nor who takes another time") {
  CHECK_FALSE(are_equivalent(RunLikeness(0, 0, Time()), RunLikeness(0, 0, Time())));
  CHECK_FALSE(are_equivalent(RunLikeness(4, 7, Time::ps(1)), RunLikeness(4, 7, Time::ps(2))));
  CHECK_FALSE(are_equivalent(RunLikeness(4, 7, Time::ps(1)), RunLikeness(4, 8, Time::ps(1))));
  CHECK(are_equivalent(RunLikeness(4, 7, Time::ps(1)), RunLikeness(4, 7, Time::ps(1))));
}

}  // namespace heddle
