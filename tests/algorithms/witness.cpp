// SPDX-License-Identifier: Apache-2.0
#include "tests/algorithms/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "tests/algorithms/thread_communicator.hpp"
#include "topo/placement/placement.hpp"

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

/// What one rank's vectors must be before and after a call, straight from the table of heddle/collective.hpp.
class Expectation {
 public:
  Expectation(const Setup& setup, int call)
      : setup_(setup),
        call_(call),
        root_((setup.asked.root + call) % setup.ranks()),
        blocks_(setup.blocks.empty() ? BlockPartition(setup.count, setup.ranks()) : BlockPartition::of_sizes(setup.blocks)) {}

  int root() const { return root_; }
  BlockPartition blocks(int rank) const {
    return setup_.asked.collective == Collective::alltoall ? alltoall_blocks(rank) : blocks_;
  }

  Bytes input(int rank) const {
    const bool at_root = rank == root_;
    switch (setup_.asked.collective) {
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
    switch (setup_.asked.collective) {
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
    const std::int64_t count =
        setup_.asked.collective == Collective::alltoall ? alltoall_blocks(rank).count() : blocks_.count();
    return contribution(rank, call_, static_cast<std::size_t>(count) * setup_.type().size());
  }

  Bytes block_of(const Bytes& vector, const BlockPartition& blocks, int block) const {
    const auto size = static_cast<std::ptrdiff_t>(setup_.type().size());
    return {vector.begin() + blocks.offset(block) * size, vector.begin() + blocks.offset(block + 1) * size};
  }

  Bytes folded() const {
    Bytes sum = whole(0);
    for (int rank = 1; rank < setup_.ranks(); ++rank) {
      const Bytes next = whole(rank);
      setup_.asked.op->apply({sum.data(), setup_.count, setup_.type()}, {next.data(), setup_.count, setup_.type()});
    }
    return sum;
  }

  Bytes gathered() const {
    Bytes all;
    for (int rank = 0; rank < setup_.ranks(); ++rank) append(all, block_of(whole(rank), blocks_, rank));
    return all;
  }

  Bytes exchanged(int rank) const {
    Bytes all;
    for (int source = 0; source < setup_.ranks(); ++source) append(all, block_of(whole(source), alltoall_blocks(source), rank));
    return all;
  }

  BlockPartition alltoall_blocks(int rank) const {
    const int p = setup_.ranks();
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(p), setup_.count / p);
    for (int other = 0; other < p && !setup_.blocks.empty(); ++other)
      sizes[static_cast<std::size_t>(other)] = setup_.blocks[static_cast<std::size_t>((rank + other) % p)];
    return BlockPartition::of_sizes(sizes);
  }

  static void append(Bytes& all, const Bytes& more) { all.insert(all.end(), more.begin(), more.end()); }

  const Setup& setup_;
  int call_;
  int root_;
  BlockPartition blocks_;
};

/// One rank's call; "" or what is wrong.
std::string call_once(Communicator& comm, const Algorithm& algorithm, const Setup& setup, int call) {
  const Expectation expected(setup, call);
  const int rank = comm.rank().value();
  const std::size_t size = setup.type().size();
  const auto view = [&](Bytes& bytes) {
    return VectorView(bytes.data(), static_cast<std::int64_t>(bytes.size() / size), setup.type());
  };
  const Bytes original = expected.input(rank);
  const Bytes result = expected.output(rank);
  Bytes input = original;
  Bytes output(result.size(), std::byte{0xA5});

  CollectiveArguments arguments{.input = view(input),
                                .output = view(output),
                                .op = setup.asked.op,
                                .root = Rank(expected.root()),
                                .blocks = expected.blocks(rank),
                                .received = expected.blocks(rank)};
  const bool in_place = *setup.asked.in_place && !input.empty() && !output.empty();
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

Witnessed witness(const Setup& setup, const Algorithm& algorithm) {
  const Shape shape = setup.shape();
  const std::optional<Grid> grid = grid_under(setup.placement, setup.fabric.topology());
  ThreadWorld world(setup.ranks(), grid ? std::make_shared<const Grid>(*grid) : nullptr, shape.tiers, shape.cost);
  std::vector<std::string> failures(static_cast<std::size_t>(setup.ranks()));
  world.run([&](Communicator& comm) {
    for (int call = 0; call < setup.asked.calls; ++call)
      failures[static_cast<std::size_t>(comm.rank().value())] += call_once(comm, algorithm, setup, call);
  });
  return {std::accumulate(failures.begin(), failures.end(), std::string()), world.rounds(), world.most_bytes_sent_by_one()};
}

Witnessed witness_one_call(Setup setup, const Algorithm& algorithm) {
  setup.asked.calls = 1;
  return witness(setup, algorithm);
}

}  // namespace heddle::testing
