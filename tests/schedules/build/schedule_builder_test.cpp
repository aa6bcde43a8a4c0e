// SPDX-License-Identifier: Apache-2.0
// Schedules written by hand: what comes out is right, runs, and sends what was written. What cannot be is refused at once.
#include "schedules/build/schedule_builder.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "heddle/errors.hpp"
#include "lab/run/run_algorithm.hpp"
#include "schedules/program/analysis.hpp"
#include "schedules/run/compiled_schedule.hpp"
#include "schedules/run/run_schedule.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/schedules/files.hpp"

namespace heddle {
namespace {

constexpr ChunkBuffer kIn = ChunkBuffer::input;
constexpr ChunkBuffer kOut = ChunkBuffer::output;
constexpr ChunkBuffer kScratch = ChunkBuffer::scratch;

/// Each chunk goes round twice: the sum, then the result. `by_chunk`: written chunk by chunk, or step by step.
ScheduleBuilder built_ring(int p, bool by_chunk = true) {
  ScheduleBuilder s({.name = "ring", .ranks = p, .chunks = p});
  std::vector<ChunkRef> parts;
  for (int c = 0; c < p; ++c) parts.push_back(s.chunk(c, kIn, c));
  const auto advance = [&](int c, int step) {
    ChunkRef& part = parts[static_cast<std::size_t>(c)];
    part = step < p ? s.chunk((c + step) % p, kIn, c).reduce(part) : part.copy((c + step) % p, kIn, c);
  };
  for (int outer = 0; outer < (by_chunk ? p : 2 * p - 2); ++outer)
    for (int inner = 0; inner < (by_chunk ? 2 * p - 2 : p); ++inner)
      by_chunk ? advance(outer, inner + 1) : advance(inner, outer + 1);
  return s;
}

/// Each rank sums up its chunk from scratch, and sends it to all.
ScheduleBuilder built_allpairs(int p) {
  ScheduleBuilder s({.name = "allpairs", .ranks = p, .chunks = p});
  for (int owner = 0; owner < p; ++owner)
    for (int other = 0; other < p; ++other)
      if (other != owner) s.chunk(other, kIn, owner).copy(owner, kScratch, other);
  for (int owner = 0; owner < p; ++owner) {
    ChunkRef sum = s.chunk(owner, kIn, owner);
    for (int other = 0; other < p; ++other)
      if (other != owner) sum = sum.reduce(s.chunk(owner, kScratch, other));
    for (int other = 0; other < p; ++other)
      if (other != owner) sum.copy(other, kIn, owner);
  }
  return s;
}

/// Sums in each node, between nodes, and back within each node.
ScheduleBuilder built_hierarchy(int gpus) {
  ScheduleBuilder s({.name = "hierarchical", .ranks = 2 * gpus, .chunks = gpus});
  const auto rank = [&](int node, int gpu) { return node * gpus + gpu; };
  for (int node = 0; node < 2; ++node)
    for (int c = 0; c < gpus; ++c)
      for (int step = 1; step < gpus; ++step)
        s.chunk(rank(node, (c + step) % gpus), kIn, c).reduce(s.chunk(rank(node, (c + step - 1) % gpus), kIn, c));
  for (int c = 0; c < gpus; ++c) {
    const int owner = (c + gpus - 1) % gpus;
    for (int node = 0; node < 2; ++node) s.chunk(rank(node, owner), kIn, c).copy(rank(1 - node, owner), kScratch, 0);
    for (int node = 0; node < 2; ++node) s.chunk(rank(node, owner), kIn, c).reduce(s.chunk(rank(node, owner), kScratch, 0));
    for (int node = 0; node < 2; ++node) {
      ChunkRef part = s.chunk(rank(node, owner), kIn, c);
      for (int step = 1; step < gpus; ++step) part = part.copy(rank(node, (owner + step) % gpus), kIn, c);
    }
  }
  return s;
}

/// What goes to gpu h of another node goes to gpu h of the own one first, and from there with what the others send there.
ScheduleBuilder built_alltoall(int nodes, int gpus) {
  const int p = nodes * gpus;
  ScheduleBuilder s({.name = "two-step", .collective = Collective::alltoall, .ranks = p, .chunks = p * p});
  const auto rank = [&](int node, int gpu) { return node * gpus + gpu; };
  for (int node = 0; node < nodes; ++node)
    for (int from = 0; from < gpus; ++from)
      for (int other = 0; other < nodes; ++other)
        for (int to = 0; to < gpus; ++to) {
          const ChunkRef block = s.chunk(rank(node, from), kIn, rank(other, to) * p, p);
          if (other == node)
            block.copy(rank(node, to), kOut, rank(node, from) * p);
          else
            block.copy(rank(node, to), kScratch, rank(other, from) * p);
        }
  for (int node = 0; node < nodes; ++node)
    for (int other = 0; other < nodes; ++other)
      for (int to = 0; to < gpus && other != node; ++to)
        s.chunk(rank(node, to), kScratch, rank(other, 0) * p, gpus * p).copy(rank(other, to), kOut, rank(node, 0) * p);
  return s;
}

ScheduleBuilder built_chain(int p, int segments) {
  ScheduleBuilder s({.name = "chain", .collective = Collective::broadcast, .ranks = p, .chunks = segments, .in_place = false});
  for (int segment = 0; segment < segments; ++segment) {
    ChunkRef part = s.chunk(0, kIn, segment);
    part.copy(0, kOut, segment);
    for (int rank = 1; rank < p; ++rank) part = part.copy(rank, kOut, segment);
  }
  return s;
}

Outcome run_of(const ScheduleProgram& program, std::int64_t count) {
  Experiment what;
  what.fabric.topology = "star:" + std::to_string(program.size());
  what.collective = program.collective;
  what.size = Bytes(4 * count);
  what.keep_timeline = true;
  what.own = std::make_shared<const std::vector<Algorithm>>(
      std::vector<Algorithm>{schedule_row("built", std::make_shared<const CompiledSchedule>(program))});
  what.algorithm = "built";
  return what.run();
}

/// "": it is right, runs, sends as many messages as were written, and does so again when it was written to a file and read.
std::string fault_of(const ScheduleProgram& program, std::int64_t messages, int slots = 2) {
  const CompiledSchedule compiled(program);
  for (const bool in_place : {true, false}) {
    if (const std::string& race = compiled.race(in_place); !race.empty()) return race;
    if (const std::string wrong = compiled.explain(slots, in_place); !wrong.empty()) return wrong;
  }
  for (const std::int64_t count : {std::int64_t{program.chunks}, 3 * std::int64_t{program.chunks}}) {
    const Outcome outcome = run_of(program, count);
    if (outcome.failure() != nullptr) return outcome.failure()->explanation;
    if (outcome.report()->messages() != messages) return "it sends " + std::to_string(outcome.report()->messages());
    const Outcome again = run_of(testing::through_a_file(program), count);
    if (again.failure() != nullptr) return again.failure()->explanation;
    if (testing::messages_of(again) != testing::messages_of(outcome)) return "other messages when it was read";
    if (again.report()->completion != outcome.report()->completion) return "another time when it was read";
  }
  return "";
}

template <class Call>
std::string refused(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "done";
}

std::int64_t steps_of(const ScheduleProgram& program, StepKind kind) {
  std::int64_t steps = 0;
  for (const RankSchedule& rank : program.ranks)
    for (const Strand& strand : rank.strands) steps += std::ranges::count(strand.steps, kind, &Step::kind);
  return steps;
}

}  // namespace

TEST_CASE("schedules written by hand are right, and send what was written") {
  struct Case {
    std::string name;
    ScheduleBuilder builder;
    std::int64_t messages;
  };
  for (const Case& one : std::vector<Case>{{"ring of 4", built_ring(4), 24},
                                           {"ring of 5, step by step", built_ring(5, false), 40},
                                           {"allpairs", built_allpairs(4), 24},
                                           {"2 nodes of 8", built_hierarchy(8), 16 * 7 + 16 + 16 * 7},
                                           {"two steps", built_alltoall(2, 2), 12},
                                           {"two steps of 3 nodes", built_alltoall(3, 2), 30},
                                           {"chain", built_chain(5, 4), 16}}) {
    INFO(one.name);
    CHECK(one.builder.messages() == one.messages);
    for (const bool fuse : {true, false})
      for (const int slots : {1, 2})
        CHECK(fault_of(one.builder.build({.fuse = fuse, .slots = slots}), one.messages, slots) == "");
  }
}

TEST_CASE("a ring that was written chunk by chunk has a thread for each rank, and takes the ring's rounds") {
  const ScheduleProgram program = built_ring(4).build();
  for (const RankSchedule& rank : program.ranks) CHECK(rank.strands.size() == 1);
  // Of six steps of a chunk, two pass a sum on and one the last sum, which is kept; two pass on the result.
  CHECK(steps_of(program, StepKind::receive_reduce_send) == 8);
  CHECK(steps_of(program, StepKind::receive_reduce_copy_send) == 4);
  CHECK(steps_of(program, StepKind::receive_copy_send) == 8);
  CHECK(steps_of(program, StepKind::send) == 4);
  CHECK(steps_of(program, StepKind::receive) == 4);
  CHECK(CompiledSchedule(program).least_slots() == 2);
  const Outcome outcome = run_of(program, 1000);
  CHECK(outcome.report()->rounds.size() == 6);
  // Step by step it is the same schedule.
  CHECK(CompiledSchedule(built_ring(4, false).build()).least_slots() == 2);
  CHECK(run_of(built_ring(4, false).build(), 1000).report()->completion == outcome.report()->completion);
  // One step each: two threads, and no slot is needed.
  const ScheduleProgram apart = built_ring(4).build({.slots = 1});
  CHECK(steps_of(apart, StepKind::receive_reduce_copy) == 12);
  CHECK(CompiledSchedule(apart).least_slots() == 0);
}

TEST_CASE("what cannot be is refused where it is written, in one line") {
  ScheduleBuilder s({.ranks = 3, .chunks = 3});
  const ChunkRef mine = s.chunk(0, kIn, 0);
  CHECK(refused([&] { s.chunk(3, kIn, 0); }) == "rank 3: the ranks are 0 to 2");
  CHECK(refused([&] { s.chunk(0, kIn, 3); }) == "i[3] of rank 0: its input has chunks 0 to 2");
  CHECK(refused([&] { s.chunk(0, kIn, 2, 2); }) == "i[2..3] of rank 0: its input has chunks 0 to 2");
  CHECK(refused([&] { s.chunk(0, kIn, 0, 0); }) == "0 chunks of rank 0: a reference is to one or more");
  CHECK(refused([&] { s.chunk(1, kScratch, 4); }) == "s[4] of rank 1: nothing was put there yet");
  CHECK(refused([&] { mine.copy(3, kIn, 0); }) == "rank 3: the ranks are 0 to 2");
  CHECK(refused([&] { mine.copy(1, kScratch, -1); }) == "s[-1] of rank 1: its scratch has chunks 0 to 1048575");
  CHECK(refused([&] { mine.reduce(s.chunk(1, kIn, 0, 2)); }) ==
        "a reduction of i[0..1] of rank 1 into i[0] of rank 0: both have as many chunks");
  CHECK(refused([&] { mine.reduce(mine); }) == "a reduction of i[0] of rank 0 into i[0]: they are one memory");
  CHECK(refused([&] { s.chunk(0, kIn, 0, 2).copy(0, kIn, 1); }) ==
        "a copy of i[0..1] of rank 0 to i[1..2]: they lie in part on one another");
  CHECK(refused([&] { mine.reduce(built_ring(3).chunk(1, kIn, 0)); }) ==
        "a reduction takes chunks of its own schedule, not of another builder's");
  CHECK(refused([&] { mine.copy(1, kIn, 0, {.channel = -2}); }) ==
        "channel -2: it is 0 to 1048575, or -1 for the builder's choice");
  // Nothing of that was written down.
  CHECK(s.messages() == 0);

  const ChunkRef sum = s.chunk(1, kIn, 0).reduce(mine, {.where = "mine.py:7"});
  mine.copy(2, kIn, 0);
  s.chunk(2, kIn, 1).copy(0, kOut, 0);
  const std::string stale = refused([&] { mine.copy(1, kScratch, 0); });
  CHECK(stale ==
        "the reference to i[0] of rank 0 is of before operation 2, the copy of i[1] of rank 2 to o[0] of rank 0, which "
        "wrote i[0]; use what that returned, or ask for the chunk again");
  sum.copy(2, kScratch, 0);
  s.chunk(1, kIn, 0).reduce(s.chunk(0, kIn, 0));
  CHECK(refused([&] {
          sum.copy(2, kScratch, 1);
        }).find("is of before operation 4, the reduction of i[0] of rank 0 into i[0] of rank 1") != std::string::npos);

  ScheduleBuilder gather({.collective = Collective::allgather, .ranks = 2, .chunks = 2});
  CHECK(refused([&] { gather.chunk(0, kIn, 0).reduce(gather.chunk(1, kIn, 0)); }) ==
        "allgather is a collective that does not reduce");
  CHECK(refused([&] { gather.chunk(0, kOut, 1); }) == "o[1] of rank 0: nothing was put there yet");
  // In place, that is where its input lies already: no message, no step.
  CHECK(gather.chunk(1, kIn, 0).copy(1, kOut, 1).place() == ChunkPlace{kOut, 1});
  CHECK(gather.build().steps() == 0);

  CHECK(refused([] { ScheduleBuilder({.collective = Collective::alltoall, .ranks = 4, .chunks = 6}); }) ==
        "chunks 6: alltoall has a block for each of 4 ranks, and each as many chunks; try 8");
  CHECK(refused([] { ScheduleBuilder({.collective = Collective::barrier, .ranks = 4}); }).find("a barrier moves no chunks") ==
        0);
  CHECK(refused([] { ScheduleBuilder({.ranks = 4, .root = 1}); }) == "root 1: allreduce has none");
  CHECK(refused([] { ScheduleBuilder({.ranks = 0}); }) == "ranks 0: there are 1 to 65536");
  CHECK(refused([] { built_ring(3).build({.slots = 0}); }) == "slots 0: a channel holds one message or more");
}

TEST_CASE("what another collective asks for is no schedule of this one, and why is said") {
  ScheduleBuilder s({.ranks = 2, .chunks = 1});
  s.chunk(0, kIn, 0).copy(1, kIn, 0);
  CHECK(CompiledSchedule(s.build())
            .explain(std::nullopt, true)
            .find("at the end o[0] of gpu 0 holds what gpu 0 gave, without gpu 1") == 0);
  const Outcome outcome = run_of(s.build(), 4);
  REQUIRE(outcome.failure() != nullptr);
  CHECK(outcome.failure()->explanation.find("without gpu 1") != std::string::npos);
  ScheduleBuilder twice({.ranks = 2, .chunks = 2});
  twice.chunk(0, kIn, 0).reduce(twice.chunk(1, kIn, 1));
  CHECK(CompiledSchedule(twice.build()).explain(std::nullopt, true).find("reduces chunk 0 with chunk 1") != std::string::npos);
}

TEST_CASE("threads and channels may be chosen") {
  ScheduleBuilder s({.name = "chosen", .collective = Collective::broadcast, .ranks = 3, .chunks = 2, .in_place = false});
  for (int c = 0; c < 2; ++c) {
    const OperationChoice choice{.channel = 3 + c, .send_tb = 2 * c, .receive_tb = 2 * c};
    s.chunk(0, kIn, c).copy(0, kOut, c, {.send_tb = 7});
    s.chunk(0, kIn, c).copy(1, kOut, c, choice).copy(2, kOut, c, choice);
  }
  const ScheduleProgram program = s.build();
  CHECK(fault_of(program, 4) == "");
  REQUIRE(program.ranks[0].strands.size() == 3);
  CHECK(program.ranks[0].strands[2].id == 7);
  CHECK(program.ranks[1].strands[1].id == 2);
  CHECK(program.ranks[1].strands[1].channel == 4);
  CHECK(program.ranks[1].strands[1].steps.front().kind == StepKind::receive_copy_send);
  s.chunk(0, kIn, 0).copy(2, kScratch, 0, {.send_tb = 0, .where = "a.py:9"});
  CHECK(refused([&] { s.build(); }) ==
        "operation 6 (a.py:9), the copy of i[0] of rank 0 to s[0] of rank 2 cannot be on tb 0 of rank 0: it sends to rank 1; a "
        "thread block has one rank that it sends to, one that it receives from, and one channel");
}

TEST_CASE("schedules side by side have a part of each chunk range, and channels of their own") {
  CHECK(fault_of(built_ring(4).build({.instances = 2}), 2 * built_ring(4).messages()) == "");
  CHECK(fault_of(built_allpairs(3).build({.instances = 3}), 3 * built_allpairs(3).messages()) == "");
  CHECK(refused([] { built_alltoall(2, 2).build({.instances = 2}); }).find("instances 2: ") == 0);
  ScheduleBuilder pairs({.name = "pairs", .collective = Collective::alltoall, .ranks = 3, .chunks = 6});
  for (int r = 0; r < 3; ++r)
    for (int to = 0; to < 3; ++to) pairs.chunk(r, kIn, 2 * to, 2).copy(to, kOut, 2 * r);
  CHECK(fault_of(pairs.build({.instances = 2}), 12) == "");
}

namespace {

/// What memory holds, with numbers for elements and sums for reductions.
struct Interpreted {
  Interpreted(ScheduleProgram of, bool in_place) : frame(std::move(of)), memory(frame, in_place) {
    for (int rank = 0; rank < frame.size(); ++rank)
      for (std::int32_t i = 0; i < frame.given_chunks(rank); ++i) at(rank, {kIn, i}, 0) = 1 + rank * 1000003ULL + i * 7919ULL;
  }
  std::uint64_t& at(int rank, ChunkPlace place, std::int32_t i) {
    return values[{rank, memory.index(rank, place.buffer, place.first) + i}];
  }

