// SPDX-License-Identifier: Apache-2.0
#include "core/collective.hpp"

#include <array>

#include "core/errors.hpp"
#include "core/nearest_name.hpp"

namespace heddle {

namespace {

constexpr std::array kAll = {Collective::broadcast,      Collective::reduce,    Collective::allreduce,
                             Collective::reduce_scatter, Collective::allgather, Collective::gather,
                             Collective::scatter,        Collective::alltoall,  Collective::barrier};
constexpr std::array<std::string_view, kAll.size()> kNames = {
    "broadcast", "reduce", "allreduce", "reduce_scatter", "allgather", "gather", "scatter", "alltoall", "barrier"};

}  // namespace

std::span<const Collective> all_collectives() { return kAll; }

std::string to_string(Collective collective) { return std::string(kNames[static_cast<std::size_t>(collective)]); }

Collective parse_collective(std::string_view text) {
  for (const Collective collective : kAll) {
    if (text == kNames[static_cast<std::size_t>(collective)]) return collective;
  }
  throw InputError(unknown_name_message("collective", text, kNames));
}

bool has_root(Collective collective) {
  return collective == Collective::broadcast || collective == Collective::reduce || collective == Collective::gather ||
         collective == Collective::scatter;
}

bool reduces(Collective collective) {
  return collective == Collective::reduce || collective == Collective::allreduce || collective == Collective::reduce_scatter;
}

bool has_blocks(Collective collective) {
  return collective == Collective::reduce_scatter || collective == Collective::allgather || collective == Collective::gather ||
         collective == Collective::scatter || collective == Collective::alltoall;
}

double bus_bandwidth_factor(Collective collective, int ranks) {
  const double p = ranks;
  switch (collective) {
    case Collective::broadcast:
    case Collective::reduce:
      return 1;
    case Collective::allreduce:
      return 2 * (p - 1) / p;
    case Collective::barrier:
      return 0;
    default:
      return (p - 1) / p;
  }
}

}  // namespace heddle
