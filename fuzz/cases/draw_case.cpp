// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/draw_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/affine.hpp"
#include "fuzz/cases/case_data.hpp"
#include "fuzz/cases/drawing.hpp"
#include "heddle/errors.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

namespace {

/// Of elements that are only moved: such that no word holds one, or a few.
constexpr std::array<std::uint32_t, 3> kOpaqueBytes = {3, 12, 24};

/// Numbers that an order for powers of two has to be careful with are twice as likely.
int draw_ranks(RandomSource& random, int most) {
  const auto draw = [&] {
    const std::int64_t size = random.between(1, 25);
    if (size <= 17) return random.between(1, 9);
    return size <= 24 ? random.between(10, 27) : random.between(28, 64);
  };
  std::int64_t ranks = draw();
  if (std::has_single_bit(static_cast<std::uint64_t>(ranks)) && random.once_in(2)) ranks = draw();
  if (most > 64 && random.once_in(20)) ranks = random.between(65, most);
  return static_cast<int>(ranks <= most ? ranks : random.between(1, most));
}

/// The row's name, in one of three cases with one of its options set.
std::string draw_options(RandomSource& random, const Algorithm& row) {
  if (row.parameters.empty() || row.configured == nullptr || !random.once_in(3)) return row.name;
  const Parameter& parameter = random.one_of<Parameter>(row.parameters);
  if (parameter.examples.empty()) return row.name;
  return fmt::format("{}:{}={}", row.name, parameter.name, random.one_of<std::string_view>(parameter.examples));
}

/// Of a fabric that is given no more than it has endpoints.
int draw_ranks_of(RandomSource& random, const Needs& needs, const DrawBounds& bounds, const std::optional<LargeCase>& large) {
  if (needs.ranks) return *needs.ranks;
  if (!bounds.only.ranks.empty()) return random.one_of<int>(bounds.only.ranks);
  const int drawn = large && large->ranks > 0 ? large->ranks : draw_ranks(random, bounds.most_ranks);
  if (bounds.only.topology.empty()) return drawn;
  return std::min(drawn, topology_of({.topology = bounds.only.topology, .given = bounds.only.given})->endpoints());
}

void draw_fabric(RandomSource& random, Experiment& what, const Needs& needs, const DrawOnly& only, int ranks) {
  FabricKind kind = FabricKind::any;
  if (needs.grid) kind = FabricKind::grid;
  if (needs.in_network) kind = FabricKind::computing_switches;
  what.fabric.topology = only.topology.empty() ? draw_topology(random, ranks, kind) : only.topology;
  what.fabric.given = only.given;
  what.ranks = ranks;
  if (random.once_in(4)) {
    const std::int64_t seed = random.between(1, 50);
    what.placement =
        random.one_of<std::string>({fmt::format("random:{}", seed), fmt::format("fragmented:{}", seed), "scattered"});
    // There is nothing to scatter over where all endpoints are one group.
    if (what.placement == "scattered" && topology_of(what.fabric)->group_tiers() == 1) what.placement = "linear";
  }
  if (random.one_of({false, true})) what.fabric.alpha = Time::ps(1'000'000);
  if (random.one_of({false, true})) what.fabric.hop = Time::ps(50'000);
  if (random.once_in(4)) what.fabric.latency = {random.one_of({Time(), Time::ps(2'000'000)})};
  if (random.once_in(4)) what.fabric.bandwidth = {random.one_of({Bandwidth(1e9), Bandwidth::unlimited()})};
}

/// Groups of as many ranks each that call at once, apart or overlapping. Returns their ranks.
int draw_groups(RandomSource& random, Experiment& what, int ranks) {
  if (!random.once_in(8)) return ranks;
  const auto size = static_cast<int>(random.between(1, ranks));
  if (ranks % size != 0 || size == ranks) return ranks;
  const std::string consecutive = std::to_string(size);
  const std::string strided = fmt::format("strided:{}", ranks / size);
  what.groups = random.one_of({consecutive, strided, fmt::format("{}+{}", consecutive, strided)});
  return size;
}

void draw_operation(RandomSource& random, Experiment& what, const Algorithm& row, const DrawOnly& only) {
  if (what.collective == Collective::barrier) return;  // it has no elements
  // 8-bit floats last: drawn where they are asked for alone, so that cases stay what they were.
  const std::vector<Datatype>& all = builtin_datatypes();
  const std::vector<Datatype> usual(all.begin(), std::ranges::find(all, Datatype::f8e4m3()));
  what.type = random.one_of<Datatype>(only.types.empty() ? usual : only.types);
  if (!reduces(what.collective)) return;
  const bool may_be_affine = only.ops.empty() ? only.types.empty() : std::ranges::count(only.ops, &affine_op()) > 0;
  if (may_be_affine && !row.needs.commutative && (only.ops.size() == 1 || random.once_in(3))) {
    what.op = &affine_op();
    what.type = affine_type();
    return;
  }
  std::vector<const ReduceOp*> ops;
  std::ranges::copy_if(only.ops.empty() ? builtin_ops() : only.ops, std::back_inserter(ops),
                       [&](const ReduceOp* op) { return op != &affine_op() && op->supports(*what.type); });
  if (!ops.empty()) what.op = random.one_of<const ReduceOp*>(ops);
}

/// Whether it is what is given, where something is.
bool is_within(const Experiment& what, int ranks, const DrawOnly& only) {
  const auto is_one_of = [](const auto& values, const auto& value) {
    return values.empty() || std::ranges::find(values, value) != values.end();
  };
  if (!is_one_of(only.ranks, ranks)) return false;
  if (what.collective == Collective::barrier) return true;
  if (reduces(what.collective) && !is_one_of(only.ops, what.op)) return false;
  return (reduces(what.collective) && what.op == &affine_op()) || is_one_of(only.types, *what.type);
}

/// Blocks of given sizes: some of them empty, or nearly all of the vector in one, or all of it at the last rank. Of one size for
/// all they would be no given sizes.
BlockSizes draw_blocks(RandomSource& random, int ranks) {
  BlockSizes blocks(static_cast<std::size_t>(ranks));
  const std::int64_t kind = random.between(1, 6);
  if (kind == 1) {
    blocks.back() = random.between(1, 200);
  } else if (kind == 2) {
    for (std::int64_t& size : blocks) size = random.between(0, 1);
    blocks[static_cast<std::size_t>(random.between(0, ranks - 1))] = random.between(100, 1000);
  } else {
    const bool are_many_empty = kind == 3;
    for (std::int64_t& size : blocks) size = are_many_empty != random.once_in(4) ? 0 : random.between(0, 20);
  }
  if (std::ranges::adjacent_find(blocks, std::not_equal_to<>()) == blocks.end()) blocks.clear();
  return blocks;
}

/// What each rank of an alltoall sends to each other one. In place each two send each other as much.
void draw_send_counts(RandomSource& random, Experiment& what, int ranks) {
  const std::string_view kind = what.in_place == true ? "symmetric" : random.one_of<std::string_view>(kinds_of_counts());
  set_count(what, random.between(0, kind == "giant" ? 120 : 20) * ranks);
  what.counts = fmt::format("{}:{}", kind, random.between(1, 1000));
}

/// `shape` is that of the case without elements.
void draw_count(RandomSource& random, Experiment& what, const Algorithm& row, const Shape& shape) {
  const std::int64_t p = shape.ranks;
  if (has_blocks(what.collective) && !row.needs.equal_blocks && random.once_in(4)) {
    if (const BlockSizes blocks = draw_blocks(random, shape.ranks); !blocks.empty()) return set_blocks(what, blocks);
  }
  if (what.collective == Collective::alltoall && !row.needs.equal_blocks && random.once_in(4))
    return draw_send_counts(random, what, shape.ranks);
  std::int64_t count = 0;
  if (random.once_in(2)) {
    const std::int64_t block_count = block_count_of(row, shape);
    count =
        random.one_of({std::int64_t{0}, std::int64_t{1}, p - 1, p, p + 1, block_count, 2 * block_count, 3 * block_count + 1});
  } else {
    count = random.between(0, random.once_in(8) ? 4000 : 300);
  }
  if (what.collective == Collective::alltoall) count -= count % p;
  set_count(what, count);
}

/// So few that a row which promises to live with them is tried with them, where one call alone has them; else so many that each of
/// a rank's tasks has one.
int draw_credits(RandomSource& random, const Algorithm& row, bool is_shared) {
  const auto credits = static_cast<int>(random.between(8, 16));
  if (!row.credits || is_shared) return credits;
  return *row.credits + (credits - 8) / 2;
}

void draw_settings(RandomSource& random, Experiment& what, const Algorithm& row, const DrawOnly& only, int ranks) {
  if (has_root(what.collective)) what.root = static_cast<int>(random.between(0, ranks - 1));
  what.in_place = what.collective == Collective::barrier || only.in_place.value_or(random.once_in(2));
  what.seed = static_cast<std::uint64_t>(random.between(1, 1000));
  const std::int64_t buffering = random.between(1, 6);
  if (buffering == 1 && row.needs.buffered == 0) what.buffering = Buffering::synchronous();
  const bool is_shared = what.groups.find('+') != std::string::npos;
  if (buffering == 2) what.buffering = Buffering::limited(std::max(draw_credits(random, row, is_shared), row.needs.buffered));
  if (random.once_in(2)) what.order_seed = static_cast<std::uint64_t>(random.between(0, 1000));
  // Hundreds of times dearer than user-level ones.
  if (ranks <= 8 && random.once_in(200)) what.threads = Threads::kernel;
}

/// Whether the row serves it in every group. Its count and elements become those of `shapes`.
bool is_served(const Experiment& what, const Algorithm& row, std::vector<Shape>& shapes) {
  const std::int64_t count = count_of(what);
  return std::ranges::all_of(shapes, [&](Shape& shape) {
    shape.count = count;
    shape.bytes = count * static_cast<std::int64_t>(type_of(what).size());
    shape.type = type_of(what);
    shape.equal_blocks = !has_given_sizes(what);
    return why_not(row, shape, *what.op).empty();
  });
}

/// Elements of a user's own, and special floats, where nothing but their bits matters, or min and max compare them.
void draw_unusual_data(RandomSource& random, Experiment& what, const Algorithm& row, std::vector<Shape>& shapes,
                       const DrawOnly& only) {
  if (what.collective == Collective::barrier) return;
  Experiment other = what;
  if (!reduces(what.collective) && only.types.empty() && random.once_in(12))
    set_type(other, Datatype::user(random.one_of<std::uint32_t>(kOpaqueBytes)));
  const bool is_selected = what.op == &ReduceOp::min() || what.op == &ReduceOp::max();
  if (type_of(other).is_floating() && (!reduces(what.collective) || is_selected) && random.once_in(3))
    other.values = DataValues::special;
  if (other.values == DataValues::usual && random.once_in(8)) other.values = DataValues::runs;
  if (is_served(other, row, shapes)) what = std::move(other);
}

/// On more a case in packets takes ten times as long as others: fourteen of 348 took two fifths of what all of them did.
constexpr int kMostRanksInPackets = 40;

/// In packets: their queues make orders and times that the fluid has not.
void draw_packets(RandomSource& random, Experiment& what, const Algorithm& row, const Fabric& fabric) {
  PacketSettings settings;
  settings.mtu = Bytes(random.one_of<std::int64_t>({4096, 4096, 512}));
  settings.header = Bytes(random.one_of<std::int64_t>({0, 26}));
  using Buffer = PacketSettings::Buffer;
  settings.buffer =
      random.one_of<Buffer>({{}, {Buffer::Kind::slots, 1}, {Buffer::Kind::slots, 4}, {Buffer::Kind::unbounded, 0}});
  if (random.once_in(3)) settings.forward.kind = PacketSettings::Forward::Kind::whole;
  if (random.once_in(3)) settings.queues = PacketSettings::Queues::fifo;
  using Arbiter = PacketSettings::Arbiter;
  settings.arbiter = random.one_of<Arbiter>({Arbiter::transit, Arbiter::round_robin, Arbiter::oldest});
  Experiment other = what;
  other.model = Model(Model::packets.name(), settings);
  if (!why_not(other.model, fabric).empty()) return;
  std::vector<Shape> shapes = shapes_of(other, fabric);
  if (is_served(other, row, shapes)) what = std::move(other);
}

/// No value: the row does not serve what was drawn.
std::optional<Experiment> try_to_draw(RandomSource& random, const std::shared_ptr<const std::vector<Algorithm>>& rows,
                                      const Algorithm& drawn, const DrawBounds& bounds, const std::optional<LargeCase>& large) {
  Experiment what{{}, {.collective = drawn.collective, .algorithm = draw_options(random, drawn), .own = rows}, {}};
  const int ranks = draw_ranks_of(random, drawn.needs, bounds, large);
  draw_fabric(random, what, drawn.needs, bounds.only, ranks);
  const int callers = large ? ranks : draw_groups(random, what, ranks);
  draw_operation(random, what, drawn, bounds.only);
  if (!is_within(what, ranks, bounds.only)) return std::nullopt;
  const Algorithm row = find_entry(*rows, what.collective, what.algorithm);
  draw_settings(random, what, row, bounds.only, callers);
  set_count(what, 0);
  const Fabric fabric = build_fabric(what.fabric);
  std::vector<Shape> shapes = shapes_of(what, fabric);
  draw_count(random, what, row, shapes.front());
  if (large && large->count > 0) {
    const std::int64_t count = large->elements_of(ranks);
    set_count(what, what.collective == Collective::alltoall ? count - count % callers : count);
  }
  if (!is_served(what, row, shapes)) return std::nullopt;
  if (!is_affordable(what, row, shapes, large.has_value())) return std::nullopt;
  // The switches serve some counts and not others.
  if (random.once_in(16) && !row.needs.in_network) what.calls = random.one_of({3, 5});
  if (large && large->calls > 0) what.calls = large->calls;
  if (random.once_in(8)) what.order.jitter = what.order.pick = static_cast<std::uint64_t>(random.between(0, 1000));
  const Topology& topology = fabric.topology();
  if (ranks == topology.endpoints()) what.ranks.reset();
  // A fault might end what only a large case shows, and a row has few of these.
  if (!large && bounds.fault_once_in > 0 && random.once_in(bounds.fault_once_in))
    what.faults = draw_faults(random, topology, ranks);
  draw_unusual_data(random, what, row, shapes, bounds.only);
  if (!large && what.faults.empty() && ranks <= kMostRanksInPackets && random.once_in(32))
    draw_packets(random, what, row, fabric);
  return what;
}

/// One whose elements are followed without data, on a few ranks. No value: the row does not serve it.
std::optional<Experiment> try_to_draw_positions(RandomSource& random, const std::shared_ptr<const std::vector<Algorithm>>& rows,
                                                const Algorithm& drawn, const DrawBounds& bounds, std::uint64_t turn) {
  constexpr int kMostRanks = 6;
  Experiment what{{}, {.collective = drawn.collective, .algorithm = draw_options(random, drawn), .own = rows}, {}};
  const auto ranks = drawn.needs.ranks.value_or(
      static_cast<int>(random.between(std::min(2, bounds.most_ranks), std::min(kMostRanks, bounds.most_ranks))));
  draw_fabric(random, what, drawn.needs, bounds.only, ranks);
  const Algorithm row = find_entry(*rows, what.collective, what.algorithm);
  draw_positions(random, what, row, ranks, turn);
  const Fabric fabric = build_fabric(what.fabric);
  std::vector<Shape> shapes = shapes_of(in_small(what), fabric);
  if (ranks == fabric.topology().endpoints()) what.ranks.reset();
  if (!is_served(what, row, shapes)) return std::nullopt;
  return what;
}

/// Which of its row's unusual cases one is, if any.
struct Turn {
  std::optional<std::uint64_t> positions, long_case, large;
};

/// Each row as likely, or in its turn.
const Algorithm& draw_row(RandomSource& random, std::uint64_t index, const std::vector<Algorithm>& rows,
                          const DrawBounds& bounds, Turn& turn) {
  const Algorithm& row = random.one_of<Algorithm>(rows);
  const auto in_turn = [&rows](const std::optional<std::uint64_t>& number, bool (*serves)(const Algorithm&),
                               std::optional<std::uint64_t>& of_row) -> const Algorithm* {
    if (!number) return nullptr;
    const Algorithm& next = rows[*number % rows.size()];
    if (!serves(next)) return nullptr;
    of_row = *number / rows.size();
    return &next;
  };
  if (const Algorithm* const next = in_turn(number_of_positions_case(index, bounds), has_positions, turn.positions))
    return *next;
  if (const Algorithm* const next = in_turn(number_of_long_case(index, bounds), has_many_calls, turn.long_case)) return *next;
  const auto any = [](const Algorithm&) { return true; };
  if (const Algorithm* const next = in_turn(number_of_large_case(index, bounds), any, turn.large)) return *next;
  return row;
}

}  // namespace

const Algorithm& row_of_case(std::uint64_t seed, std::uint64_t index, const std::vector<Algorithm>& rows,
                             const DrawBounds& bounds) {
  RandomSource random(seed, index);
  Turn turn;
  return draw_row(random, index, rows, bounds, turn);
}

bool is_ever_served(const Algorithm& row, const DrawBounds& bounds) {
  constexpr int kAttempts = 200;
  const auto rows = std::make_shared<const std::vector<Algorithm>>(1, row);
  RandomSource random(1, 0);
  for (int attempt = 0; attempt < kAttempts; ++attempt)
    if (try_to_draw(random, rows, row, bounds, {})) return true;
  return false;
}

Experiment draw_case(std::uint64_t seed, std::uint64_t index, const std::shared_ptr<const std::vector<Algorithm>>& rows,
                     const DrawBounds& bounds) {
  constexpr int kAttempts = 1000;
  constexpr int kLargeAttempts = 20;
  RandomSource random(seed, index);
  Turn turn;
  const Algorithm& row = draw_row(random, index, *rows, bounds, turn);
  for (int attempt = 0; turn.positions && attempt < kLargeAttempts; ++attempt) {
    if (std::optional<Experiment> what = try_to_draw_positions(random, rows, row, bounds, *turn.positions))
      return *std::move(what);
  }
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::optional<LargeCase> size;
    if (turn.large && attempt < kLargeAttempts) size = draw_large_case(random, row.collective, *turn.large, attempt, bounds);
    if (turn.long_case && attempt < kLargeAttempts) size = draw_long_case(random, row.collective, bounds);
    if (std::optional<Experiment> what = try_to_draw(random, rows, row, bounds, size)) return *std::move(what);
  }
  throw InputError(fmt::format("{} algorithm '{}' serves none of {} drawn calls on up to {} ranks", to_string(row.collective),
                               row.name, kAttempts, bounds.most_ranks));
}

}  // namespace heddle
