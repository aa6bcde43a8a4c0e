// SPDX-License-Identifier: Apache-2.0
#include "tests/algorithms/witness.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "tests/algorithms/thread_communicator.hpp"

namespace heddle::testing {

namespace {

using Bytes = std::vector<std::byte>;

std::uint64_t mix(std::uint64_t n) {
  n = (n ^ (n >> 31)) * 0x9e3779b97f4a7c15;
  return (n ^ (n >> 29)) * 0xbf58476d1ce4e5b9;
}

/// Any bytes are affine maps; of integers all bits differ between ranks, places and calls.
Bytes contribution(int rank, int call, std::size_t bytes) {
  Bytes data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    data[i] = static_cast<std::byte>(
        mix(i + 1'000'003 * static_cast<std::size_t>(rank) + 99'991 * static_cast<std::size_t>(call)) >> 56);
  }
  return data;
}

/// What one rank's vectors must be before and after a call, straight from the table of core/collective.hpp.
class Expectation {
 public:
  Expectation(Collective collective, const WitnessCase& what, int call)
      : collective_(collective),
        what_(what),
        call_(call),
        root_((what.root + call) % what.layout.ranks),
        blocks_(what.sizes.empty() ? BlockPartition(what.count, what.layout.ranks) : BlockPartition::of_sizes(what.sizes)) {}

  int root() const { return root_; }
  BlockPartition blocks(int rank) const { return collective_ == Collective::alltoall ? alltoall_blocks(rank) : blocks_; }

  Bytes input(int rank) const {
    const bool at_root = rank == root_;
    switch (collective_) {
      case Collective::broadcast:
      case Collective::scatter:
        return at_root ? whole(rank) : Bytes();
      case Collective::allgather:
      case Collective::gather:
        return block_of(whole(rank), blocks_, rank);
      case Collective::barrier:
        return {};
      default:
        return whole(rank);
    }
  }

  Bytes output(int rank) const {
    switch (collective_) {
      case Collective::broadcast:
        return whole(root_);
      case Collective::reduce:
        return rank == root_ ? folded() : Bytes();
      case Collective::allreduce:
        return folded();
      case Collective::reduce_scatter:
        return block_of(folded(), blocks_, rank);
      case Collective::allgather:
        return gathered();
      case Collective::gather:
        return rank == root_ ? gathered() : Bytes();
      case Collective::scatter:
        return block_of(whole(root_), blocks_, rank);
      case Collective::alltoall:
        return exchanged(rank);
      case Collective::barrier:
        return {};
    }
    return {};
  }

 private:
  Bytes whole(int rank) const {
    const std::int64_t count = collective_ == Collective::alltoall ? alltoall_blocks(rank).count() : blocks_.count();
    return contribution(rank, call_, static_cast<std::size_t>(count) * what_.type.size());
  }

  Bytes block_of(const Bytes& vector, const BlockPartition& blocks, int block) const {
    const auto size = static_cast<std::ptrdiff_t>(what_.type.size());
    return {vector.begin() + blocks.offset(block) * size, vector.begin() + blocks.offset(block + 1) * size};
  }

  Bytes folded() const {
    Bytes sum = whole(0);
    for (int rank = 1; rank < what_.layout.ranks; ++rank) {
      const Bytes next = whole(rank);
      what_.op->apply({sum.data(), what_.count, what_.type}, {next.data(), what_.count, what_.type});
    }
    return sum;
  }

  Bytes gathered() const {
    Bytes all;
    for (int rank = 0; rank < what_.layout.ranks; ++rank) append(all, block_of(whole(rank), blocks_, rank));
    return all;
  }

  Bytes exchanged(int rank) const {
    Bytes all;
    for (int source = 0; source < what_.layout.ranks; ++source)
      append(all, block_of(whole(source), alltoall_blocks(source), rank));
    return all;
  }

  BlockPartition alltoall_blocks(int rank) const {
    const int p = what_.layout.ranks;
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(p), what_.count / p);
    for (int other = 0; other < p && !what_.sizes.empty(); ++other)
      sizes[static_cast<std::size_t>(other)] = what_.sizes[static_cast<std::size_t>((rank + other) % p)];
    return BlockPartition::of_sizes(sizes);
  }

  static void append(Bytes& all, const Bytes& more) { all.insert(all.end(), more.begin(), more.end()); }

  Collective collective_;
  const WitnessCase& what_;
  int call_;
  int root_;
  BlockPartition blocks_;
};

/// One rank's call; "" or what is wrong.
std::string call_once(Communicator& comm, const Algorithm& algorithm, const WitnessCase& what, int call) {
  const Expectation expected(algorithm.collective, what, call);
  const int rank = comm.rank().value();
  const std::size_t size = what.type.size();
  const auto view = [&](Bytes& bytes) {
    return VectorView(bytes.data(), static_cast<std::int64_t>(bytes.size() / size), what.type);
  };
  const Bytes original = expected.input(rank);
  const Bytes result = expected.output(rank);
  Bytes input = original;
  Bytes output(result.size(), std::byte{0xA5});

  CollectiveArguments arguments{.input = view(input),
                                .output = view(output),
                                .op = what.op,
                                .root = Rank(expected.root()),
                                .blocks = expected.blocks(rank),
                                .received = expected.blocks(rank)};
  const bool in_place = what.in_place && !input.empty() && !output.empty();
  std::size_t input_at = 0, output_at = 0;
  if (in_place) {
    const auto own = static_cast<std::size_t>(arguments.blocks.offset(rank)) * size;
    if (input.size() < output.size()) input_at = own;
    if (output.size() < input.size()) output_at = own;
    output.resize(std::max(input.size(), output.size()), std::byte{0xA5});
    std::copy(input.begin(), input.end(), output.begin() + static_cast<std::ptrdiff_t>(input_at));
    arguments.output = view(output);
    arguments.input = arguments.output;
  }
  algorithm.run(comm, arguments);
  const std::string where = fmt::format("call {} on rank {}", call, rank);
  if (!result.empty() && std::memcmp(output.data() + output_at, result.data(), result.size()) != 0)
    return where + " is wrong\n";
  if (input != original) return where + " changed its input\n";
  return "";
}

}  // namespace

std::string Layout::name() const {
  if (grid) return fmt::format("grid {}", fmt::join(grid->dims(), "x"));
  std::string name = fmt::format("{} ranks", ranks);
  for (std::size_t tier = 0; tier + 1 < tiers.group.size(); ++tier)
    name += fmt::format(", in groups {}", fmt::join(tiers.group[tier], ","));
  return name;
}

Layout line(int ranks) { return {.ranks = ranks}; }

Layout box(std::vector<int> dims) {
  auto grid = std::make_shared<const Grid>(std::move(dims), true);
  return {.ranks = grid->size(), .grid = grid};
}

Layout groups_of(const std::vector<std::vector<int>>& sizes) {
  const auto sum = [](const std::vector<int>& of) { return std::accumulate(of.begin(), of.end(), 0); };
  const int ranks = sum(sizes.front());
  std::vector<int> part(static_cast<std::size_t>(ranks));
  std::iota(part.begin(), part.end(), 0);
  Tiers tiers;
  for (const std::vector<int>& tier : sizes) {
    std::vector<int> group_of_part;
    for (std::size_t group = 0; group < tier.size(); ++group)
      group_of_part.insert(group_of_part.end(), static_cast<std::size_t>(tier[group]), static_cast<int>(group));
    for (int& p : part) p = group_of_part.at(static_cast<std::size_t>(p));
    tiers.group.push_back(part);
  }
  tiers.group.emplace_back(static_cast<std::size_t>(ranks), 0);
  return {.ranks = ranks, .tiers = std::move(tiers)};
}

Layout shuffled_box(const std::vector<int>& dims) {
  const Grid plain(dims, true);
  std::vector<int> node_of_rank(static_cast<std::size_t>(plain.size()));
  std::iota(node_of_rank.rbegin(), node_of_rank.rend(), 0);
  std::swap(node_of_rank.front(), node_of_rank[node_of_rank.size() / 2]);
  return {.ranks = plain.size(), .grid = std::make_shared<const Grid>(dims, true, node_of_rank)};
}

Shape WitnessCase::shape() const {
  return {.ranks = layout.ranks,
          .dims = layout.grid ? layout.grid->dims() : std::vector<int>{},
          .count = count,
          .bytes = count * static_cast<std::int64_t>(type.size()),
          .root = root,
          .wraps = !layout.grid || layout.grid->wraps(),
          .equal_blocks = sizes.empty(),
          .tiers = layout.tiers};
}

std::string WitnessCase::name() const {
  return fmt::format("{}, count {}, root {}, {}{}", layout.name(), count, root, in_place ? "in place" : "out of place",
                     sizes.empty() ? "" : fmt::format(", blocks {}", fmt::join(sizes, ",")));
}

Outcome witness(const Algorithm& algorithm, const WitnessCase& what) {
  ThreadWorld world(what.layout.ranks, what.layout.grid, what.layout.tiers);
  std::vector<std::string> failures(static_cast<std::size_t>(what.layout.ranks));
  world.run([&](Communicator& comm) {
    for (int call = 0; call < what.calls; ++call)
      failures[static_cast<std::size_t>(comm.rank().value())] += call_once(comm, algorithm, what, call);
  });
  return {std::accumulate(failures.begin(), failures.end(), std::string()), world.rounds(), world.most_bytes_sent_by_one()};
}

}  // namespace heddle::testing
