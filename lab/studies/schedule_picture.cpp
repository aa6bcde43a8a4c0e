// SPDX-License-Identifier: Apache-2.0
#include "lab/studies/schedule_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <set>

#include "emu/check/checked_run.hpp"
#include "emu/explain/traced_run.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/documents/context.hpp"
#include "lab/plugin/load_plugins.hpp"
#include "lab/run/algorithm_choice.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "lab/studies/fabric_studies.hpp"
#include "mpi/run/function_algorithm.hpp"
#include "schedules/files/msccl.hpp"
#include "schedules/run/recording.hpp"
#include "topo/placement/placement.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

constexpr int kMostRanks = 256;

// ---- recording ----

Shape shape_of(const Fabric& fabric, int root) {
  Shape shape;
  shape.ranks = fabric.topology().endpoints();
  if (const Grid* grid = fabric.topology().grid()) {
    shape.dims = grid->dims();
    shape.wraps = grid->wraps();
  }
  shape.root = root;
  if (shape.ranks > 1) shape.cost = message_cost(fabric, 0, 1);
  shape.tiers = tiers_of(linear_placement(shape.ranks, fabric.topology()), fabric.topology());
  return shape;
}

/// One element for each block.
std::int64_t count_of_blocks(const Algorithm& algorithm, const Shape& shape) {
  if (algorithm.collective == Collective::barrier) return 0;
  const std::int64_t block_count = block_count_of(algorithm, shape);
  return has_blocks(algorithm.collective) ? std::lcm(block_count, std::int64_t{shape.ranks}) : block_count;
}

/// Nothing for a value that is no contribution: what an algorithm sends along undefined.
std::optional<Transfer::Carried> read_value(const emu::Contributions& contributions, emu::ValueId value,
                                            const emu::CallLayout& layout) {
  Transfer::Carried carried{};
  for (const auto& [term, times] : contributions.count_terms(value)) {
    if (term.kind != emu::Term::Kind::contribution) return std::nullopt;
    carried.block = layout.collective() == Collective::alltoall ? layout.block_at(Rank(term.rank), term.element) : term.element;
    carried.ranks.push_back(term.rank);
  }
  return carried;
}

Transfer read_message(const emu::Contributions& contributions, const emu::LoggedMessage& message,
                      const emu::CallLayout& layout) {
  Transfer transfer{.source = message.source, .dest = message.dest, .carried = {}};
  for (const emu::LoggedMessage::Carried& carried : message.carried) {
    if (std::optional<Transfer::Carried> value = read_value(contributions, carried.value, layout))
      transfer.carried.push_back(std::move(*value));
  }
  std::sort(transfer.carried.begin(), transfer.carried.end());
  return transfer;
}

// ---- text ----

/// Ranks as they are, or as a symmetry's moves of r.
class Names {
 public:
  explicit Names(const RankSymmetry* symmetry) : symmetry_(symmetry) {}

  std::string one(int number) const { return symmetry_ == nullptr ? fmt::to_string(number) : symmetry_->name(number); }

  /// "0-3, 5", "r-1…r+2"; `numbers` are different ones, in order.
  std::string several(const std::vector<int>& numbers) const {
    return symmetry_ != nullptr ? symmetry_->names(numbers) : ranges_text(numbers);
  }

 private:
  const RankSymmetry* symmetry_;  ///< nullptr: as they are
};

class Picture {
 public:
  explicit Picture(const Schedule& schedule)
      : schedule_(schedule),
        slices_(schedule.blocks % schedule.ranks == 0 ? schedule.blocks / schedule.ranks : 0),
        blocks_turn_(schedule.collective == Collective::alltoall || slices_ > 0),
        symmetries_(RankSymmetry::all_of(schedule.ranks, schedule.dims)) {}

  std::vector<ScheduleLine> lines() {
    for (std::size_t i = 0; i < schedule_.rounds.size(); ++i) draw_round(static_cast<int>(i) + 1, schedule_.rounds[i]);
    return std::move(lines_);
  }

 private:
  void draw_round(int round, const std::vector<Transfer>& transfers) {
    for (const RankSymmetry& symmetry : symmetries_) {
      const std::vector<std::vector<Transfer>> turned = turn(transfers, symmetry);
      if (!is_alike(turned, symmetry)) continue;
      for (int number = 0; number < symmetry.classes(); ++number) draw_class(round, turned, symmetry, number);
      return;
    }
    for (const Transfer& transfer : transfers)
      lines_.push_back({round,
                        fmt::format("{} → {}", transfer.source, transfer.dest),
                        what_text(transfer, Names(nullptr)),
                        {{transfer.source, transfer.dest}}});
  }

