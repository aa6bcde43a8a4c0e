// SPDX-License-Identifier: Apache-2.0
#include "cli/run_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cli/flag_value.hpp"
#include "core/affine.hpp"
#include "core/errors.hpp"
#include "core/nearest_name.hpp"
#include "emu/memory_estimate.hpp"

namespace heddle {

namespace {

void require_given(const RunOptions& options) {
  constexpr std::string_view kExample = "try: heddle run allreduce --topo torus:8x8 --size 1MiB";
  const auto require = [&](const std::string& text, std::string_view what) {
    if (text.empty()) throw InputError(fmt::format("{} is missing; {}", what, kExample));
  };
  require(options.collective, "the collective");
  require(options.fabric.topology, "--topo");
  require(options.size, "--size");
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

Threads read_threads(std::string_view text) {
  if (text == "user") return Threads::user;
  if (text == "kernel") return Threads::kernel;
  throw InputError(fmt::format("'{}': not a kind of threads; user or kernel", text));
}

EmulationSettings read_emulation_settings(const RunOptions& options) {
  EmulationSettings settings;
  settings.buffering = read_flag("--buffering", options.buffering, parse_buffering);
  if (options.threads) settings.threads = read_flag("--threads", *options.threads, read_threads);
  if (options.schedule_seed) settings.schedule_seed = read_flag("--schedule-seed", *options.schedule_seed, parse_seed);
  if (options.stack) settings.stack_bytes = static_cast<std::size_t>(read_flag("--stack", *options.stack, parse_bytes).count());
  return settings;
}

std::optional<Bytes> read_payload(std::string_view text) {
  if (text == "full") return std::nullopt;
  return parse_bytes(text);
}

int read_ranks(const RunOptions& options, const Topology& topology) {
  if (!options.ranks) return topology.endpoints();
  return read_flag("--ranks", *options.ranks, [&](std::string_view text) {
    try {
      return static_cast<int>(parse_integer(text, 1, topology.endpoints()));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}, the endpoints of {}", error.what(), topology.spec()));
    }
  });
}

/// nccl-tests' flags that change nothing here must still be what they claim to be.
void require_harmless(const RunOptions& options, int ranks) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto is_count = [](std::string_view text) { return parse_integer(text, 0, kMost); };
  if (options.iterations) read_flag("--iters", *options.iterations, is_count);
  if (options.warmup) read_flag("--warmup_iters", *options.warmup, is_count);
  if (read_flag("--check", options.check, is_count) == 0)
    throw InputError("--check 0: every result is checked before its time is told; leave --check out");
  read_flag("--root", options.root, [&](std::string_view text) { return parse_integer(text, 0, ranks - 1); });
}

Shape shape_of(const Topology& topology, int ranks, std::int64_t count, Datatype type) {
  Shape shape;
  shape.ranks = ranks;
  if (topology.grid() != nullptr && ranks == topology.endpoints()) shape.dims = topology.grid()->dims();
  shape.count = count;
  shape.bytes = count * static_cast<std::int64_t>(type.size());
  return shape;
}

/// How much of its vector each rank holds.
std::int64_t held_elements(const Algorithm& algorithm, const Shape& shape, Datatype type, std::optional<Bytes> payload) {
  if (!payload) return shape.count;
  return choose_held(shape.count, algorithm.granule(shape), shape.ranks, type.size(), *payload);
}

/// Before anything is made in proportion to the ranks.
void require_fitting_memory(const Topology& topology, const Shape& shape, Datatype type, std::optional<Bytes> payload,
                            const AlgorithmChoice& algorithms) {
  std::int64_t held = 0;
  for (const Algorithm& algorithm : algorithms.chosen) held = std::max(held, held_elements(algorithm, shape, type, payload));
  const Bytes per_rank = Bytes(held) * static_cast<std::int64_t>(type.size());
  require_memory(estimate_memory(shape.ranks, topology.links(), per_rank), topology.spec());
}

}  // namespace

Shape RunPlan::shape() const { return shape_of(fabric.topology(), ranks(), count, type); }

CollectiveCall RunPlan::call(const Algorithm& algorithm) const {
  CollectiveCall call;
  call.collective = collective;
  call.function = algorithm.run;
  call.name = algorithm.name;
  call.type = type;
  call.op = op;
  call.count = count;
  call.seed = seed;
  call.held = held_elements(algorithm, shape(), type, payload);
  return call;
}

RunPlan plan_run(const RunOptions& options) {
  require_given(options);
  const Collective collective = parse_collective(options.collective);
  Fabric fabric = read_fabric(options.fabric, "--topo");
  const Topology& topology = fabric.topology();
  const int ranks = read_ranks(options, topology);
  const ReduceOp& op = read_flag("--op", options.op, find_op);
  const Datatype type = read_datatype(options.datatype, op);
  const std::int64_t count = read_flag("--size", options.size, parse_bytes).count() / static_cast<std::int64_t>(type.size());
  const std::optional<Bytes> payload = read_flag("--payload", options.payload, read_payload);
  const std::uint64_t seed = read_flag("--seed", options.seed, parse_seed);
  EmulationSettings settings = read_emulation_settings(options);
  const auto links = static_cast<std::size_t>(read_flag("--links", options.links, [](std::string_view text) {
    return parse_integer(text, 0, std::numeric_limits<LinkId>::max());
  }));
  require_harmless(options, ranks);

  const Shape shape = shape_of(topology, ranks, count, type);
  AlgorithmChoice algorithms = read_flag(
      "--algo", options.algorithms, [&](std::string_view names) { return choose_algorithms(collective, names, shape, op); });
  require_fitting_memory(topology, shape, type, payload, algorithms);
  Placement placement = read_flag("--placement", options.placement,
                                  [&](std::string_view text) { return parse_placement(text, ranks, topology); });

  return {.collective = collective,
          .algorithms = std::move(algorithms),
          .fabric = std::move(fabric),
          .preset = options.fabric.preset.value_or(""),
          .placement = std::move(placement),
          .placement_text = options.placement,
          .type = type,
          .type_name = &op == &affine_op() ? op.name() : to_string(type),
          .op = &op,
          .count = count,
          .payload = payload,
          .seed = seed,
          .settings = settings,
          .json_path = options.json,
          .json_links = links};
}

}  // namespace heddle
