#include <catch2/catch.hpp>

#include "fuzz/plugin.hpp"
#include "fuzz/run_case.hpp"

TEST_CASE("broadcast my_chain: wrong_result") {
  std::vector<heddle::Algorithm> rows;
  heddle_register(rows);
  const heddle::FuzzCase what = heddle::parse_fuzz_case(
      "broadcast --algo my_chain --topo star:2 --size 4");
  CHECK_NOTHROW(heddle::run_fuzz_case(what, rows));
}
