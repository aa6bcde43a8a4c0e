// SPDX-License-Identifier: Apache-2.0
// heddle run --transport, as far as one process sees it; tests/net has the processes.
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

TEST_CASE("a network that is not there is refused in one line") {
  const auto refusal = [](const std::string& arguments) {
    const auto result = test::run_heddle("run allreduce --size 1KiB " + arguments);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    return result.err;
  };
  CHECK(refusal("--transport token_ring") ==
        "heddle: --transport 'token_ring': no network that heddle knows; try mpi or tcp\n");
  CHECK(refusal("--transport mpi").find("start it with an MPI's launcher, as in mpirun -n 4 heddle") != std::string::npos);
  CHECK(refusal("--transport tcp").find("HEDDLE_RANK") != std::string::npos);
  CHECK(refusal("--topo ring:4 --reference ring:4") ==
        "heddle: --reference: nothing is compared with it; it goes with --transport\n");
}

}  // namespace heddle
