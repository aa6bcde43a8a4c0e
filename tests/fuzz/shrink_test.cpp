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
  return shrink(what, *failure, failure_of, most_attempts);
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
  const std::string text = "allreduce --algo forgetful --topo ring:25 --size 1600 --seed 4";
  const Shrunk shrunk = shrink_text(text, testing::forgetful_row(), 3);
  CHECK(shrunk.attempts == 3);
  CHECK(failure_of(shrunk.smallest).has_value());
  CHECK(shrink_text(text, testing::forgetful_row(), 0).smallest.text() == text);
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