  Interpreted(const Interpreted&) = delete;
  Interpreted& operator=(const Interpreted&) = delete;

  ScheduleProgram frame;
  RankMemory memory;  ///< which refers to it
  std::map<std::pair<int, std::int32_t>, std::uint64_t> values;
};

/// Step by step, in an order that can be.
void interpret(const ScheduleProgram& program, const Connections& connections, const Execution& execution, Interpreted& state) {
  std::map<std::int32_t, std::vector<std::uint64_t>> messages;  // by connection; those that came are at the front
  for (const StepPlace place : execution.order) {
    const Step& step = program.ranks[static_cast<std::size_t>(place.rank)]
                           .strands[static_cast<std::size_t>(place.strand)]
                           .steps[static_cast<std::size_t>(place.step)];
    const std::int32_t strand = connections.strand(place.rank, place.strand);
    for (std::int32_t i = 0; i < step.chunks; ++i) {
      std::uint64_t value = 0;
      if (receives(step.kind)) {
        auto& waiting = messages[connections.receives_on(strand)];
        value = waiting.front();
        waiting.erase(waiting.begin());
      }
      if (reads_source(step.kind)) value += state.at(place.rank, step.source, i);
      if (step.kind == StepKind::reduce) value += state.at(place.rank, step.target, i);
      if (writes_target(step.kind)) state.at(place.rank, step.target, i) = value;
      if (sends(step.kind)) messages[connections.sends_on(strand)].push_back(value);
    }
  }
}

/// An operation on chunks that are drawn; what cannot be is left out.
void draw_operation(ScheduleBuilder& s, Interpreted& written, int ranks, bool with_threads) {
  const auto buffer = [] { return static_cast<ChunkBuffer>(drawn::evenly(0, 3)); };
  const int count = drawn::evenly(1, 3);
  const OperationChoice choice{.channel = drawn::evenly(0, 4) == 0 ? drawn::evenly(0, 3) : -1,
                               .send_tb = with_threads && drawn::evenly(0, 4) == 0 ? drawn::evenly(0, 10) : -1,
                               .receive_tb = with_threads && drawn::evenly(0, 4) == 0 ? drawn::evenly(0, 10) : -1};
  try {
    const ChunkRef from = s.chunk(drawn::evenly(0, ranks), buffer(), drawn::evenly(0, 4), count);
    const int rank = drawn::evenly(0, ranks);
    const ChunkPlace into{buffer(), drawn::evenly(0, 4)};
    const bool is_reduction = drawn::evenly(0, 3) == 0;
    if (is_reduction)
      s.chunk(rank, into.buffer, into.first, count).reduce(from, choice);
    else
      from.copy(rank, into.buffer, into.first, choice);
    for (std::int32_t i = 0; i < count; ++i) {
      const std::uint64_t value = written.at(from.rank(), from.place(), i);
      written.at(rank, into, i) = value + (is_reduction ? written.at(rank, into, i) : 0);
    }
  } catch (const InputError&) {
  }
}

}  // namespace

TEST_CASE("whatever is written, the schedule does it: no race, no lock-up, the same sums") {
  testing::property("drawn operations", [] {
    const int ranks = drawn::evenly(2, 5);
    const bool in_place = drawn::evenly(0, 2) == 0;
    const bool with_threads = drawn::evenly(0, 4) == 0;
    ScheduleBuilder s({.ranks = ranks, .chunks = 4, .in_place = in_place});
    Interpreted written(s.build(), in_place);
    const int operations = drawn::evenly(1, 41);
    for (int i = 0; i < operations; ++i) draw_operation(s, written, ranks, with_threads);
    for (const bool fuse : {true, false}) {
      ScheduleProgram program;
      try {
        program = s.build({.fuse = fuse});
      } catch (const InputError&) {
        RC_ASSERT(with_threads);  // one thread for two peers
        continue;
      }
      require_valid(program);
      const Connections connections(program);
      const Execution execution = execute(program, connections, fuse ? 2 : 0);
      RC_ASSERT(execution.stuck == "");
      RC_ASSERT(find_races(program, connections, execution, in_place).text == "");
      Interpreted done(program, in_place);
      interpret(program, connections, execution, done);
      for (const auto& [place, value] : written.values) RC_ASSERT(done.values[place] == value);
    }
  });
}

}  // namespace heddle
