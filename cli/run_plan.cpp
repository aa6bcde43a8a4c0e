// SPDX-License-Identifier: Apache-2.0
#include "cli/run_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "cli/emulation_flags.hpp"
#include "cli/flag_value.hpp"
#include "cli/skew.hpp"
#include "core/affine.hpp"
#include "core/errors.hpp"
#include "core/nearest_name.hpp"
#include "emu/in_memory_run.hpp"
#include "emu/in_network.hpp"
#include "emu/memory_estimate.hpp"

namespace heddle {

namespace {

// Measured: a ring holds little more than its vectors, bruck_latency on 64 ranks 6 times as much (what is sent of them, under
// way and merged); hamiltonian_rings on 4,096 ranks takes 4 times what its strands and links are estimated at.
constexpr double kVectorsAtWorst = 6.5;
constexpr double kStrandsAtWorst = 4;

// Of a run in memory.
constexpr std::int64_t kIterations = 5;
constexpr std::int64_t kWarmup = 1;

void require_given(const RunOptions& options) {
  constexpr std::string_view kExample = "try: heddle run allreduce --topo torus:8x8 --size 1MiB";
  const auto require = [&](const std::string& text, std::string_view what) {
    if (text.empty()) throw InputError(fmt::format("{} is missing; {}", what, kExample));
  };
  require(options.collective, "the collective");
  require(options.fabric.topology, "--topo");
  const bool has_size = options.collective == "barrier" || (options.blocks != "even" && !options.blocks.starts_with("random"));
  if (!has_size) require(options.size, "--size");
}

/// parse_op, and the affine maps.
const ReduceOp& find_op(std::string_view name) {
  std::vector<const ReduceOp*> ops = builtin_ops();
  ops.push_back(&affine_op());
  std::vector<std::string_view> names;
  for (const ReduceOp* op : ops) {
    if (op->name() == name) return *op;
    names.push_back(op->name());
  }
  throw InputError(unknown_name_message("op", name, names));
}

Datatype read_datatype(const std::optional<std::string>& text, const ReduceOp& op) {
  const bool is_affine = &op == &affine_op();
  if (!text) return is_affine ? affine_type() : Datatype::i32();
  if (*text == affine_op().name()) {
    if (is_affine) return affine_type();
    throw InputError(fmt::format("--datatype affine: only --op affine reduces it, not {}", op.name()));
  }
  const Datatype type = read_flag("--datatype", *text, parse_datatype);
  if (is_affine)
    throw InputError(fmt::format("--datatype {}: --op affine has elements of its own; leave --datatype out", *text));
  if (!op.supports(type)) throw InputError(fmt::format("--datatype {}: --op {} needs integers; try i32", *text, op.name()));
  return type;
}

std::optional<int> read_explore(const RunOptions& options) {
  if (!options.explore) return std::nullopt;
  if (options.schedule) throw InputError("--explore tries schedules, --schedule is one; leave one of the two out");
  constexpr int kMostDelays = 100;
  return read_flag("--explore", *options.explore,
                   [](std::string_view text) { return static_cast<int>(parse_integer(text, 0, kMostDelays)); });
}

std::optional<Bytes> read_payload(std::string_view text) {
  if (text == "full") return std::nullopt;
  return parse_bytes(text);
}

int read_ranks(const RunOptions& options, const Topology& topology) {
  if (!options.ranks) {
    const std::optional<int> placed = read_flag("--placement", options.placement, ranks_of_placement);
    return placed.value_or(topology.endpoints());
  }
  return read_flag("--ranks", *options.ranks, [&](std::string_view text) {
    try {
      return static_cast<int>(parse_integer(text, 1, topology.endpoints()));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}, the endpoints of {}", error.what(), topology.spec()));
    }
  });
}

/// How often; nccl-tests' flags change nothing but in memory, and must be what they claim to be everywhere.
std::int64_t read_times(std::string_view flag, const std::optional<std::string>& text, std::int64_t least,
                        std::int64_t otherwise) {
  if (!text) return otherwise;
  return read_flag(flag, *text, [least](std::string_view number) {
    return parse_integer(number, least, std::numeric_limits<std::int32_t>::max());
  });
}

void require_checks(const RunOptions& options) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (read_flag("--check", options.check, [](std::string_view text) { return parse_integer(text, 0, kMost); }) == 0)
    throw InputError("--check 0: every result is checked before its time is told; leave --check out");
}

RankGroups read_groups(const RunOptions& options, const Placement& placement, const Topology& topology) {
  if (!options.groups) return {};
  return read_flag("--groups", *options.groups, [&](std::string_view text) { return parse_groups(text, placement, topology); });
}

