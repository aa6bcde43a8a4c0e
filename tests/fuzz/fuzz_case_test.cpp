// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_case.hpp"

#include "core/affine.hpp"
#include "core/errors.hpp"
#include "fuzz/run_case.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

std::string complaint_of(std::string_view text) {
  try {
    parse_fuzz_case(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a case's text leaves out what heddle run does anyway") {
  CHECK(FuzzCase{.algorithm = "ring", .topology = "star:3", .count = 7}.text() ==
        "allreduce --algo ring --topo star:3 --size 28");
  CHECK(FuzzCase{.collective = Collective::barrier, .algorithm = "dissemination", .topology = "ring:5"}.text() ==
        "barrier --algo dissemination --topo ring:5");
  CHECK(FuzzCase{.collective = Collective::alltoall, .algorithm = "linear", .count = 4, .in_place = false}.text() ==
        "alltoall --algo linear --topo star:2 --size 16");
}

TEST_CASE("a case's text says everything else") {
  const std::string text =
      "reduce_scatter --algo pat:aggregation=2 --topo clos:hosts=2,leaves=3,spines=2 --ranks 5 --placement random:7 --blocks "
      "1,0,2,3,4 --op affine --out-of-place --seed 9 --bw 1GB/s --latency 2us --hop 50ns --alpha 1us --buffering 8 "
      "--order-seed 3 --threads kernel";
  FuzzCase what = parse_fuzz_case(text);
  what.threads = Threads::kernel;  // said only where it is not the default
  CHECK(what.collective == Collective::reduce_scatter);
  CHECK(what.algorithm == "pat:aggregation=2");
  CHECK(what.ranks == 5);
  CHECK(what.count == 10);
  CHECK(what.op == &affine_op());
  CHECK(what.type == affine_type());
  CHECK_FALSE(what.in_place);
  CHECK(what.buffering.credits == 8);
  CHECK(what.order_seed == 3U);
  const std::string without_threads = text.substr(0, text.find(" --threads"));
  CHECK(what.text() == (default_threads() == Threads::kernel ? without_threads : text));
}

TEST_CASE("what is no case is refused with the word that makes it none") {
  CHECK(complaint_of("  ") == "an empty case; try 'allreduce --algo ring --topo star:3 --size 28'");
  CHECK(complaint_of("allreduse --algo ring") ==
        "unknown collective 'allreduse': did you mean 'allreduce'? Known: broadcast, reduce, "
        "allreduce, reduce_scatter, allgather, gather, scatter, alltoall, barrier");
  CHECK(complaint_of("allreduce --topo star:3") == "a case needs --algo NAME");
  CHECK(complaint_of("allreduce --algo ring 3") == "'3' is one word too many in the case");
  CHECK(complaint_of("allreduce --algo ring --size") == "--size: its value is missing");
  CHECK(complaint_of("allreduce --algo ring --root -1") == "--root '-1': a whole number from 0 to 2147483647 is expected");
  CHECK(complaint_of("allreduce --algo ring --blocks 1,,2") == "--blocks '': a whole number from 0 to 2147483647 is expected");
  CHECK(complaint_of("allreduce --algo ring --threads none") == "--threads 'none': not a kind of threads; user or kernel");
  CHECK(
      complaint_of("allreduce --algo ring --roots 1").starts_with("unknown flag of a case '--roots': did you mean '--root'?"));
}

TEST_CASE("a case that cannot be run is refused with the reason") {
  const std::vector<Algorithm> rows = registry_copy();
  const auto refusal_of = [&rows](std::string_view text) -> std::string {
    try {
      run_fuzz_case(parse_fuzz_case(text), rows);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refusal_of("allreduce --algo ring --topo ring:3 --size 28").empty());
  CHECK(refusal_of("allreduce --algo rign --topo ring:3 --size 28")
            .starts_with("unknown allreduce algorithm 'rign': did you mean 'ring'?"));
  CHECK(refusal_of("allreduce --algo hamiltonian_rings --topo star:4 --size 28") ==
        "allreduce algorithm 'hamiltonian_rings' cannot serve the case: it needs a grid");
  CHECK(refusal_of("allreduce --algo ring --topo ring:6 --groups 3+strided:2 --size 28").empty());
  CHECK(refusal_of("allreduce --algo ring --topo ring:6 --groups 4 --size 28") ==
        "--groups '4': a number that divides 6 ranks is expected");
  CHECK(refusal_of("allreduce --algo ring --topo ring:6 --groups 2+strided:2 --size 28") ==
        "groups of 2 and of 3 ranks: a case has groups of one size");
  CHECK(refusal_of("broadcast --algo binomial_halving --topo ring:3 --size 28 --root 3") == "root 3: ranks are 0 to 2");
}

}  // namespace heddle
