// SPDX-License-Identifier: Apache-2.0
#include "fuzz/draw/draw_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <vector>

#include "core/affine.hpp"
#include "core/errors.hpp"
#include "fuzz/cases/case_data.hpp"
#include "fuzz/draw/dice.hpp"
#include "fuzz/draw/draw_faults.hpp"
#include "fuzz/draw/draw_topology.hpp"
#include "lab/experiment/setup.hpp"

namespace heddle {

namespace {

/// Numbers that an order for powers of two has to be careful with are twice as likely.
int draw_ranks(Dice& dice, int most) {
  const auto draw = [&] {
    const std::int64_t size = dice.between(1, 20);
    if (size <= 14) return dice.between(1, 9);
    return size <= 19 ? dice.between(10, 27) : dice.between(28, 64);
  };
  std::int64_t ranks = draw();
  if (std::has_single_bit(static_cast<std::uint64_t>(ranks)) && dice.once_in(2)) ranks = draw();
  if (most > 64 && dice.once_in(20)) ranks = dice.between(65, most);
  return static_cast<int>(ranks <= most ? ranks : dice.between(1, most));
}

/// The row's name, with one of its options set half of the time.
std::string draw_options(Dice& dice, const Algorithm& row) {
  if (row.parameters.empty() || row.configured == nullptr || dice.once_in(2)) return row.name;
  const Parameter& parameter = dice.one_of<Parameter>(row.parameters);
  if (parameter.examples.empty()) return row.name;
  return fmt::format("{}:{}={}", row.name, parameter.name, dice.one_of<std::string_view>(parameter.examples));
}

void draw_fabric(Dice& dice, Experiment& what, const Needs& needs, int ranks) {
  FabricKind kind = FabricKind::any;
  if (needs.grid) kind = FabricKind::grid;
  if (needs.in_network) kind = FabricKind::computing_switches;
  what.fabric.topology = draw_topology(dice, ranks, kind);
  what.ranks = ranks;
  if (dice.once_in(4)) {
    const std::int64_t seed = dice.between(1, 50);
    what.placement =
        dice.one_of<std::string>({fmt::format("random:{}", seed), fmt::format("fragmented:{}", seed), "scattered"});
    // There is nothing to scatter over where all endpoints are one group.
    if (what.placement == "scattered" && parse_topology(what.fabric.topology)->group_tiers() == 1) what.placement = "linear";
  }
  if (dice.one_of({false, true})) what.fabric.alpha = Time::ps(1'000'000);
  if (dice.one_of({false, true})) what.fabric.hop = Time::ps(50'000);
  if (dice.once_in(4)) what.fabric.latency = {dice.one_of({Time(), Time::ps(2'000'000)})};
  if (dice.once_in(4)) what.fabric.bandwidth = {dice.one_of({Bandwidth(1e9), Bandwidth::unlimited()})};
}

/// Groups of as many ranks each that call at once, apart or overlapping. Returns their ranks.
int draw_groups(Dice& dice, Experiment& what, int ranks) {
  if (!dice.once_in(8)) return ranks;
  const auto size = static_cast<int>(dice.between(1, ranks));
  if (ranks % size != 0 || size == ranks) return ranks;
  const std::string consecutive = std::to_string(size);
  const std::string strided = fmt::format("strided:{}", ranks / size);
  what.groups = dice.one_of({consecutive, strided, fmt::format("{}+{}", consecutive, strided)});
  return size;
}

void draw_operation(Dice& dice, Experiment& what, const Algorithm& row) {
  if (what.collective == Collective::barrier) return;  // it has no elements
  what.type = dice.one_of<Datatype>(builtin_datatypes());
  if (!reduces(what.collective)) return;
  if (!row.needs.commutative && dice.once_in(3)) {
    what.op = &affine_op();
    what.type = affine_type();
    return;
  }
  std::vector<const ReduceOp*> ops;
  std::ranges::copy_if(builtin_ops(), std::back_inserter(ops), [&](const ReduceOp* op) { return op->supports(*what.type); });
  what.op = dice.one_of<const ReduceOp*>(ops);
}

/// Blocks of given sizes, some of them empty; of one size for all they would be no given sizes.
BlockSizes draw_blocks(Dice& dice, int ranks) {
  BlockSizes blocks(static_cast<std::size_t>(ranks));
  for (std::int64_t& size : blocks) size = dice.once_in(4) ? 0 : dice.between(0, 20);
  if (std::ranges::adjacent_find(blocks, std::not_equal_to<>()) == blocks.end()) blocks.clear();
  return blocks;
}

/// `shape` is that of the case without elements.
void draw_count(Dice& dice, Experiment& what, const Algorithm& row, const Shape& shape) {
  const std::int64_t p = shape.ranks;
  if (has_blocks(what.collective) && !row.needs.equal_blocks && dice.once_in(4)) {
    if (const BlockSizes blocks = draw_blocks(dice, shape.ranks); !blocks.empty()) return set_blocks(what, blocks);
  }
  std::int64_t count = 0;
  if (dice.once_in(2)) {
    const std::int64_t granule = granule_of(row, shape);
    count = dice.one_of({std::int64_t{0}, std::int64_t{1}, p - 1, p, p + 1, granule, 2 * granule, 3 * granule + 1});
  } else {
    count = dice.between(0, dice.once_in(8) ? 4000 : 300);
  }
  if (what.collective == Collective::alltoall) count -= count % p;
  set_count(what, count);
}

void draw_settings(Dice& dice, Experiment& what, int ranks) {
  if (has_root(what.collective)) what.root = static_cast<int>(dice.between(0, ranks - 1));
  what.in_place = what.collective == Collective::barrier || dice.once_in(2);
  what.seed = static_cast<std::uint64_t>(dice.between(1, 1000));
  const std::int64_t buffering = dice.between(1, 6);
  if (buffering == 1) what.buffering = Buffering::synchronous();
  // A rank's tasks share the credits of a pair: so many that each has one.
  if (buffering == 2) what.buffering = Buffering::limited(static_cast<int>(dice.between(8, 16)));
  if (dice.once_in(2)) what.order_seed = static_cast<std::uint64_t>(dice.between(0, 1000));
  // Hundreds of times dearer than user-level ones.
  if (ranks <= 8 && dice.once_in(200)) what.threads = Threads::kernel;
}

/// Whether the row serves it in every group.
bool is_served(const Experiment& what, const Algorithm& row, std::vector<Shape> shapes) {
  const std::int64_t count = count_of(what);
  return std::ranges::all_of(shapes, [&](Shape& shape) {
    shape.count = count;
    shape.bytes = count * static_cast<std::int64_t>(type_of(what).size());
    shape.equal_blocks = blocks_of(what).empty();
    return why_not(row, shape, *what.op).empty();
  });
}

/// No value: the row does not serve what was drawn.
std::optional<Experiment> try_to_draw(Dice& dice, const std::shared_ptr<const std::vector<Algorithm>>& rows,
                                      const Algorithm& drawn, int most_ranks, int fault_once_in) {
  Experiment what{.collective = drawn.collective, .algorithm = draw_options(dice, drawn), .own = rows};
  const int ranks = draw_ranks(dice, most_ranks);
  draw_fabric(dice, what, drawn.needs, ranks);
  const int callers = draw_groups(dice, what, ranks);
  draw_operation(dice, what, drawn);
  draw_settings(dice, what, callers);
  set_count(what, 0);
  const Algorithm row = find_row(*rows, what.collective, what.algorithm);
  const Setup setup = set_up(what, Unfitting::left_out);
  const std::vector<Shape> shapes = setup.shapes();
  draw_count(dice, what, row, shapes.front());
  if (!is_served(what, row, shapes)) return std::nullopt;
  // The switches serve some counts and not others.
  if (dice.once_in(8) && !row.needs.in_network) what.calls = dice.one_of({3, 5});
  if (dice.once_in(8)) what.order.jitter = what.order.pick = static_cast<std::uint64_t>(dice.between(0, 1000));
  const Topology& topology = setup.fabric.topology();
  if (ranks == topology.endpoints()) what.ranks.reset();
  if (fault_once_in > 0 && dice.once_in(fault_once_in)) what.faults = draw_faults(dice, topology, ranks);
  return what;
}

}  // namespace

Experiment draw_case(std::uint64_t seed, std::uint64_t index, const std::shared_ptr<const std::vector<Algorithm>>& rows,
                     int most_ranks, int fault_once_in) {
  constexpr int kAttempts = 1000;
  Dice dice(seed, index);
  const Algorithm& row = dice.one_of<Algorithm>(*rows);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (std::optional<Experiment> what = try_to_draw(dice, rows, row, most_ranks, fault_once_in)) return *std::move(what);
  }
  throw InputError(fmt::format("{} algorithm '{}' serves none of {} drawn calls on up to {} ranks", to_string(row.collective),
                               row.name, kAttempts, most_ranks));
}

}  // namespace heddle