std::vector<NamedBackgroundFlow> read_background(const RunOptions& options, const Fabric& fabric) {
  std::vector<NamedBackgroundFlow> flows;
  for (const std::string& text : options.background)
    std::ranges::move(read_flag("--background", text, [&](std::string_view some) { return parse_background(some, fabric); }),
                      std::back_inserter(flows));
  return flows;
}

/// How many groups to run alone.
std::size_t read_alone(std::string_view text) {
  if (text == "all") return std::numeric_limits<std::size_t>::max();
  if (text == "none") return 0;
  try {
    return static_cast<std::size_t>(parse_integer(text, 0, std::numeric_limits<std::int32_t>::max()));
  } catch (const InputError&) {
    throw InputError(fmt::format("'{}': how many groups to run alone as well; all, none or a number", text));
  }
}

/// How many ranks each group has; of all ranks where there are no groups.
std::vector<int> sizes_of(const RankGroups& groups, int ranks) {
  if (groups.empty()) return {ranks};
  std::vector<int> sizes;
  for (const std::vector<int>& group : groups.members) sizes.push_back(static_cast<int>(group.size()));
  return sizes;
}

Rank read_root(const RunOptions& options, int ranks) {
  return Rank(static_cast<int>(
      read_flag("--root", options.root, [&](std::string_view text) { return parse_integer(text, 0, ranks - 1); })));
}

bool read_in_place(const RunOptions& options, Collective collective) {
  if (options.in_place && options.out_of_place) throw InputError("--in-place and --out-of-place: one or the other");
  // An alltoall in place must keep a copy of its input first, which is not what is to be measured.
  return options.in_place || (!options.out_of_place && collective != Collective::alltoall);
}

/// The least number that all of them divide; `most` if it is more than that.
std::int64_t common_multiple(const std::vector<int>& sizes, std::int64_t most) {
  std::int64_t multiple = 1;
  for (const int size : sizes) {
    multiple = std::lcm(multiple, std::int64_t{size});  // both below 2^31, or the loop has ended
    if (multiple >= std::min<std::int64_t>(most, std::numeric_limits<std::int32_t>::max())) return most;
  }
  return multiple;
}

std::int64_t weight_of(const std::vector<std::int64_t>& destinations) {
  return std::accumulate(destinations.begin(), destinations.end(), std::int64_t{0});
}

std::vector<std::int64_t> read_skew(const RunOptions& options, Collective collective, const std::vector<int>& sizes) {
  if (!options.skew) return {};
  if (collective != Collective::alltoall)
    throw InputError(fmt::format("--skew {}: {} has no destinations; alltoall has", *options.skew, to_string(collective)));
  if (options.blocks != "even") throw InputError("--skew and --blocks: one or the other");
  if (options.in_place) throw InputError("--skew and --in-place: what a rank receives is not as long as what it sends");
  if (std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) != sizes.end())
    throw InputError(fmt::format("--skew {}: it needs groups of as many ranks each", *options.skew));
  return read_flag("--skew", *options.skew, [&](std::string_view text) { return parse_skew(text, sizes.front()); });
}

/// Elements of the whole vector. Those of an alltoall are blocks of one size for each group.
std::int64_t read_count(const RunOptions& options, Collective collective, Datatype type, const std::vector<int>& sizes,
                        const std::vector<std::int64_t>& destinations) {
  if (collective == Collective::barrier) {
    if (!options.size.empty()) read_flag("--size", options.size, parse_bytes);
    return 0;
  }
  const std::optional<std::int64_t> listed = read_flag("--blocks", options.blocks, listed_count);
  if (options.size.empty() && listed) return *listed;
  const std::int64_t count = read_flag("--size", options.size, parse_bytes).count() / static_cast<std::int64_t>(type.size());
  if (collective != Collective::alltoall || options.blocks != "even") return count;
  const std::int64_t multiple = destinations.empty() ? common_multiple(sizes, count + 1) : weight_of(destinations);
  return count / multiple * multiple;
}

BlockSizes read_blocks(const RunOptions& options, Collective collective, std::int64_t count, const std::vector<int>& sizes) {
  if (options.blocks != "even" && !has_blocks(collective)) {
    std::vector<std::string> others;
    for (const Collective other : all_collectives()) {
      if (has_blocks(other)) others.push_back(to_string(other));
    }
    throw InputError(fmt::format("--blocks {}: {} has no block per rank; {} have", options.blocks, to_string(collective),
                                 fmt::join(others, ", ")));
  }
  if (options.blocks != "even" && std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) != sizes.end())
    throw InputError(fmt::format("--blocks {}: one size for each rank needs groups of as many ranks each", options.blocks));
  BlockSizes blocks =
      read_flag("--blocks", options.blocks, [&](std::string_view text) { return parse_blocks(text, count, sizes.front()); });
  if (std::adjacent_find(blocks.begin(), blocks.end(), std::not_equal_to<>()) == blocks.end())
    blocks.clear();  // even after all
  return blocks;
}

