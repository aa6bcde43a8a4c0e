// SPDX-License-Identifier: Apache-2.0
#include "fuzz/shrink.hpp"

#include <optional>
#include <stdexcept>

#include "core/affine.hpp"
#include "fuzz/cases/case_data.hpp"
#include "fuzz/cases/run_case.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/case_of.hpp"
#include "tests/fuzz/faulty_rows.hpp"

namespace heddle {

namespace {

Shrunk shrink_text(std::string_view text, const Algorithm& row, int most_attempts = 1000) {
  const Experiment what = testing::case_of(text, {row});
  const std::optional<Failure> failure = failure_of(what);
  REQUIRE(failure.has_value());
  return shrink(what, *failure, [](const Experiment& simpler) { return end_of(simpler); }, {.runs = most_attempts});
}

}  // namespace

TEST_CASE("a failure shrinks to the least ranks, elements and circumstances that show it") {
  const Shrunk shrunk = shrink_text(
      "allreduce --algo forgetful --topo clos:hosts=5,leaves=5,spines=2 --placement random:3 --size 1600 --datatype f64 --op "
      "max "
      "--out-of-place --seed 77 --bw 1GB/s --alpha 1us --buffering sync --order-seed 5",
      testing::forgetful_row());
  CHECK(shrunk.smallest.text() == "allreduce --algo forgetful --topo star:5 --size 4");
  CHECK(shrunk.failure.kind == CheckError::Kind::wrong_result);
  CHECK(shrunk.attempts < 400);
}

TEST_CASE("what shows the failure stays") {
  const Shrunk order =
      shrink_text("allreduce --algo out_of_order --topo ring:9 --size 160 --op affine --seed 8", testing::out_of_order_row());
  CHECK(order.smallest.text() == "allreduce --algo out_of_order --topo star:2 --size 16 --op affine");
  CHECK(order.failure.kind == CheckError::Kind::order);
  const Shrunk grid = shrink_text("allreduce --algo wide_grid --topo torus:4x6 --size 96", testing::wide_grid_row());
  CHECK(grid.smallest.text() == "allreduce --algo wide_grid --topo torus:2x2 --size 4");
}

TEST_CASE("shrinking ends after so many attempts, with the smallest until then") {
  const std::string text = "allreduce --algo forgetful --topo ring:9 --size 576 --seed 4";
  const Shrunk shrunk = shrink_text(text, testing::forgetful_row(), 3);
  CHECK(shrunk.attempts == 3);
  CHECK(failure_of(shrunk.smallest).has_value());
  CHECK(shrink_text(text, testing::forgetful_row(), 0).smallest.text() == text);
}

TEST_CASE("a failure shrinks to one of its own kind, and a graver one that is met is not lost") {
  Algorithm row = testing::forgetful_row();
  row.name = "waits_or_forgets";
  row.run = [run = row.run](Communicator& comm, const CollectiveArguments& args) {
    Buffer none(args.output.type(), 0);
    if (comm.size() == 3) comm.recv(testing::round_the_ranks(comm, 1), none.view(), Tag(9));
    run(comm, args);
  };
  const Shrunk wrong = shrink_text("allreduce --algo waits_or_forgets --topo ring:9 --size 72", row);
  CHECK(wrong.failure.kind == CheckError::Kind::wrong_result);
  CHECK(wrong.smallest.text() == "allreduce --algo waits_or_forgets --topo star:5 --size 4");
  CHECK(wrong.ended == Shrunk::Ended::no_simpler);
  REQUIRE(wrong.graver);
  CHECK(wrong.graver->failure.kind == CheckError::Kind::deadlock);
  CHECK(wrong.graver->what.fabric.topology == "star:3");
  // What is less grave is left alone.
  row.run = [](Communicator& comm, const CollectiveArguments& args) {
    Buffer none(args.output.type(), 0);
    if (comm.size() > 5) comm.recv(testing::round_the_ranks(comm, 1), none.view(), Tag(9));
    testing::forgetful_row().run(comm, args);
  };
  const Shrunk deadlock = shrink_text("allreduce --algo waits_or_forgets --topo ring:9 --size 72", row);
  CHECK(deadlock.failure.kind == CheckError::Kind::deadlock);
  CHECK(deadlock.smallest.fabric.topology == "star:6");
  CHECK_FALSE(deadlock.graver);
}

TEST_CASE("shrinking ends when it has done its work, counted alike on any machine") {
  const Experiment what =
      testing::case_of("allreduce --algo forgetful --topo ring:25 --size 1600 --seed 4", {testing::forgetful_row()});
  const auto run = [](const Experiment& simpler) { return end_of(simpler); };
  const Shrunk first = shrink(what, *failure_of(what), run, {.work = 30'000});
  CHECK(first.ended == Shrunk::Ended::work);
  CHECK(first.attempts > 1);
  const Shrunk again = shrink(what, *failure_of(what), run, {.work = 30'000});
  CHECK(again.smallest.text() == first.smallest.text());
  CHECK(again.attempts == first.attempts);
}

TEST_CASE("what ends or stops a run is graver than a wrong result, and that than what is right within roundings") {
  using enum CheckError::Kind;
  CHECK(gravity(ended) > gravity(deadlock));
  CHECK(gravity(deadlock) > gravity(wrong_result));
  CHECK(gravity(wrong_result) > gravity(different_bits));
}

TEST_CASE("given sizes of blocks shrink as well") {
  Algorithm row{.collective = Collective::allgather,
                .name = "keeps_fives",
                .run = [](Communicator& comm, const CollectiveArguments& args) {
                  if (comm.size() == 1 || comm.rank().value() != 0 || args.blocks.block(args.output, 1).count() != 5) {
                    const Algorithm ring = find_algorithm(Collective::allgather, "ring");
                    ring.run(comm, args);
                    return;
                  }
                  throw std::runtime_error("five elements in block 1");
                }};
  const Shrunk shrunk = shrink_text("allgather --algo keeps_fives --topo star:4 --blocks 9,5,0,7", row);
  CHECK(shrunk.failure.kind == CheckError::Kind::rank_failed);
  CHECK(shrunk.smallest.fabric.topology == "star:2");
  CHECK(count_of(shrunk.smallest) <= 14);
}

}  // namespace heddle
