// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzzers/targets.hpp"

#include <array>

namespace heddle::fuzzers {

std::span<const NamedTarget> targets() {
  static constexpr std::array<NamedTarget, 24> kTargets = {{{"topology", topology},
                                                            {"units", units},
                                                            {"numbers", numbers},
                                                            {"placement", placement},
                                                            {"groups", groups},
                                                            {"algorithm", algorithm},
                                                            {"fabric_file", fabric_file},
                                                            {"nccl", nccl},
                                                            {"ibnetdiscover", ibnetdiscover},
                                                            {"slurm", slurm},
                                                            {"astra", astra},
                                                            {"simgrid", simgrid},
                                                            {"htsim", htsim},
                                                            {"preset_file", preset_file},
                                                            {"sweep_file", sweep_file},
                                                            {"measured_runs", measured_runs},
                                                            {"mpich_base", mpich_base},
                                                            {"openmpi_rules", openmpi_rules},
                                                            {"mpich_tuning", mpich_tuning},
                                                            {"nccl_tuner", nccl_tuner},
                                                            {"nccl_graph", nccl_graph},
                                                            {"msccl", msccl},
                                                            {"frames", frames},
                                                            {"command_line", command_line}}};
  return kTargets;
}

}  // namespace heddle::fuzzers