/// Without a fabric that takes time there is nothing to dilate. What limits messages, or slows them, is the emulation's.
bool runs_in_memory(const ClockChoice& clock, const EmulationSettings& settings, const Fabric& fabric) {
  return clock.is_wall && !clock.dilation && is_unlimited(fabric) && settings.buffering.credits.value_or(0) == 0;
}

/// Vectors of the whole count that the ranks of all groups hold.
double vectors_held_by_all(const RunPlan& plan) {
  double vectors = 0;
  for (const int size : plan.group_sizes()) vectors += vectors_held(plan.collective, size, plan.in_place);
  return vectors;
}

/// What a rank's vectors take, where each is of so many elements.
double vector_bytes_per_rank(const RunPlan& plan, std::int64_t held) {
  return vectors_held_by_all(plan) / plan.ranks() * static_cast<double>(held) * static_cast<double>(plan.type.size());
}

/// Before anything is made in proportion to the data.
void require_fitting_memory(const RunPlan& plan) {
  const std::vector<Shape> shapes = plan.shapes();
  std::int64_t held = 0;
  for (const Algorithm& algorithm : plan.algorithms.chosen) held = std::max(held, plan.held(algorithm, shapes));
  const double per_rank = vector_bytes_per_rank(plan, held);
  const Topology& topology = plan.fabric.topology();
  // A smaller --payload does not help where it has no say.
  const std::string what = topology.spec() + (plan.blocks.empty() ? "" : ", its blocks of given sizes held whole,");
  require_memory(estimate_memory(plan.ranks(), topology.links(), Bytes(static_cast<std::int64_t>(std::min(per_rank, 9e18)))),
                 what);
}

}  // namespace

std::int64_t RunPlan::skew_weight() const { return destinations.empty() ? 1 : weight_of(destinations); }

bool RunPlan::has_contention() const { return groups.size() > 1 || !background.empty(); }

std::vector<int> RunPlan::group_sizes() const { return sizes_of(groups, ranks()); }

std::vector<Shape> RunPlan::shapes() const {
  const auto shape_on = [this](const Placement& endpoints) {
    Shape shape;
    shape.ranks = static_cast<int>(endpoints.size());
    if (const std::optional<Grid> grid = grid_under(endpoints, fabric.topology())) {
      shape.dims = grid->dims();
      shape.wraps = grid->wraps();
    }
    shape.count = count;
    shape.bytes = bytes();
    shape.root = root.value();
    shape.equal_blocks = blocks.empty() && destinations.empty();
    if (shape.ranks > 1) shape.cost = message_cost(fabric, endpoints[0], endpoints[1]);
    shape.tiers = tiers_of(endpoints, fabric.topology());
    shape.in_network = InNetworkQuestion(fabric, endpoints, type, settings.faults.switches);
    return shape;
  };
  if (groups.empty()) return {shape_on(placement)};
  std::vector<Shape> shapes;
  for (const std::vector<int>& group : groups.members) {
    Placement endpoints;
    for (const int rank : group) endpoints.push_back(placement[static_cast<std::size_t>(rank)]);
    shapes.push_back(shape_on(endpoints));
  }
  return shapes;
}

std::int64_t RunPlan::held(const Algorithm& algorithm, std::span<const Shape> shapes) const {
  if (!payload || !blocks.empty()) return count;  // blocks of given sizes are held whole
  std::int64_t granule = skew_weight();
  for (const Shape& shape : shapes) {
    granule = std::lcm(granule, std::max<std::int64_t>(1, algorithm.granule(shape)));
    if (has_blocks(collective) && destinations.empty()) granule = std::lcm(granule, std::int64_t{shape.ranks});
    if (granule >= count) return count;
  }
  return choose_held(count, granule, vectors_held_by_all(*this), type.size(), *payload);
}

CollectiveCall RunPlan::call(const Algorithm& algorithm) const {
  CollectiveCall call;
  call.collective = collective;
  call.function = algorithm.run;
  call.name = algorithm.name;
  call.type = type;
  call.op = op;
  call.count = count;
  call.seed = seed;
  call.held = held(algorithm, shapes());
  call.root = root;
  call.blocks = blocks;
  call.destinations = destinations;
  call.in_place = in_place;
  call.again = !called_once.contains(algorithm.name);
  return call;
}

