// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/run_case.hpp"

#include "core/affine.hpp"
#include "fuzz/cases/case_data.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

std::string refusal_of(std::string_view text) {
  try {
    run_case(Experiment::parse(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a case has elements of its type, in blocks or as one size") {
  Experiment what{{.fabric = {.topology = "star:3"}}, {.algorithm = "ring"}, {}};
  CHECK(count_of(what) == 0);
  set_count(what, 7);
  CHECK(count_of(what) == 7);
  CHECK(what.text() == "allreduce --algo ring --topo star:3 --size 28");
  set_blocks(what, {1, 0, 2});
  CHECK(count_of(what) == 3);
  CHECK(blocks_of(what) == BlockSizes{1, 0, 2});
  CHECK(what.text() == "allreduce --algo ring --topo star:3 --blocks 1,0,2");
  what.op = &affine_op();
  set_count(what, 2);
  CHECK(what.text() == "allreduce --algo ring --topo star:3 --size 32 --op affine");
  CHECK(type_of(what) == affine_type());
}

TEST_CASE("a barrier has no elements") {
  Experiment what{{.fabric = {.topology = "ring:5"}}, {.collective = Collective::barrier, .algorithm = "dissemination"}, {}};
  set_count(what, 0);
  CHECK(what.text() == "barrier --algo dissemination --topo ring:5");
  CHECK_FALSE(failure_of(what));
}

TEST_CASE("a case that cannot be run is refused with the reason") {
  CHECK(refusal_of("allreduce --algo ring --topo ring:3 --size 28").empty());
  CHECK(refusal_of("allreduce --algo rign --topo ring:3 --size 28")
            .starts_with("--algo: unknown allreduce algorithm 'rign': did you mean 'ring'?"));
  CHECK(refusal_of("allreduce --algo hamiltonian_rings --topo star:4 --size 28") ==
        "allreduce algorithm 'hamiltonian_rings' cannot serve the case: it needs a grid");
  CHECK(refusal_of("allreduce --algo ring --topo ring:6 --groups 3+strided:2 --size 28").empty());
  CHECK(refusal_of("allreduce --algo ring --topo ring:6 --groups 4 --size 28") == "--groups: 6 ranks are no multiple of 4");
  CHECK(refusal_of("broadcast --algo binomial_halving --topo ring:3 --size 28 --root 3") ==
        "--root '3': not a whole number from 0 to 2");
}

TEST_CASE("groups of different sizes are a case as well") {
  const CaseEnd end = end_of(Experiment::parse("allreduce --algo ring --topo ring:6 --groups 2+strided:2 --size 28"));
  CHECK_FALSE(end.failure);
  CHECK(end.ranks == 2);
}

}  // namespace heddle