  /// What the ranks of a class do alike, a line for each message of one of them.
  void draw_class(int round, const std::vector<std::vector<Transfer>>& turned, const RankSymmetry& symmetry, int number) {
    int first = 0;
    while (symmetry.class_of(first) != number) ++first;
    for (const Transfer& transfer : turned[static_cast<std::size_t>(first)]) {
      ScheduleLine line{round,
                        fmt::format("{} {} {}", symmetry.class_name(number), symmetry.arrow(), symmetry.name(transfer.dest)),
                        what_text(transfer, Names(&symmetry)),
                        {}};
      for (int r = 0; r < schedule_.ranks; ++r)
        if (symmetry.class_of(r) == number) line.messages.emplace_back(r, symmetry.moved(transfer.dest, r));
      lines_.push_back(std::move(line));
    }
  }

  // ---- what ranks do alike ----

  /// By sender: its transfers as if it were rank 0.
  std::vector<std::vector<Transfer>> turn(const std::vector<Transfer>& transfers, const RankSymmetry& symmetry) const {
    std::vector<std::vector<Transfer>> by_sender(static_cast<std::size_t>(schedule_.ranks));
    for (Transfer transfer : transfers) {
      const int r = transfer.source;
      transfer.source = 0;
      transfer.dest = symmetry.seen_from(transfer.dest, r);
      for (Transfer::Carried& carried : transfer.carried) {
        if (blocks_turn_)
          carried.block = carried.block / schedule_.ranks * schedule_.ranks +
                          symmetry.seen_from(static_cast<int>(carried.block % schedule_.ranks), r);
        for (int& rank : carried.ranks) rank = symmetry.seen_from(rank, r);
        std::sort(carried.ranks.begin(), carried.ranks.end());
      }
      std::sort(transfer.carried.begin(), transfer.carried.end());
      by_sender[static_cast<std::size_t>(r)].push_back(std::move(transfer));
    }
    for (std::vector<Transfer>& of_one : by_sender) std::sort(of_one.begin(), of_one.end());
    return by_sender;
  }

  /// Whether each rank sends, and does what the others of its class do. Two ranks are no pattern.
  static bool is_alike(const std::vector<std::vector<Transfer>>& by_sender, const RankSymmetry& symmetry) {
    if (by_sender.size() < 3) return false;
    std::vector<const std::vector<Transfer>*> of_class(static_cast<std::size_t>(symmetry.classes()), nullptr);
    for (std::size_t r = 0; r < by_sender.size(); ++r) {
      if (by_sender[r].empty()) return false;
      const std::vector<Transfer>*& first = of_class[static_cast<std::size_t>(symmetry.class_of(static_cast<int>(r)))];
      if (first == nullptr) first = &by_sender[r];
      if (*first != by_sender[r]) return false;
    }
    return true;
  }

  // ---- what is carried ----

  std::string what_text(const Transfer& transfer, const Names& names) const {
    if (schedule_.collective == Collective::alltoall) return parcels_text(transfer, names);
    std::vector<std::string> parts;
    std::vector<Transfer::Carried> left = transfer.carried;
    while (!left.empty()) {  // blocks whose sums are over the same ranks stand together
      const std::vector<int> ranks = left.front().ranks;
      const bool by_ranks = reduces(schedule_.collective);
      const auto rest = std::stable_partition(
          left.begin(), left.end(), [&](const Transfer::Carried& carried) { return !by_ranks || carried.ranks == ranks; });
      std::vector<std::int64_t> blocks;
      for (auto carried = left.begin(); carried != rest; ++carried) blocks.push_back(carried->block);
      left.erase(left.begin(), rest);
      const std::string block_text = schedule_.blocks == 1 ? (by_ranks ? "" : "all") : blocks_text(blocks, names);
      parts.push_back(by_ranks ? block_text + (block_text.empty() ? "" : " ") + sum_text(ranks, names) : block_text);
    }
    return fmt::format("{}", fmt::join(parts, "   "));
  }

  std::string sum_text(const std::vector<int>& ranks, const Names& names) const {
    if (static_cast<int>(ranks.size()) == schedule_.ranks) return "{all}";
    return fmt::format("{{{}}}", names.several(ranks));
  }

