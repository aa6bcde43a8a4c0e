// SPDX-License-Identifier: Apache-2.0
#include "lab/run/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "core/affine.hpp"
#include "emu/check/checked_run.hpp"
#include "emu/record/memory_estimate.hpp"
#include "emu/switches/in_network.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/plugin/load_plugins.hpp"
#include "mpi/run/function_algorithm.hpp"

namespace heddle {

namespace {

// Of a run in memory.
constexpr std::int64_t kIterations = 5;
constexpr std::int64_t kWarmup = 1;
// Of a run on a network, as nccl-tests has them.
constexpr std::int64_t kIterationsOver = 20;
constexpr std::int64_t kWarmupOver = 5;

void require_given(const Experiment& experiment) {
  constexpr std::string_view kExample = "try: heddle run allreduce --topo torus:8x8 --size 1MiB";
  if (experiment.fabric.topology.empty()) throw InputError(fmt::format("--topo is missing; {}", kExample));
  // What groups call has a size of its own.
  const bool has_size =
      experiment.collective == Collective::barrier || experiment.lists_its_size() || have_calls(experiment.groups);
  if (!has_size && !experiment.size) throw InputError(fmt::format("--size is missing; {}", kExample));
}

void require_type(const Experiment& experiment) {
  const Datatype type = type_of(experiment);
  if (!reduces(experiment.collective)) return;
  const ReduceOp& op = *experiment.op;
  const bool is_affine = &op == &affine_op();
  if (type == affine_type() && !is_affine)
    throw InputError(fmt::format("--datatype affine: only --op affine reduces it, not {}", op.name()));
  if (is_affine && type != affine_type())
    throw InputError(fmt::format("--datatype {}: --op affine has elements of its own; leave --datatype out", to_string(type)));
  if (type != affine_type() && !op.supports(type))
    throw InputError(fmt::format("--datatype {}: --op {} needs {}; try i32", to_string(type), op.name(),
                                 type.kind() == Datatype::Kind::user ? "numbers" : "integers"));
}

void require_values(const Experiment& experiment) {
  if (experiment.values == DataValues::usual) return;
  const Datatype type = type_of(experiment);
  const bool is_selected = experiment.op == &ReduceOp::min() || experiment.op == &ReduceOp::max();
  if (experiment.collective == Collective::barrier)
    throw InputError(
        fmt::format("--values {}: a barrier has no data", experiment.values == DataValues::runs ? "runs" : "special"));
  if (experiment.values == DataValues::runs) return;
  if (!type.is_floating())
    throw InputError(fmt::format("--values special: {} has neither NaN nor infinities; try --datatype f32", to_string(type)));
  if (reduces(experiment.collective) && !is_selected)
    throw InputError(fmt::format("--values special: no {} of NaN and infinities shows what is missing; try --op max",
                                 experiment.op->name()));
}

/// That it is a sum which rounds, of all ranks alike.
void require_errors(const Experiment& experiment) {
  if (!experiment.errors) return;
  const Datatype type = type_of(experiment);
  if (!reduces(experiment.collective) || experiment.op != &ReduceOp::sum())
    throw InputError("--errors: only sums round so that it matters; try allreduce, reduce or reduce_scatter with --op sum");
  if (!type.is_floating())
    throw InputError(fmt::format("--errors: sums of {} are exact; try --datatype bf16", to_string(type)));
  if (experiment.blocks != "even" || !experiment.groups.empty() || experiment.over)
    throw InputError(
        "--errors: for a call of all ranks with even blocks, on an emulated fabric; leave --blocks, --groups and "
        "--transport out");
}

/// An algorithm may send each element by itself, some of them several times.
std::int64_t most_slices(const Setup& setup) {
  constexpr std::int64_t kSlicesPerElement = 16;
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() - setup.settings.most_slices_at_once;
  const bool fits = setup.count <= most / kSlicesPerElement / setup.ranks();
  return setup.settings.most_slices_at_once + (fits ? kSlicesPerElement * setup.count * setup.ranks() : most);
}

/// Of nccl-tests' flags.
void set_times(std::string_view flag, std::optional<std::int64_t>& times, std::int64_t least, std::int64_t otherwise) {
  if (times && *times < least)
    throw InputError(fmt::format("{} '{}': not a whole number from {} to {}", flag, *times, least,
                                 std::numeric_limits<std::int32_t>::max()));
  times = times.value_or(otherwise);
}

/// The experiment's own rows, its plugins' and the schedules' that are named; `joined` holds them where they are several.
std::span<const Algorithm> own_rows(const Experiment& experiment, std::string_view algorithms, std::vector<Algorithm>& joined) {
  const std::span<const Algorithm> own = experiment.own == nullptr ? std::span<const Algorithm>() : *experiment.own;
  std::vector<Algorithm> schedules = read_flag(
      "--algo", algorithms, [&](std::string_view names) { return load_schedules(names, experiment.collective, own); });
  if (experiment.plugins.empty() && schedules.empty()) return own;
  joined.assign(own.begin(), own.end());
  for (Algorithm& row : load_plugins(experiment.plugins)) joined.push_back(std::move(row));
  for (Algorithm& row : schedules) joined.push_back(std::move(row));
  return joined;
}

RankGroups read_groups(const Experiment& experiment, const Placement& placement, const Topology& topology) {
  if (experiment.groups.empty()) return {};
  return read_flag("--groups", experiment.groups,
                   [&](std::string_view text) { return parse_groups(text, placement, topology); });
}

/// Whether all are the same.
template <class Numbers>
bool are_alike(const Numbers& numbers) {
  return std::ranges::adjacent_find(numbers, std::ranges::not_equal_to()) == numbers.end();
}

void require_root(const Experiment& experiment, int ranks) {
  read_flag("--root", std::to_string(experiment.root),
            [&](std::string_view text) { return parse_integer(text, 0, ranks - 1); });
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

/// Every rank sends each other one in proportion to its weight: of a count that is not 0 at least one element for each unit of it.
CountMatrix skewed_counts(std::vector<std::int64_t> weights, std::int64_t count) {
  const std::int64_t all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  const std::int64_t unit = count == 0 ? 0 : std::max(count / all, std::int64_t{1});
  for (std::int64_t& weight : weights) weight *= unit;
  return CountMatrix::by_destination(weights);
}

/// What ranks of an alltoall send each other, if it is skewed or has given counts.
CountMatrix read_sends(const Experiment& experiment, const std::vector<int>& sizes) {
  if (experiment.skew.empty() && experiment.counts.empty()) return {};
  const std::string_view flag = experiment.counts.empty() ? "--skew" : "--counts";
  const std::string& text = experiment.counts.empty() ? experiment.skew : experiment.counts;
  if (experiment.collective != Collective::alltoall)
    throw InputError(fmt::format("{} {}: {} has no destinations; alltoall has", flag, text, to_string(experiment.collective)));
  if (!experiment.skew.empty() && !experiment.counts.empty()) throw InputError("--skew and --counts: one or the other");
  if (experiment.blocks != "even") throw InputError(fmt::format("{} and --blocks: one or the other", flag));
  if (!are_alike(sizes)) throw InputError(fmt::format("{} {}: it needs groups of as many ranks each", flag, text));
  const auto element_size = static_cast<std::int64_t>(type_of(experiment).size());
  const bool has_size = experiment.size && *experiment.size != Bytes(0);
  const std::int64_t count = has_size ? std::max(experiment.size->count() / element_size, std::int64_t{1}) : 0;
  CountMatrix sends = read_flag(flag, text, [&](std::string_view value) {
    return experiment.counts.empty() ? skewed_counts(parse_skew(value, sizes.front()), count)
                                     : parse_counts(value, count, sizes.front());
  });
  if (experiment.size && experiment.lists_its_size())
    throw InputError(fmt::format("--counts '{}': it says how much each rank sends; leave --size out", text));
  if (sends.most_sent() > std::numeric_limits<std::int64_t>::max() / 4 / element_size)
    throw InputError(fmt::format("{} '{}': a rank sends {} elements of {} B; at most 2^61 bytes are possible", flag, text,
                                 sends.most_sent(), element_size));
  if (experiment.in_place == true && !sends.is_symmetric())
    throw InputError(fmt::format("{} and --in-place: what a rank receives is not as long as what it sends", flag));
  return sends;
}

/// The least number of elements of which a call with equal blocks has any: those of an alltoall are of one size for each group.
std::int64_t least_count(const Experiment& experiment, const std::vector<int>& sizes) {
  if (experiment.collective != Collective::alltoall || experiment.blocks != "even") return 1;
  const std::int64_t multiple = common_multiple(sizes, std::numeric_limits<std::int64_t>::max());
  if (multiple == std::numeric_limits<std::int64_t>::max())
    throw InputError(
        fmt::format("--groups {}: no vector that a machine holds has equal blocks in each of them; try groups of as "
                    "many ranks each",
                    experiment.groups));
  return multiple;
}

/// Elements of the whole vector: whole ones and equal blocks, rounded down, but of a size that is not 0 at least the least.
std::int64_t read_count(const Experiment& experiment, const std::vector<int>& sizes, const CountMatrix& sends) {
  if (experiment.collective == Collective::barrier) return 0;
  if (!sends.empty()) return sends.most_sent();
  const std::optional<std::int64_t> listed = read_flag("--blocks", experiment.blocks, listed_count);
  if (!experiment.size) return listed.value_or(0);
  if (*experiment.size == Bytes(0)) return 0;
  const std::int64_t count = experiment.size->count() / static_cast<std::int64_t>(type_of(experiment).size());
  const std::int64_t least = least_count(experiment, sizes);
  return std::max(count / least, std::int64_t{1}) * least;
}

/// The size that was asked for, if more is run.
std::optional<Bytes> rounded_up_from(const Experiment& experiment, std::int64_t count) {
  const bool is_more =
      experiment.size && count > experiment.size->count() / static_cast<std::int64_t>(type_of(experiment).size());
  return is_more && experiment.collective != Collective::barrier ? experiment.size : std::nullopt;
}

BlockSizes read_blocks(const Experiment& experiment, std::int64_t count, const std::vector<int>& sizes) {
  if (experiment.blocks != "even" && !has_blocks(experiment.collective)) {
    std::vector<std::string> others;
    for (const Collective other : all_collectives()) {
      if (has_blocks(other)) others.push_back(to_string(other));
    }
    throw InputError(fmt::format("--blocks {}: {} has no block per rank; {} have", experiment.blocks,
                                 to_string(experiment.collective), fmt::join(others, ", ")));
  }
  if (experiment.blocks != "even" && !are_alike(sizes))
    throw InputError(fmt::format("--blocks {}: one size for each rank needs groups of as many ranks each", experiment.blocks));
  BlockSizes blocks =
      read_flag("--blocks", experiment.blocks, [&](std::string_view text) { return parse_blocks(text, count, sizes.front()); });
  if (are_alike(blocks)) blocks.clear();  // even after all
  return blocks;
}

/// Without a fabric that takes time there is nothing to dilate. What limits messages, or slows them, is the emulation's.
bool runs_in_memory(const Experiment& experiment, const Fabric& fabric) {
  return experiment.clock.is_wall && !experiment.clock.dilation && is_unlimited(fabric) &&
         experiment.buffering.credits.value_or(0) == 0 && experiment.groups.empty() && experiment.background.empty();
}

// A run that nobody told to hold all is only begun with room for its messages under way, too.
constexpr double kVectorsAndMessages = 2;

/// Leaves out or refuses what would have to hold more than there is, as it does not say that a part of it does the same.
void keep_what_fits(Setup& setup, std::string_view names, Unfitting unfitting) {
  if (setup.is_held_whole()) return;
  const double whole = setup.vectors() * static_cast<double>(setup.bytes());
  if (kVectorsAndMessages * whole <= static_cast<double>(machine_memory().count())) return;
  // Where each element goes is checked at the true size without data: what is run besides is a part, and its time marked.
  if (setup.asked.positions) setup.asked.payload_asked = true;
  std::optional<std::string> first;
  const std::vector<Shape> shapes = setup.shapes();
  std::erase_if(setup.algorithms.chosen, [&](const Algorithm& algorithm) {
    if (setup.may_hold_part(algorithm) || setup.block_count(algorithm, shapes) >= setup.count) return false;
    const std::string reason = fmt::format(
        "at {} all of its vectors would be held, {} with as much for messages, and this machine has {}: a smaller --size fits; "
        "--data-memory {} runs a part, and marks the time; or its entry says .independent_of_size",
        to_string(Bytes(setup.bytes())), to_string(Bytes(static_cast<std::int64_t>(std::min(whole, 1e18)))),
        to_string(machine_memory()), to_string(*setup.asked.payload));
    if (!first) first = fmt::format("--algo '{}': {}", algorithm.name, reason);
    setup.algorithms.left_out.push_back({algorithm.name, reason});
    return true;
  });
  const bool is_refused = unfitting == Unfitting::refused && (!names_all(names) || setup.algorithms.chosen.empty());
  if (first && is_refused) throw InputError(*first);
}

/// Before anything is made in proportion to the data.
void require_fitting_memory(const Setup& setup) {
  std::int64_t held = 0;
  if (setup.is_held_whole()) {
    held = setup.count;
  } else {
    const std::vector<Shape> shapes = setup.shapes();
    for (const Algorithm& algorithm : setup.algorithms.chosen) held = std::max(held, setup.sampled(algorithm, shapes));
  }
  const double per_rank = setup.vector_bytes_per_rank(held);
  const Topology& topology = setup.fabric.topology();
  // A smaller --data-memory does not help where it has no say.
  const std::optional<Bytes>& most = setup.asked.payload;
  const bool has_no_part = most && per_rank * setup.ranks() > static_cast<double>(most->count());
  const std::string_view instead = !has_no_part                 ? "fewer ranks or a smaller --data-memory"
                                   : setup.asked.counts.empty() ? "fewer ranks or a smaller --size"
                                                                : "smaller counts, or such as have a larger common divisor";
  require_memory(
      estimate_memory(setup.ranks(), topology.links(), Bytes(static_cast<std::int64_t>(std::min(per_rank, 9e18)))),
      [&] { return topology.spec() + (setup.blocks.empty() ? "" : ", its blocks of given sizes held whole,"); }, instead);
}

}  // namespace

std::int64_t Setup::counts_block_count() const { return sends.unit() == 0 ? 1 : count / sends.unit(); }

bool Setup::has_contention() const { return groups.size() > 1 || !background.empty(); }

std::vector<int> Setup::group_sizes() const {
  if (groups.empty()) return {ranks()};
  std::vector<int> sizes;
  for (const std::vector<int>& group : groups.members) sizes.push_back(static_cast<int>(group.size()));
  return sizes;
}

std::vector<Shape> Setup::shapes() const {
  if (!families.empty()) {
    std::vector<Shape> all;
    for (const GroupFamily& family : families) std::ranges::move(family.setup->shapes(), std::back_inserter(all));
    return all;
  }
  const auto shape_on = [this](const Placement& endpoints) {
    Shape shape;
    shape.ranks = static_cast<int>(endpoints.size());
    if (const std::optional<Grid> grid = grid_under(endpoints, fabric.topology())) {
      shape.dims = grid->dims();
      shape.wraps = grid->wraps();
    }
    shape.count = count;
    shape.bytes = bytes();
    shape.type = type();
    shape.root = asked.root;
    shape.equal_blocks = blocks.empty() && sends.empty();
    if (shape.ranks > 1) shape.cost = message_cost(fabric, endpoints[0], endpoints[1]);
    shape.tiers = tiers_of(endpoints, fabric.topology());
    if (const std::string_view lack = heddle::why_not(settings.model, ModelNeed::streams); lack.empty())
      shape.in_network = InNetworkQuestion(fabric, endpoints, type(), settings.faults.switches);
    else
      shape.in_network = [model = settings.model, lack](Collective, std::int64_t, const ReduceOp&, std::span<const int>) {
        return fmt::format("model {} {}; --model fluid", to_string(model), lack);
      };
    return shape;
  };
  std::vector<Shape> shapes;
  if (groups.empty()) shapes.push_back(shape_on(placement));
  for (const std::vector<int>& group : groups.members) {
    Placement endpoints;
    for (const int rank : group) endpoints.push_back(placement[static_cast<std::size_t>(rank)]);
    shapes.push_back(shape_on(endpoints));
  }
  return shapes;
}

std::vector<PlannedAlgorithm> Setup::planned() const {
  std::vector<PlannedAlgorithm> all;
  for (const Algorithm& algorithm : algorithms.chosen) {
    all.push_back({this, &algorithm});
    for (const std::shared_ptr<const Setup>& other : under_models) {
      const auto same = std::ranges::find(other->algorithms.chosen, algorithm.name, &Algorithm::name);
      if (same != other->algorithms.chosen.end()) all.push_back({other.get(), &*same});
    }
  }
  return all;
}

std::string Setup::name_of(const Algorithm& algorithm) const {
  return is_one_of_models ? fmt::format("{}-{}", algorithm.name, to_string(settings.model)) : algorithm.name;
}

void hold_beside(Setup& setup, std::vector<Setup> under_models) {
  setup.is_one_of_models = true;
  for (Setup& other : under_models) {
    other.is_one_of_models = true;
    for (const LeftOut& left : other.algorithms.left_out) {
      const bool is_known =
          std::ranges::find(setup.algorithms.left_out, left.algorithm, &LeftOut::algorithm) != setup.algorithms.left_out.end();
      if (!is_known) setup.algorithms.left_out.push_back(left);
    }
    setup.under_models.push_back(std::make_shared<const Setup>(std::move(other)));
  }
}

CollectiveCall Setup::call(const Algorithm& algorithm) const {
  CollectiveCall call = whole_call(algorithm);
  call.sampled = families.empty() && (is_held_whole() || !may_hold_part(algorithm)) ? count : sampled(algorithm, shapes());
  return call;
}

CollectiveCall Setup::whole_call(const Algorithm& algorithm) const {
  CollectiveCall call;
  call.collective = asked.collective;
  call.function = algorithm.run;
  call.name = algorithm.name;
  call.type = type();
  call.op = asked.op;
  call.values = asked.values;
  call.count = count;
  call.seed = asked.seed;
  call.sampled = count;
  call.root = Rank(asked.root);
  call.blocks = blocks;
  call.sends = sends;
  call.in_place = *asked.in_place;
  call.calls = called_once.contains(algorithm.name) ? 1 : asked.calls;
  if (algorithm.needs.refusal != nullptr) {
    call.serves = [needs = algorithm.needs, shapes = std::make_shared<const std::vector<Shape>>(shapes()), op = asked.op](
                      std::int64_t whole, Rank root) {
      return std::ranges::all_of(*shapes, [&](Shape shape) {
        if (shape.count > 0) shape.bytes = shape.bytes / shape.count * whole;
        shape.count = whole;
        shape.root = root.value();
        return needs.refusal(shape, *op).empty();
      });
    };
  }
  call.same_bits = algorithm.same_bits;
  call.same_bits_in_any_order = algorithm.same_bits_in_any_order;
  if (algorithm.explain) call.schedule_chunks = algorithm.block_count(shape());
  call.watch_whole_inputs = watch_whole_inputs;
  return call;
}

bool Experiment::lists_its_size() const { return is_list_of_blocks(blocks) || (!counts.empty() && !are_drawn_counts(counts)); }

Setup set_up(const Experiment& experiment, Unfitting unfitting) {
  if (experiment.algorithm.empty() || experiment.algorithm == "all")
    throw InputError("an experiment has one algorithm; name it, as in --algo ring");
  require_given(experiment);
  Setup setup = set_up(experiment, experiment.algorithm, build_fabric(experiment.fabric), unfitting);
  if (setup.algorithms.chosen.size() + setup.algorithms.left_out.size() != 1)
    throw InputError(fmt::format("--algo '{}': an experiment has one algorithm", experiment.algorithm));
  return setup;
}

Experiment with_loaded_rows(Experiment experiment, std::string_view algorithms) {
  std::vector<Algorithm> joined;
  const std::span<const Algorithm> own = own_rows(experiment, algorithms, joined);
  if (!own.empty()) experiment.own = std::make_shared<const std::vector<Algorithm>>(own.begin(), own.end());
  experiment.plugins.clear();
  return experiment;
}

Setup set_up(const Experiment& experiment, std::string_view algorithms, const std::optional<Tuning>& tuning) {
  require_given(experiment);
  return set_up(experiment, algorithms, build_fabric(experiment.fabric), Unfitting::refused, tuning);
}

namespace {

/// All but its algorithms.
Setup set_up_call(Experiment asked, Fabric fabric) {
  require_type(asked);
  if (asked.over && !asked.groups.empty())
    throw InputError("--groups: --transport runs on a network that is there; leave --groups out");
  Setup setup{build_testbed(asked, asked, std::move(fabric))};
  setup.groups = read_groups(asked, setup.placement, setup.fabric.topology());
  const std::vector<int> sizes = setup.group_sizes();
  setup.sends = read_sends(asked, sizes);
  setup.count = read_count(asked, sizes, setup.sends);
  setup.in_memory = runs_in_memory(asked, setup.fabric);
  if (!setup.in_memory && !asked.over && (asked.iterations || asked.warmup))
    throw InputError(
        fmt::format("{}: emulated time does not vary, so a call is not repeated; leave it out, or run in memory "
                    "(--clock wall --bw inf --latency 0)",
                    asked.iterations ? "--iters" : "--warmup_iters"));
  require_values(asked);
  require_errors(asked);
  require_root(asked, *std::min_element(sizes.begin(), sizes.end()));
  setup.blocks = read_blocks(asked, setup.count, sizes);
  if (setup.in_memory || asked.over) {
    set_times("--iters", asked.iterations, 1, asked.over ? kIterationsOver : kIterations);
    set_times("--warmup_iters", asked.warmup, 0, asked.over ? kWarmupOver : kWarmup);
  }
  asked.type = type_of(asked);
  asked.in_place = asked.in_place.value_or(is_in_place_by_default(asked.collective));
  asked.payload_asked = asked.payload_asked || asked.payload != CallSpec().payload;
  if (setup.in_memory) asked.payload.reset();
  if (asked.over) asked.clock.is_wall = true;
  setup.asked = std::move(asked);
  setup.rounded_up_from = rounded_up_from(setup.asked, setup.count);
  setup.settings.most_slices_at_once = most_slices(setup);
  return setup;
}

}  // namespace

std::vector<Shape> shapes_of(const Experiment& experiment, Fabric fabric) {
  require_given(experiment);
  return set_up_call(experiment, std::move(fabric)).shapes();
}

Setup set_up(Experiment asked, std::string_view algorithms, Fabric fabric, Unfitting unfitting,
             const std::optional<Tuning>& tuning) {
  require_given(asked);
  if (have_calls(asked.groups)) return set_up_families(asked, algorithms, fabric, unfitting, tuning);
  Setup setup = set_up_call(std::move(asked), std::move(fabric));
  std::vector<Algorithm> joined;
  const std::span<const Algorithm> own = own_rows(setup.asked, algorithms, joined);
  const std::vector<Shape> shapes = setup.shapes();
  const ReduceOp& op = *setup.asked.op;
  setup.algorithms = read_flag("--algo", algorithms, [&](std::string_view names) {
    return choose_algorithms(setup.asked.collective, names, shapes, op, unfitting, own);
  });
  if (tuning) tune(setup.algorithms, shapes, op, *tuning);
  keep_what_fits(setup, algorithms, unfitting);
  require_fitting_memory(setup);
  if (!setup.asked.stack && std::ranges::any_of(setup.algorithms.chosen, mpi::is_function))
    setup.settings.stack_bytes = static_cast<std::size_t>(mpi::usual_stack(static_cast<int>(setup.placement.size())).count());
  return setup;
}

Shape Experiment::shape() const { return set_up(*this, Unfitting::left_out).shape(); }

std::string Experiment::why_not() const {
  const Setup setup = set_up(*this, Unfitting::left_out);
  return setup.algorithms.left_out.empty() ? "" : setup.algorithms.left_out.front().reason;
}

Setup set_up(const Experiment& experiment, ProgramText program) {
  Setup setup{build_testbed(experiment, experiment, build_fabric(experiment.fabric))};
  setup.asked = experiment;
  setup.asked.type = Datatype::user(1);
  setup.asked.in_place = false;
  setup.algorithms.chosen = {Algorithm{.name = program.path}};
  setup.program = std::move(program);
  return setup;
}

}  // namespace heddle
