// SPDX-License-Identifier: Apache-2.0
// What reads text that people and files bring. Each target takes any bytes and may throw nothing: what heddle refuses it
// refuses by InputError, in one line, which the target takes. Whatever else comes of the bytes (another exception, a
// sanitizer's report, a hang, much memory) is a fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace heddle::fuzzers {

using Target = void (*)(std::string_view text);

struct NamedTarget {
  std::string_view name;  ///< its seeds are in corpus/NAME.txt
  Target target;
};

// Of topo and core (topo_targets.cpp).
void topology(std::string_view text);
void units(std::string_view text);
void placement(std::string_view text);
void fabric_file(std::string_view text);
void nccl(std::string_view text);
void ibnetdiscover(std::string_view text);
void slurm(std::string_view text);
void astra(std::string_view text);
void simgrid(std::string_view text);
void htsim(std::string_view text);
void preset_file(std::string_view text);

// Of schedules (schedule_targets.cpp).
void msccl(std::string_view text);

// Of net (net_targets.cpp): the bytes themselves, or, behind "hex:", in hex digits.
void frames(std::string_view text);

// Of the command: specs (spec_targets.cpp), files and the command line (file_targets.cpp).
void numbers(std::string_view text);
void groups(std::string_view text);
void algorithm(std::string_view text);
void sweep_file(std::string_view text);
void measured_runs(std::string_view text);
void mpich_base(std::string_view text);
void openmpi_rules(std::string_view text);
void mpich_tuning(std::string_view text);
void nccl_tuner(std::string_view text);
void nccl_graph(std::string_view text);
void command_line(std::string_view text);

/// All of them.
std::span<const NamedTarget> targets();

}  // namespace heddle::fuzzers
