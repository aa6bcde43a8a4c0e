#include <catch2/catch.hpp>

#include "fuzz/run_case.hpp"

TEST_CASE("allreduce ring: wrong_result") {
  const std::vector<heddle::Algorithm> rows = heddle::registry_copy();
  const heddle::FuzzCase what = heddle::parse_fuzz_case(
      "allreduce --algo ring --topo star:3 --size 28");
  CHECK_NOTHROW(heddle::run_fuzz_case(what, rows));
}