Bytes RunPlan::memory(const Algorithm& algorithm, std::span<const Shape> shapes) const {
  const double vectors = vector_bytes_per_rank(*this, held(algorithm, shapes)) * ranks();
  const auto strands = static_cast<double>(estimate_memory(ranks(), fabric.topology().links(), Bytes(0)).count());
  return Bytes(static_cast<std::int64_t>(std::min(kVectorsAtWorst * vectors + kStrandsAtWorst * strands, 1e15)));
}

RunPlan plan_run(const RunOptions& options) {
  require_given(options);
  parse_collective(options.collective);  // what comes first is complained of first
  return plan_run(options, read_fabric(options.fabric, "--topo"));
}

RunPlan plan_run(const RunOptions& options, Fabric fabric, Unfitting unfitting) {
  require_given(options);
  const Collective collective = parse_collective(options.collective);
  const Topology& topology = fabric.topology();
  const int ranks = read_ranks(options, topology);
  const ReduceOp& op = read_flag("--op", options.op, find_op);
  const bool has_op = reduces(collective);
  const Datatype type = read_datatype(options.datatype, has_op ? op : ReduceOp::sum());
  const std::optional<Bytes> payload = read_flag("--payload", options.payload, read_payload);
  const std::uint64_t seed = read_flag("--seed", options.seed, parse_seed);
  EmulationSettings settings = read_emulation_settings(options, topology, ranks);
  const ClockChoice clock = read_clock(options);
  const auto links = static_cast<std::size_t>(read_flag("--links", options.links, [](std::string_view text) {
    return parse_integer(text, 0, std::numeric_limits<LinkId>::max());
  }));
  require_checks(options);
  // Before anything is made in proportion to the ranks.
  require_memory(estimate_memory(ranks, topology.links(), Bytes(0)), topology.spec());
  Placement placement = read_flag("--placement", options.placement,
                                  [&](std::string_view text) { return parse_placement(text, ranks, topology); });
  RankGroups groups = read_groups(options, placement, topology);
  const std::vector<int> sizes = sizes_of(groups, ranks);
  std::vector<std::int64_t> destinations = read_skew(options, collective, sizes);
  const std::int64_t count = read_count(options, collective, type, sizes, destinations);
  std::vector<NamedBackgroundFlow> background = read_background(options, fabric);

  const bool in_memory = runs_in_memory(clock, settings, fabric) && groups.empty() && background.empty();

  RunPlan plan{.collective = collective,
               .algorithms = {},
               .fabric = std::move(fabric),
               .preset = options.fabric.preset.value_or(""),
               .placement = std::move(placement),
               .placement_text = options.placement,
               .groups = std::move(groups),
               .groups_text = options.groups.value_or(""),
               .alone = read_flag("--alone", options.alone, read_alone),
               .background = std::move(background),
               .background_text = fmt::format("{}", fmt::join(options.background, ",")),
               .faults = options.faults,
               .type = type,
               .type_name = type == affine_type() ? affine_op().name() : to_string(type),
               .op = &op,
               .op_name = has_op ? op.name() : "none",
               .count = count,
               .root = read_root(options, *std::min_element(sizes.begin(), sizes.end())),
               .blocks = read_blocks(options, collective, count, sizes),
               .destinations = std::move(destinations),
               .skew_text = options.skew.value_or(""),
               .blocks_text = options.blocks,
               .in_place = read_in_place(options, collective),
               .payload = in_memory ? std::nullopt : payload,
               .seed = seed,
               .settings = settings,
               .explore = read_explore(options),
               .clock = clock,
               .in_memory = in_memory,
               .iterations = read_times("--iters", options.iterations, in_memory ? 1 : 0, kIterations),
               .warmup = read_times("--warmup_iters", options.warmup, 0, kWarmup),
               .json_path = options.json,
               .json_links = links,
               .explain = options.explain,
               .heatmap_path = options.heatmap,
               .trace_path = options.trace,
               .keep_timeline = options.trace.has_value() || options.explain};
  for (const NamedBackgroundFlow& flow : plan.background) plan.settings.background.push_back(flow.flow);
  plan.algorithms = read_flag("--algo", options.algorithms, [&](std::string_view names) {
    return choose_algorithms(collective, names, plan.shapes(), op, unfitting);
  });
  require_fitting_memory(plan);
  return plan;
}

}  // namespace heddle
