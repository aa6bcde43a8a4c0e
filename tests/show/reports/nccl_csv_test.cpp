// SPDX-License-Identifier: Apache-2.0
#include "show/reports/decision_files.hpp"

#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/lab/results/sweep_of.hpp"

namespace heddle::decisions {

using test::sweep_of;

TEST_CASE("the tuner's CSV, whole") {
  const std::vector<NamedSweep> sweeps = {sweep_of("allreduce", {{8, 1024, "double_binary_tree:segments=4", 5},
                                                                 {8, 65536, "ring", 7},
                                                                 {8, 1 << 20, "swing_bandwidth", 6},
                                                                 {8, 1 << 24, "in_network", 6}}),
                                          sweep_of("reduce_scatter", {{4, 1024, "pat", 5}})};
  CHECK(nccl_csv(decide(nccl_target(), sweeps)) ==
        "# For NCCL's example tuner, from measurements of heddle 0.1.0 on emulated fabrics.\n"
        "# NCCL_TUNER_PLUGIN=libnccl-tuner-example.so NCCL_TUNER_CONFIG_FILE=FILE\n"
        "# collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks\n"
        "# the speeds of star:8 are assumed, not fitted to measured runs (heddle fit) (links 50GB/s)\n"
        "# what is less than 5 % ahead of the next best is left to NCCL (--margin)\n"
        "# allreduce, 8 ranks: star:8, 8 ranks\n"
        "# 1MiB: swing_bandwidth is the fastest (6us), but NCCL has no Swing\n"
        "# from 0B: double_binary_tree:segments=4 (5us)\n"
        "allreduce,0,65535,tree,simple,-1,-1,8\n"
        "# from 64KiB: ring (7us)\n"
        "allreduce,65536,1048575,ring,simple,-1,-1,8\n"
        "# from 1MiB: NCCL decides by itself\n"
        "# from 16MiB: in_network (6us)\n"
        "allreduce,16777216,18446744073709551615,nvls,simple,-1,-1,8\n"
        "# reducescatter, 4 ranks: star:8, 4 ranks\n"
        "# from 0B: pat (5us)\n"
        "reducescatter,0,18446744073709551615,pat,simple,-1,-1,4\n");
}

TEST_CASE("no line is longer than the tuner reads, and a fabric's name ends no comment") {
  auto sweep = sweep_of("allreduce", {{8, 1024, "ring", 5}});
  const std::string name = "file:" + std::string(600, 'x') + "\nallreduce,0,1,pat,ll,1,1,8";
  sweep.document.runs[0].fabric = name;
  sweep.document.context["fabrics"][0]["fabric"] = name;
  int rules = 0;
  for (const std::string& line : test::lines_of(nccl_csv(decide(nccl_target(), {sweep})))) {
    CHECK(line.size() < 255);
    if (!line.starts_with('#')) ++rules;
  }
  CHECK(rules == 1);
}

}  // namespace heddle::decisions
