// SPDX-License-Identifier: Apache-2.0
// Calls with faults: each ends right, or with an error that names the fault, in bounded time.
#include "emu/settings/faults.hpp"
#include "fuzz/cases/drawing.hpp"
#include "fuzz/fuzz.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/fuzz/case_of.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using Catch::Contains;
using testing::sampled;

FuzzOutcome fuzz_with_faults(std::int64_t cases, int most_ranks) {
  return fuzz({.seed = 1, .cases = cases, .most_ranks = most_ranks, .fault_once_in = 1});
}

CaseEnd end_of_text(const std::string& text, const std::vector<Algorithm>& rows = {}) {
  return end_of(testing::case_of(text, rows));
}

bool is_named(CheckError::Kind kind, const std::string& text, std::string_view fault) {
  const auto topology = parse_topology("ring:4");
  Faults faults;
  add_fault(faults, fault, *topology, 4);
  return names_cause(CheckError(kind, text), faults, *topology);
}

}  // namespace

TEST_CASE("calls with faults end right or with an error that names the fault") {
  const auto kCases = sampled<std::int64_t>(testing::sample(300, 10'000), 150, 30);
  const FuzzOutcome outcome = fuzz_with_faults(kCases, sampled(64, 64, 9));
  INFO(outcome.text());
  CHECK(outcome.passed());
  CHECK(outcome.faults.cases() == kCases);
}

TEST_CASE("how a case with a fault ends") {
  CHECK(end_of_text("allreduce --algo ring --topo ring:5 --size 80 --fault 'rank:2,late=5us'").fault_end == FaultEnd::right);
  CHECK(end_of_text("allreduce --algo ring --topo ring:5 --size 80 --fault 'rank:2,stops,call=900'").fault_end ==
        FaultEnd::never_struck);
  const CaseEnd stopped = end_of_text("allreduce --algo ring --topo ring:5 --size 80 --fault 'rank:2,stops'");
  CHECK_FALSE(stopped.failure);
  CHECK(stopped.fault_end == FaultEnd::named);
  CHECK(stopped.fault_kind == "rank stops");
  CHECK(end_of_text("allreduce --algo ring --topo star:3 --size 80 --fault 'link:s0->1,down'").fault_end == FaultEnd::named);
  CHECK(end_of_text("allreduce --algo in_network --topo star:3,alu,multicast --size 80 --fault 'switch:s0,no-alu'").fault_end ==
        FaultEnd::refused);
}

TEST_CASE("a rank throws before what the others ask of the switches has taken effect") {
  for (const char* seed : {"0", "1", "2", "3"}) {
    INFO("order seed " << seed);
    CHECK(end_of_text("allreduce --algo in_network --topo star:3,alu,multicast --size 80 --fault 'rank:1,throws,call=1' "
                      "--order-seed " +
                      std::string(seed))
              .fault_end == FaultEnd::named);
  }
}

TEST_CASE("a row that is wrong is found beside a fault") {
  const Algorithm wrong{.collective = Collective::broadcast, .name = "lazy", .run = [](Communicator&, const auto&) {}};
  const CaseEnd end = end_of_text("broadcast --algo lazy --topo ring:3 --size 40 --fault 'rank:1,slow=2'", {wrong});
  REQUIRE(end.failure);
  CHECK(end.failure->kind == CheckError::Kind::wrong_result);
}

TEST_CASE("an error that does not name the fault is a failure") {
  using Kind = CheckError::Kind;
  const std::string stopped = "deadlock: …\n  cause: rank 2 stopped at 1us (call 1, isend(), fault rank:2,stops); rank 1 waits";
  CHECK(is_named(Kind::deadlock, stopped, "rank:2,stops"));
  CHECK_FALSE(is_named(Kind::deadlock, stopped, "rank:1,stops"));
  CHECK_FALSE(is_named(Kind::deadlock, "deadlock: …", "rank:2,stops"));
  CHECK_FALSE(is_named(Kind::wrong_result, stopped, "rank:2,stops"));
  CHECK_FALSE(is_named(Kind::deadlock, stopped + "\nbesides, wrong result", "rank:2,stops"));
  CHECK_FALSE(is_named(Kind::deadlock, stopped, "rank:2,late=1us"));
  const std::string cut = "no way is left since 0ps from rank 0 to rank 1: faults link:0->1,down cut rank 1 off from rank 0";
  CHECK(is_named(Kind::cut, cut, "link:0->1,down"));
  CHECK_FALSE(is_named(Kind::cut, cut, "link:0->3,down"));
  CHECK_FALSE(is_named(Kind::cut, cut, "link:0->1,slow=2"));
}

TEST_CASE("drawn faults are those that a run can have, of every kind") {
  const auto topology = parse_topology("clos:hosts=2,leaves=3,spines=2,alu,multicast");
  std::set<std::string> kinds;
  for (std::uint64_t i = 0; i < 500; ++i) {
    RandomSource random(1, i);
    kinds.insert(kind_of_faults(parse_faults(draw_faults(random, *topology, 6), *topology, 6)));
  }
  CHECK(kinds == std::set<std::string>{"link down", "link slow", "message damaged", "message lost", "rank late", "rank slow",
                                       "rank stops", "rank throws", "switch without ALU", "two faults", "unreliable fabric"});
}

}  // namespace heddle
