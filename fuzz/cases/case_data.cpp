// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/case_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "topo/placement/placement.hpp"

namespace heddle {

int ranks_of(const Experiment& what) {
  return what.ranks ? *what.ranks : ranks_of_placement(what.placement).value_or(topology_of(what.fabric)->endpoints());
}

std::int64_t count_of(const Experiment& what) {
  const BlockSizes blocks = blocks_of(what);
  if (!blocks.empty()) return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0});
  if (are_written_counts(what.counts)) return parse_written_counts(what.counts).most_sent();
  return what.size ? what.size->count() / static_cast<std::int64_t>(type_of(what).size()) : 0;
}

void set_count(Experiment& what, std::int64_t count) {
  what.blocks = "even";
  what.counts.clear();
  if (what.collective != Collective::barrier)  // which has no elements
    what.size = Bytes(count * static_cast<std::int64_t>(type_of(what).size()));
}

Experiment in_small(const Experiment& what) {
  Experiment small = what;
  const std::string counts = are_drawn_counts(what.counts) ? what.counts : "";
  set_count(small, 0);
  small.counts = counts;
  return small;
}

void set_type(Experiment& what, std::optional<Datatype> type) {
  const std::int64_t count = count_of(what);
  what.type = type;
  if (what.size) what.size = Bytes(count * static_cast<std::int64_t>(type_of(what).size()));
}

BlockSizes blocks_of(const Experiment& what) {
  return is_list_of_blocks(what.blocks) ? parse_block_list(what.blocks) : BlockSizes();
}

void set_blocks(Experiment& what, const BlockSizes& blocks) {
  what.blocks = fmt::format("{}", fmt::join(blocks, ","));
  what.counts.clear();
  what.size.reset();
}

CountMatrix counts_of(const Experiment& what, int ranks) {
  return what.counts.empty() ? CountMatrix() : parse_counts(what.counts, count_of(what), ranks);
}

void set_counts(Experiment& what, const CountMatrix& counts) {
  what.blocks = "even";
  what.counts = to_string(counts);
  what.size.reset();
}

bool has_given_sizes(const Experiment& what) { return !what.counts.empty() || is_list_of_blocks(what.blocks); }

}  // namespace heddle
