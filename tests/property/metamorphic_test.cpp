// SPDX-License-Identifier: Apache-2.0
// What must hold between runs, whatever the right answer is: all algorithms of a collective agree, and if the ranks change
// places, so do the results.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "emu/data/call_layout.hpp"
#include "emu/run/emulate.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/registry_rows.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::metamorphic_property {

namespace {

using testing::registry_entries;
using Numbers = std::vector<std::int64_t>;
using ByRank = std::vector<Numbers>;

/// A call on a star, out of place, of equal blocks.
struct Call {
  Collective collective;
  int ranks;
  std::int64_t count;
  int root;

  emu::CallLayout layout() const { return {collective, ranks, count, {}, Rank(root)}; }
  Shape shape() const { return {.ranks = ranks, .count = count, .bytes = 8 * count, .root = root}; }
};

Call draw_call(Collective collective) {
  const int ranks = drawn::number(1, 14);
  const std::int64_t each = collective == Collective::barrier ? 0 : drawn::number<std::int64_t>(0, 9);
  return {collective, ranks, each * ranks, has_root(collective) ? drawn::number(0, ranks) : 0};
}

ByRank draw_inputs(const Call& call) {
  const auto seed = drawn::number<std::int64_t>(1, 1'000'000);
  ByRank inputs;
  for (int rank = 0; rank < call.ranks; ++rank) {
    Numbers& input = inputs.emplace_back(static_cast<std::size_t>(call.layout().input(Rank(rank)).count));
    for (std::size_t i = 0; i < input.size(); ++i)
      input[i] = seed * (1 + rank) + static_cast<std::int64_t>(i) * 1'000'003 + rank * rank;
  }
  return inputs;
}

std::vector<Algorithm> rows_that_serve(const Call& call) {
  std::vector<Algorithm> rows = registry_entries(call.collective);
  std::erase_if(rows, [&](const Algorithm& row) { return !why_not(row, call.shape(), ReduceOp::sum()).empty(); });
  return rows;
}

ByRank outputs_of(const Algorithm& algorithm, const Call& call, const ByRank& inputs) {
  const emu::CallLayout layout = call.layout();
  ByRank outputs;
  for (int rank = 0; rank < call.ranks; ++rank)
    outputs.emplace_back(static_cast<std::size_t>(layout.output(Rank(rank)).count), -1);
  const Fabric fabric(parse_topology("star:" + std::to_string(call.ranks)), {});
  emulate(fabric, linear_placement(call.ranks, fabric.topology()), [&](Communicator& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank().value());
    algorithm.run(comm, {.input = inputs[rank],
                         .output = outputs[rank],
                         .op = &ReduceOp::sum(),
                         .root = Rank(call.root),
                         .blocks = layout.blocks(comm.rank()),
                         .received = layout.blocks(comm.rank())});
  });
  return outputs;
}

/// Block b of a whole vector becomes block places[b]; what is no whole vector of blocks stays.
Numbers moved(const Numbers& vector, const Call& call, const std::vector<int>& places) {
  if (!has_blocks(call.collective) || static_cast<std::int64_t>(vector.size()) != call.count || call.ranks == 1) return vector;
  const auto each = static_cast<std::ptrdiff_t>(vector.size()) / call.ranks;
  Numbers moved(vector.size());
  for (int b = 0; b < call.ranks; ++b)
    std::copy_n(vector.begin() + b * each, each, moved.begin() + places[static_cast<std::size_t>(b)] * each);
  return moved;
}

/// What rank r has, rank places[r] gets.
ByRank moved(const ByRank& vectors, const Call& call, const std::vector<int>& places) {
  ByRank all(vectors.size());
  for (std::size_t r = 0; r < vectors.size(); ++r) all[static_cast<std::size_t>(places[r])] = moved(vectors[r], call, places);
  return all;
}

std::vector<int> draw_permutation(int n) {
  std::vector<int> places(static_cast<std::size_t>(n));
  std::iota(places.begin(), places.end(), 0);
  for (int i = n - 1; i > 0; --i)
    std::swap(places[static_cast<std::size_t>(i)], places[drawn::number<std::size_t>(0, static_cast<std::size_t>(i) + 1)]);
  return places;
}

}  // namespace

TEST_CASE("all algorithms of a collective agree") {
  const std::vector<Collective> collectives(all_collectives().begin(), all_collectives().end());
  CHECK(testing::holds("agreement", 1000, 25'000, [&] {
    const Call call = draw_call(drawn::one_of(collectives));
    const ByRank inputs = draw_inputs(call);
    const std::vector<Algorithm> rows = rows_that_serve(call);
    const ByRank first = outputs_of(rows.front(), call, inputs);
    const Algorithm& other = rows[drawn::number<std::size_t>(0, rows.size())];
    RC_LOG() << to_string(call.collective) << ": " << rows.front().name << " and " << other.name << '\n';
    RC_ASSERT(outputs_of(other, call, inputs) == first);
  }));
}

TEST_CASE("if the ranks change places, so do the results") {
  const std::vector<Collective> collectives(all_collectives().begin(), all_collectives().end());
  CHECK(testing::holds("permuted ranks", 1000, 25'000, [&] {
    Call call = draw_call(drawn::one_of(collectives));
    const ByRank inputs = draw_inputs(call);
    const std::vector<Algorithm> rows = rows_that_serve(call);
    const Algorithm& row = rows[drawn::number<std::size_t>(0, rows.size())];
    RC_LOG() << to_string(call.collective) << ' ' << row.name << '\n';
    const ByRank before = outputs_of(row, call, inputs);
    const std::vector<int> places = draw_permutation(call.ranks);
    const ByRank expected = moved(before, call, places);
    const ByRank moved_inputs = moved(inputs, call, places);
    call.root = places[static_cast<std::size_t>(call.root)];
    if (!has_root(call.collective)) call.root = 0;
    RC_ASSERT(outputs_of(row, call, moved_inputs) == expected);
  }));
}

}  // namespace heddle::metamorphic_property
