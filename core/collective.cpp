// SPDX-License-Identifier: Apache-2.0
#include "heddle/collective.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"

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

void BlockPartition::refuse_blocks(std::int64_t first, std::int64_t n) const {
  const std::string which =
      n == 1 ? "block " + std::to_string(first) : std::to_string(n) + " blocks from block " + std::to_string(first) + " on";
  throw UsageError(which + " of a vector in " + std::to_string(blocks_) + ": blocks are 0 to " + std::to_string(blocks_ - 1));
}

void BlockPartition::refuse(std::int64_t count, std::int64_t blocks) {
  throw UsageError(std::to_string(count) + " elements in " + std::to_string(blocks) +
                   " blocks: a partition needs at least one block, and no fewer than 0 elements");
}

BlockPartition BlockPartition::of_sizes(std::span<const std::int64_t> sizes) {
  if (sizes.empty()) throw UsageError("a partition needs at least one block");
  std::vector<std::int64_t> offsets{0};
  offsets.reserve(sizes.size() + 1);
  std::int64_t longest = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0) throw UsageError("a block of " + std::to_string(size) + " elements: it must not be negative");
    offsets.push_back(offsets.back() + size);
    longest = std::max(longest, size);
  }
  BlockPartition partition(offsets.back(), static_cast<std::int64_t>(sizes.size()));
  partition.given_ = std::make_shared<const Given>(Given{std::move(offsets), longest});
  return partition;
}

}  // namespace heddle
