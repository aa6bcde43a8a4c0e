// SPDX-License-Identifier: Apache-2.0
// What a row promises of its bits reaches the runs of an experiment.
#include <array>
#include <atomic>
#include <memory>

#include "lab/describe/experiment.hpp"
#include "lab/run/run_algorithm.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/folding_rows.hpp"

namespace heddle {

namespace {

Outcome outcome_of(const Algorithm& row, std::string_view flags) {
  Experiment what =
      Experiment::parse("allreduce --algo " + row.name + " --topo star:4 --size 80 --datatype f32 " + std::string(flags));
  what.own = std::make_shared<const std::vector<Algorithm>>(std::vector<Algorithm>{row});
  return what.run();
}

/// From rank 0 upwards in the first two calls, those under the virtual clock, and downwards in the next.
Algorithm folds_downwards_later_row() {
  Algorithm row = testing::folds_from_itself_row();
  row.name = "folds_downwards_later";
  row.run = [calls = std::make_shared<std::array<std::atomic<int>, 4>>()](Communicator& comm, const CollectiveArguments& args) {
    const int p = comm.size();
    const bool upwards = (*calls)[static_cast<std::size_t>(comm.rank().value())]++ < 2;
    Buffer all(args.output.type(), p * args.output.count());
    const auto of = [&](int r) { return all.view().slice(r * args.output.count(), args.output.count()); };
    find_algorithm(Collective::allgather, "ring")
        .run(comm, {.input = args.input, .output = all.view(), .blocks = BlockPartition(all.view().count(), p)});
    comm.copy(args.output, of(upwards ? 0 : p - 1));
    for (int r = 1; r < p; ++r) comm.reduce_into(args.output, of(upwards ? r : p - 1 - r), *args.op);
  };
  return row;
}

}  // namespace

TEST_CASE("a row of one's own promises the same bits unless it says otherwise") {
  Algorithm row = testing::folds_from_itself_row();
  const Outcome promised = outcome_of(row, "");
  REQUIRE(promised.failure() != nullptr);
  CHECK(promised.failure()->kind == CheckError::Kind::different_bits);
  row.same_bits = false;
  const Outcome not_promised = outcome_of(row, "");
  REQUIRE(not_promised.report() != nullptr);
  CHECK_THAT(not_promised.report()->different_bits.value_or(""), Catch::EndsWith(" of 20 elements after the first call"));
}

TEST_CASE("a run in an order of its own is held against the usual one") {
  Algorithm row = testing::folds_as_it_comes_row();
  CHECK(outcome_of(row, "").report() != nullptr);
  const Outcome promised = outcome_of(row, "--order jitter:3");
  REQUIRE(promised.failure() != nullptr);
  CHECK(promised.failure()->kind == CheckError::Kind::run_to_run);
  CHECK_THAT(promised.failure()->explanation, Catch::Contains(") with --order jitter:3"));
  row.same_bits_in_any_order = false;
  CHECK(outcome_of(row, "--order jitter:3").report() != nullptr);
}

TEST_CASE("a run under the wall clock is held against the virtual one") {
  Algorithm row = folds_downwards_later_row();
  const Outcome promised = outcome_of(row, "--clock wall --time-scale 100");
  REQUIRE(promised.failure() != nullptr);
  CHECK(promised.failure()->kind == CheckError::Kind::run_to_run);
  CHECK_THAT(promised.failure()->explanation,
             Catch::Contains("holds other bits under the wall clock than under the virtual one"));
  row = folds_downwards_later_row();
  row.same_bits_in_any_order = false;
  CHECK(outcome_of(row, "--clock wall --time-scale 100").report() != nullptr);
}

// A ring adds p - 1 times and rounds each time, a switch adds in 32 bits and rounds once as the sum leaves it: half a unit at most.
TEST_CASE("errors of sums: one rounding is off by half a unit at most, more roundings and fewer bits by more") {
  const auto errors = [](const std::string& call) {
    const Outcome outcome = Experiment::parse("allreduce --size 4KiB --errors " + call).run();
    REQUIRE(outcome.report() != nullptr);
    REQUIRE(outcome.report()->sum_errors);
    return *outcome.report()->sum_errors;
  };
  for (const char* type : {"f16", "bf16", "f8e4m3", "f8e5m2"}) {
    CAPTURE(type);
    const std::string of_type = std::string(" --datatype ") + type;
    const SumErrors ring = errors("--algo ring --topo star:16" + of_type);
    const SumErrors tree = errors("--algo recursive_doubling --topo star:16" + of_type);
    const SumErrors in_switch = errors("--algo in_network --topo star:16,alu,multicast" + of_type);
    CHECK(in_switch.worst <= 0.5);
    CHECK(in_switch.mean < tree.mean);
    CHECK(tree.mean < ring.mean);  // 4 roundings on each way, not 15
    CHECK(errors("--algo ring --topo star:16" + of_type) == ring);
  }
  CHECK(errors("--algo ring --topo star:2 --datatype f32").worst <= 0.5);
  CHECK_THROWS_WITH(Experiment::parse("allreduce --algo ring --topo star:4 --size 1KiB --errors").run(),
                    "--errors: sums of i32 are exact; try --datatype bf16");
  CHECK_THROWS_WITH(Experiment::parse("allgather --algo ring --topo star:4 --size 1KiB --errors").run(),
                    Catch::Matchers::StartsWith("--errors: only sums round so that it matters"));
}

}  // namespace heddle