  std::string blocks_text(const std::vector<std::int64_t>& blocks, const Names& names) const {
    if (static_cast<std::int64_t>(blocks.size()) == schedule_.blocks) return "all";
    if (!blocks_turn_) return "b " + Names(nullptr).several({blocks.begin(), blocks.end()});
    std::vector<std::string> parts;
    for (std::int64_t slice = 0; slice < slices_; ++slice) {
      std::vector<int> in_slice;
      for (const std::int64_t block : blocks) {
        if (block / schedule_.ranks == slice) in_slice.push_back(static_cast<int>(block % schedule_.ranks));
      }
      if (in_slice.empty()) continue;
      parts.push_back(slices_ == 1 ? "b " + names.several(in_slice) : fmt::format("s{} b {}", slice, names.several(in_slice)));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  std::string parcels_text(const Transfer& transfer, const Names& names) const {
    std::vector<std::string> parcels;
    for (const Transfer::Carried& carried : transfer.carried)
      parcels.push_back(names.one(carried.ranks.front()) + "→" + names.one(static_cast<int>(carried.block)));
    return fmt::format("{}", fmt::join(parcels, ", "));
  }

  const Schedule& schedule_;
  std::int64_t slices_;  ///< of p blocks each; 0: the blocks are not one per rank
  bool blocks_turn_;     ///< block b has to do with rank b mod p
  std::vector<RankSymmetry> symmetries_;
  std::vector<ScheduleLine> lines_;
};

/// The rank that first sends a block with all contributions in it, by block; -1 where nobody does.
std::vector<int> homes_of_blocks(const Schedule& schedule) {
  std::vector<int> homes(static_cast<std::size_t>(schedule.blocks), -1);
  for (const std::vector<Transfer>& round : schedule.rounds) {
    for (const Transfer& transfer : round) {
      for (const Transfer::Carried& carried : transfer.carried) {
        int& home = homes[static_cast<std::size_t>(carried.block)];
        if (home < 0 && static_cast<int>(carried.ranks.size()) == schedule.ranks) home = transfer.source;
      }
    }
  }
  return homes;
}

/// With blocks named after the ranks that complete them, if each rank completes one of each slice.
std::optional<Schedule> named_by_home(const Schedule& schedule) {
  const std::int64_t p = schedule.ranks;
  if (schedule.collective != Collective::allreduce || schedule.blocks == 0 || schedule.blocks % p != 0) return std::nullopt;
  const std::vector<int> homes = homes_of_blocks(schedule);
  std::set<std::int64_t> names;
  const auto name = [&](std::int64_t block) { return block / p * p + homes[static_cast<std::size_t>(block)]; };
  for (std::int64_t block = 0; block < schedule.blocks; ++block) {
    if (homes[static_cast<std::size_t>(block)] < 0 || !names.insert(name(block)).second) return std::nullopt;
  }
  Schedule renamed = schedule;
  for (std::vector<Transfer>& round : renamed.rounds) {
    for (Transfer& transfer : round) {
      for (Transfer::Carried& carried : transfer.carried) carried.block = name(carried.block);
      std::sort(transfer.carried.begin(), transfer.carried.end());
    }
  }
  return renamed;
}

std::string title(const Algorithm& algorithm, const ScheduleRequest& request, const Schedule& schedule) {
  const Collective collective = algorithm.collective;
  std::string text = fmt::format("{} {} on {}", to_string(collective), algorithm.name, request.topology);
  if (has_root(collective)) text += fmt::format(", root {}", request.root);
  const std::int64_t slices = schedule.blocks / schedule.ranks;
  if (schedule.blocks > 1 && collective != Collective::alltoall) {
    text += fmt::format(", {} blocks", schedule.blocks);
    if (slices > 1 && schedule.blocks % schedule.ranks == 0) text += fmt::format(" in {} slices s0-{}", slices, slices - 1);
  }
  if (reduces(collective)) return text + "; {…}: whose contributions are summed";
  if (collective == Collective::alltoall) return text + "; i→j: the block from rank i for rank j";
  return text;
}

/// Of UTF-8.
std::size_t letters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

ScheduleRequest parse_schedule(std::string_view text) {
  ScheduleRequest request;
  const std::size_t root = text.rfind(",root=");
  std::string_view where = text.substr(0, root);
  if (where.starts_with("p=")) {
    request.topology = fmt::format("ring:{}", parse_integer(where.substr(2), 1, kMostRanks));
  } else {
    request.topology = where;
  }
  const int ranks = parse_topology(request.topology)->endpoints();
  if (ranks > kMostRanks) throw InputError(fmt::format("{} ranks are too many for a picture; at most {}", ranks, kMostRanks));
  if (root != std::string_view::npos)
    request.root = static_cast<int>(parse_integer(text.substr(root + std::string_view(",root=").size()), 0, ranks - 1));
  return request;
}

Schedule record_schedule(const Algorithm& algorithm, const ScheduleRequest& request) {
  if (request.root != 0 && !has_root(algorithm.collective))
    throw InputError(fmt::format("root={}: {} has no root; leave it out", request.root, to_string(algorithm.collective)));
  const Fabric fabric(parse_topology(request.topology), {});
  Shape shape = shape_of(fabric, request.root);
  const ReduceOp& op = ReduceOp::sum();
  const std::int64_t count = count_of_blocks(algorithm, shape);
  shape.count = count;
  shape.bytes = count * 8;
  if (const std::string reason = why_not(algorithm, shape, op); !reason.empty())
    throw InputError(
        fmt::format("{} '{}' does not fit {}: {}", to_string(algorithm.collective), algorithm.name, request.topology, reason));

  const Placement placement = linear_placement(shape.ranks, fabric.topology());
  const Rank root(request.root);
  run_checked(fabric, placement,
              {.collective = algorithm.collective,
               .function = algorithm.run,
               .name = algorithm.name,
               .type = Datatype::i64(),
               .op = &op,
               .count = count,
               .sampled = count,
               .root = root});
  const emu::CallLayout layout(algorithm.collective, shape.ranks, count, {}, root);
  const emu::TracedCalls calls{.function = algorithm.run, .type = Datatype::i64(), .op = &op, .layouts = {layout}};
  emu::TracedRun run(calls, {.all = true});
  run.run(fabric, placement, {});

  Schedule schedule{.collective = algorithm.collective, .ranks = shape.ranks, .dims = shape.dims, .blocks = count};
  for (const emu::LoggedMessage& message : run.messages()) {
    if (message.source == message.dest) continue;
    const auto round = static_cast<std::size_t>(message.round);
    if (schedule.rounds.size() < round) schedule.rounds.resize(round);
    schedule.rounds[round - 1].push_back(read_message(run.contributions(), message, layout));
  }
  for (std::vector<Transfer>& round : schedule.rounds) std::sort(round.begin(), round.end());
  return schedule;
}

ScheduleDrawing draw(const Schedule& schedule) {
  ScheduleDrawing by_place{.title = {}, .lines = Picture(schedule).lines(), .note = {}};
  const std::optional<Schedule> renamed = named_by_home(schedule);
  if (!renamed) return by_place;
  ScheduleDrawing by_home{.title = {}, .lines = Picture(*renamed).lines(), .note = "b i is the block that rank i completes"};
  return by_home.lines.size() >= by_place.lines.size() ? by_place : by_home;
}

ScheduleDrawing schedule_drawing(const Algorithm& algorithm, const ScheduleRequest& request) {
  const Schedule schedule = record_schedule(algorithm, request);
  ScheduleDrawing drawing = draw(schedule);
  drawing.title = title(algorithm, request, schedule);
  drawing.ranks = schedule.ranks;
  drawing.dims = schedule.dims;
  return drawing;
}

std::string text_of(const ScheduleDrawing& drawing) {
  std::size_t round_width = 0;
  std::size_t who_width = 0;
  const auto round_text = [](int round) { return fmt::format("round {}", round); };
  for (const ScheduleLine& line : drawing.lines) {
    round_width = std::max(round_width, letters_in(round_text(line.round)));
    who_width = std::max(who_width, letters_in(line.who));
  }
  const auto padded = [](const std::string& text, std::size_t to) { return text + std::string(to - letters_in(text), ' '); };
  std::string text = drawing.title + '\n';
  if (drawing.lines.empty()) return text + "no messages\n";
  int round = 0;
  for (const ScheduleLine& line : drawing.lines) {
    std::string whole = padded(line.round == round ? std::string() : round_text(line.round), round_width) + "   " +
                        padded(line.who, who_width) + "   " + line.what;
    whole.erase(whole.find_last_not_of(' ') + 1);
    text += whole + '\n';
    round = line.round;
  }
  return drawing.note.empty() ? text : text + drawing.note + '\n';
}

std::string schedule_picture(const Algorithm& algorithm, const ScheduleRequest& request) {
  return text_of(schedule_drawing(algorithm, request));
}

namespace {

/// The first call of each rank is recorded, and those after it are made as ever.
class Recorder {
 public:
  Recorder(CollectiveFunction run, int ranks)
      : run_(std::move(run)), recording_(ranks), has_called_(static_cast<std::size_t>(ranks), 0), world_(has_called_.size()) {
    std::iota(world_.begin(), world_.end(), 0);
  }

  void call(Communicator& comm, const CollectiveArguments& arguments) {
    const auto rank = static_cast<std::size_t>(comm.rank().value());
    if (std::exchange(has_called_[rank], 1) != 0) return run_(comm, arguments);
    RankRecording& own = recording_.ranks[rank];
    own.input = {arguments.input.data(), arguments.input.size_bytes()};
    own.output = {arguments.output.data(), arguments.output.size_bytes()};
    RecordingCommunicator recorder(comm, own, world_, "", std::make_shared<TaskRecord>());
    run_(recorder, arguments);
  }

  Recording& recording() { return recording_; }

 private:
  CollectiveFunction run_;
  Recording recording_;
  std::vector<char> has_called_;  ///< each rank its own
  std::vector<int> world_;
};

/// Of a multiple of what the algorithm needs, with all of it in memory.
Experiment sized(Experiment what) {
  Experiment trial = what;
  if (!trial.size) trial.size = Bytes(static_cast<std::int64_t>(type_of(what).size()));
  const Setup setup = set_up(trial);
  const Algorithm& algorithm = setup.algorithms.chosen.front();
  std::vector<Shape> shapes = setup.shapes();
  const std::int64_t ranks = setup.ranks();
  const std::int64_t block_count = std::lcm(block_count_of(algorithm, shapes.front()), has_blocks(what.collective) ? ranks : 1);
  const std::int64_t count = std::max(block_count, setup.count - setup.count % block_count);
  what.size = Bytes(count * static_cast<std::int64_t>(type_of(what).size()));
  what.payload.reset();
  return what;
}

RecordedSchedule of_file(const Experiment& experiment, const Setup& setup) {
  return {read_msccl_file(schedule_file(experiment.algorithm), experiment.collective), setup.count,
          static_cast<std::int64_t>(type_of(experiment).size())};
}

}  // namespace

RecordedSchedule record_schedule(const Experiment& experiment) {
  if (!experiment.groups.empty()) throw InputError("--groups: a schedule is one call of all ranks; leave it out");
  if (experiment.collective == Collective::barrier)
    throw InputError("barrier: its messages carry nothing, and a schedule has chunks");
  // What it copies and adds up by itself is in no schedule.
  if (mpi::is_function_name(experiment.algorithm))
    throw InputError(
        experiment.algorithm +
        ": a function's own copies and sums are not recorded; export an algorithm of heddle's with the same messages, "
        "which 'heddle run' names beside it");
  if (experiment.blocks != "even") throw InputError("--blocks: a schedule has equal blocks; leave it out");
  for (const auto& [flag, text] : {std::pair("--counts", &experiment.counts), std::pair("--skew", &experiment.skew)})
    if (!text->empty()) throw InputError(fmt::format("{}: a schedule has equal blocks; leave it out", flag));
  const Experiment what = sized(experiment);
  const Setup setup = set_up(what);
  Algorithm algorithm = setup.algorithms.chosen.front();
  if (algorithm.needs.in_network)
    throw InputError(fmt::format("'{}': the switches compute it, and a schedule has messages of ranks alone", algorithm.name));
  const auto recorder = std::make_shared<Recorder>(algorithm.run, setup.ranks());
  recorder->recording().element_size = type_of(what).size();
  const bool is_file = is_schedule_name(what.algorithm);
  if (!is_file) algorithm.run = [recorder](Communicator& comm, const CollectiveArguments& call) { recorder->call(comm, call); };
  const Outcome outcome = run_algorithm(setup, algorithm);
  if (const Failure* failure = outcome.failure())
    throw CheckError(failure->kind,
                     fmt::format("'{}' fails, and what is wrong is not written: {}", algorithm.name, failure->explanation),
                     failure->facts);
  if (is_file) return of_file(what, setup);
  const RecordedCall call{algorithm.name, what.collective, setup.count, setup.asked.root, *setup.asked.in_place};
  for (RankRecording& rank : recorder->recording().ranks) rank.part_reused_memory();
  return {recorded_program(recorder->recording(), call), setup.count, static_cast<std::int64_t>(type_of(what).size())};
}

}  // namespace heddle
