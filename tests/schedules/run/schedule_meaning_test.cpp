// SPDX-License-Identifier: Apache-2.0
// What a schedule means, in small ones whose answer is known: one memory with two names, slots of steps that receive and send, what is
// there out of place, what makes two threads wait.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "lab/run/run_algorithm.hpp"
#include "schedules/run/run_schedule.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/files.hpp"

namespace heddle {
namespace {

/// Text of a schedule, piece by piece.
class Xml {
 public:
  Xml(std::string coll, int ranks, int chunks, const std::string& modes) {
    text_ = fmt::format("<algo name=\"t\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" {}>\n", chunks, ranks, coll, modes);
  }
  Xml& gpu(int id, int scratch = 0) {
    close_gpu();
    text_ += fmt::format("<gpu id=\"{}\" s_chunks=\"{}\">\n", id, scratch);
    tbs_ = 0;
    has_gpu_ = true;
    return *this;
  }
  /// At the start, from i to o.
  Xml& copy(int from, int into) {
    close_tb();
    text_ += fmt::format("<copy i_off=\"{}\" o_off=\"{}\"/>\n", from, into);
    return *this;
  }
  Xml& tb(int send, int recv) {
    close_tb();
    text_ += fmt::format("<tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"0\">\n", tbs_++, send, recv);
    steps_ = 0;
    has_tb_ = true;
    return *this;
  }
  /// `from` and `into` as "i3", "s0".
  Xml& step(const std::string& type, const std::string& from, const std::string& into, int count = 1,
            const std::string& waits = "depid=\"-1\" deps=\"-1\"", bool tells = true) {
    text_ += fmt::format(
        "<step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"{}\" {} hasdep=\"{}\"/>\n",
        steps_++, type, from[0], from.substr(1), into[0], into.substr(1), count, waits, tells ? 1 : 0);
    return *this;
  }
  std::string text() {
    close_gpu();
    return text_ + "</algo>\n";
  }

 private:
  void close_tb() {
    if (std::exchange(has_tb_, false)) text_ += "</tb>\n";
  }
  void close_gpu() {
    close_tb();
    if (std::exchange(has_gpu_, false)) text_ += "</gpu>\n";
  }

  std::string text_;
  int tbs_ = 0;
  int steps_ = 0;
  bool has_gpu_ = false;
  bool has_tb_ = false;
};

struct Call {
  bool in_place = true;
  Buffering buffering = {};
  std::int64_t count = 120;
};

Outcome outcome_of(const std::string& text, const Call& call) {
  const auto schedule = std::make_shared<const CompiledSchedule>(read_msccl(text, "t.xml"));
  Experiment what;
  what.collective = schedule->program().collective;
  what.fabric.topology = fmt::format("star:{}", schedule->program().size());
  what.own = std::make_shared<const std::vector<Algorithm>>(std::vector<Algorithm>{schedule_row("t", schedule)});
  what.algorithm = "t";
  what.in_place = call.in_place;
  what.buffering = call.buffering;
  what.size = Bytes(call.count * 4);
  return what.run();
}

/// "right", or the explanation.
std::string said_of(const std::string& text, const Call& call = {}) {
  const Outcome outcome = outcome_of(text, call);
  return outcome.failure() == nullptr ? "right" : outcome.failure()->explanation;
}

std::string in_place() { return "inplace=\"1\" outofplace=\"0\""; }
std::string out_of_place() { return "inplace=\"0\" outofplace=\"1\""; }
std::string both_ways() { return "inplace=\"1\" outofplace=\"1\""; }

/// A ring in place: each block goes round in p - 1 steps. `is_fused`: what comes goes on in one step.
std::string ring_allgather(int ranks, bool is_fused) {
  Xml xml("allgather", ranks, ranks, in_place());
  for (int r = 0; r < ranks; ++r) {
    const auto block = [&](int back) { return fmt::format("o{}", (r + ranks - back) % ranks); };
    xml.gpu(r).tb((r + 1) % ranks, (r + ranks - 1) % ranks).step("s", block(0), block(0));
    for (int back = 1; back < ranks - 1; ++back) {
      if (is_fused)
        xml.step("rcs", block(back), block(back));
      else
        xml.step("r", block(back), block(back)).step("s", block(back), block(back));
    }
    xml.step("r", block(ranks - 1), block(ranks - 1));
  }
  return xml.text();
}

/// An allreduce of one vector round a ring, all of it by steps that receive and send: p chunks, reduce-scatter, then allgather.
std::string ring_allreduce(int ranks) {
  Xml xml("allreduce", ranks, ranks, in_place());
  for (int r = 0; r < ranks; ++r) {
    const auto chunk = [&](int back) { return fmt::format("i{}", ((r - back) % ranks + ranks) % ranks); };
    xml.gpu(r).tb((r + 1) % ranks, (r + ranks - 1) % ranks).step("s", chunk(0), chunk(0));
    for (int back = 1; back < ranks - 1; ++back) xml.step("rrs", chunk(back), chunk(back));
    xml.step("rrcs", chunk(ranks - 1), chunk(ranks - 1));
    for (int back = 0; back < ranks - 2; ++back) xml.step("rcs", chunk(back), chunk(back));
    xml.step("r", chunk(ranks - 2), chunk(ranks - 2));
  }
  return xml.text();
}

/// From rank 0 to the last, each chunk on its way by one step a rank.
std::string chain_broadcast(int ranks, int chunks) {
  Xml xml("broadcast", ranks, chunks, in_place());
  for (int r = 0; r < ranks; ++r) {
    xml.gpu(r).tb(r + 1 < ranks ? r + 1 : -1, r - 1);
    for (int c = 0; c < chunks; ++c) {
      const std::string at = fmt::format("o{}", c);
      xml.step(r == 0 ? "s" : r + 1 < ranks ? "rcs" : "r", at, at);
    }
  }
  return xml.text();
}

std::optional<int> least_slots(const std::string& text) { return CompiledSchedule(read_msccl(text, "t.xml")).least_slots(); }

}  // namespace

TEST_CASE("a ring of steps that receive and send at once needs two slots, a chain none") {
  for (const int ranks : {3, 4, 5, 8}) {
    for (const std::string& ring : {ring_allgather(ranks, true), ring_allreduce(ranks)}) {
      CHECK(least_slots(ring) == 2);
      CHECK(said_of(ring) == "right");
      CHECK(said_of(ring, {.buffering = Buffering::limited(2)}) == "right");
      const std::string locked = said_of(ring, {.buffering = Buffering::limited(1)});
      CHECK_THAT(locked, Catch::Contains("waits for room to send to rank 1 (tag 0): 1 of 1 credits are taken"));
      CHECK_THAT(locked, Catch::Contains(fmt::format(
                             "the schedule cannot go on with 1 slot for each channel: {0} of {0} tbs wait", ranks)));
      CHECK_THAT(locked, Catch::Contains("waits for a free slot of channel 0 to gpu 1 (1 of 1 taken)"));
    }
    CHECK(least_slots(chain_broadcast(ranks, 5)) == 0);
    CHECK(said_of(chain_broadcast(ranks, 5), {.buffering = Buffering::limited(1)}) == "right");
    CHECK(said_of(chain_broadcast(ranks, 5), {.buffering = Buffering::synchronous()}) == "right");
    // In two steps, the one slot is free before the send asks for its own.
    CHECK(least_slots(ring_allgather(ranks, false)) == 1);
    CHECK(said_of(ring_allgather(ranks, false), {.buffering = Buffering::limited(1)}) == "right");
  }
  // Of chunks without elements nothing is sent: two of them are under way.
  CHECK(said_of(ring_allgather(8, true), {.buffering = Buffering::limited(1), .count = 0}) == "right");
}

TEST_CASE("in place, source and target may be two names of one memory") {
  for (const std::string& modes : {in_place(), both_ways()}) {
    for (const char* type : {"rrc", "rrcs"}) {
      for (const auto& [from, into] :
           std::vector<std::pair<std::string, std::string>>{{"i0", "o0"}, {"o0", "i0"}, {"i0", "i0"}}) {
        Xml xml("allreduce", 2, 1, modes);
        xml.gpu(0).tb(1, 1);
        if (type == std::string("rrcs"))
          xml.step("s", "i0", "i0").step("r", "o0", "o0");
        else
          xml.step("s", "i0", "i0").step("rrc", from, into);
        xml.gpu(1).tb(0, 0);
        if (type == std::string("rrcs"))
          xml.step("rrcs", from, into);
        else
          xml.step("s", "i0", "i0").step("rrc", from, into);
        INFO(type << ' ' << from << " -> " << into << ' ' << modes);
        CHECK(said_of(xml.text()) == "right");
      }
    }
  }
  // A rank's own block of the output is its input, too.
  Xml block("reduce_scatter", 2, 2, in_place());
  block.gpu(0).tb(1, 1).step("s", "i1", "i1").step("rrc", "i0", "o0");
  block.gpu(1).tb(0, 0).step("s", "i0", "i0").step("rrc", "o0", "i1");
  CHECK(said_of(block.text()) == "right");
}

TEST_CASE("a schedule for calls of both kinds is looked through as the call is") {
  // In place, tb 1 writes what tb 0 sends. Out of place the two have memory of their own.
  Xml xml("allreduce", 2, 1, both_ways());
  for (int r = 0; r < 2; ++r) {
    xml.gpu(r).tb(1 - r, -1).step("s", "i0", "i0");
    xml.tb(-1, 1 - r).step("rrc", "i0", "o0");
  }
  CHECK(said_of(xml.text(), {.in_place = false}) == "right");
  const std::string race = said_of(xml.text(), {.in_place = true});
  CHECK_THAT(race, Catch::Contains("neither waits for the other: which comes first is chance"));
  CHECK_THAT(race, !Catch::Contains("in the schedule"));
}

TEST_CASE("out of place, nothing is there but what steps write") {
  struct Case {
    std::string coll;
    std::string missing;  ///< what is said without the copy
  };
  // Rank 0 holds its own part of each result. Without its copy it lacks that.
  const auto schedule = [](const std::string& coll, bool copies) {
    const bool has_blocks = coll != "broadcast" && coll != "allreduce" && coll != "reduce";
    Xml xml(coll, 2, has_blocks ? 2 : 1, out_of_place());
    const auto own = [&](int r) {
      if (!copies) return;
      if (coll == "broadcast") {
        if (r == 0) xml.step("cpy", "i0", "o0");
      } else if (coll == "gather") {
        if (r == 0) xml.step("cpy", "i0", "o0");
      } else if (coll == "scatter") {
        if (r == 0) xml.step("cpy", "i0", "o0");
      } else if (coll == "allgather") {
        xml.step("cpy", "i0", fmt::format("o{}", r));
      } else if (coll == "alltoall") {
        xml.step("cpy", fmt::format("i{}", r), fmt::format("o{}", r));
      }
    };
    for (int r = 0; r < 2; ++r) {
      const bool from_root = coll == "broadcast" || coll == "scatter";
      const bool to_root = coll == "gather" || coll == "reduce";
      xml.gpu(r).tb(from_root && r == 1 ? -1
                    : to_root && r == 0 ? -1
                                        : 1 - r,
                    from_root && r == 0 ? -1
                    : to_root && r == 1 ? -1
                                        : 1 - r);
      own(r);
      if (coll == "broadcast") xml.step(r == 0 ? "s" : "r", "i0", "o0");
      if (coll == "scatter") xml.step(r == 0 ? "s" : "r", r == 0 ? "i1" : "i0", "o0");
      if (coll == "gather") xml.step(r == 1 ? "s" : "r", "i0", "o1");
      if (coll == "allgather") xml.step("s", "i0", "o0").step("r", "i0", fmt::format("o{}", 1 - r));
      if (coll == "alltoall") xml.step("s", fmt::format("i{}", 1 - r), "o0").step("r", "i0", fmt::format("o{}", 1 - r));
      if (coll == "allreduce") xml.step("s", "i0", "o0").step(copies ? "rrc" : "r", "i0", "o0");
      if (coll == "reduce") xml.step(r == 1 ? "s" : copies ? "rrc" : "r", "i0", "o0");
    }
    return xml.text();
  };
  for (const auto& [coll, missing] :
       std::vector<Case>{{"broadcast", "at the end o[0] of gpu 0 holds nothing: no step writes it"},
                         {"scatter", "at the end o[0] of gpu 0 holds nothing: no step writes it"},
                         {"gather", "at the end o[0] of gpu 0 holds nothing: no step writes it"},
                         {"allgather", "at the end o[0] of gpu 0 holds nothing: no step writes it"},
                         {"alltoall", "at the end o[0] of gpu 0 holds nothing: no step writes it"},
                         {"allreduce", "at the end o[0] of gpu 0 holds what gpu 1 gave, without gpu 0"},
                         {"reduce", "at the end o[0] of gpu 0 holds what gpu 1 gave, without gpu 0"}}) {
    for (const bool in_place : {false, true}) {
      INFO(coll << (in_place ? " in place" : " out of place"));
      CHECK(said_of(schedule(coll, true), {.in_place = in_place}) == "right");
      CHECK_THAT(said_of(schedule(coll, false), {.in_place = in_place}), Catch::Contains(missing));
    }
  }
}

TEST_CASE("a file that does not say which calls it is for is for those that its steps do right") {
  const auto broadcast = [](bool copies) {
    Xml xml("broadcast", 2, 1, "");
    xml.gpu(0).tb(1, -1);
    if (copies) xml.step("cpy", "i0", "o0");
    return xml.step("s", "i0", "o0").gpu(1).tb(-1, 0).step("r", "i0", "o0").text();
  };
  CHECK(read_msccl(broadcast(true), "t.xml").modes.out_of_place);
  CHECK(read_msccl(broadcast(false), "t.xml").modes.in_place);
  for (const bool copies : {true, false}) {
    for (const bool in_place : {true, false}) CHECK(said_of(broadcast(copies), {.in_place = in_place}) == "right");
  }
}

TEST_CASE("a size that the file is not made for is said, and the result is as ever") {
  const auto remark = [](const std::string& coll, const std::string& sizes, std::int64_t count) {
    Xml xml(coll, 2, 2, in_place() + sizes);
    if (coll == "allgather")
      for (int r = 0; r < 2; ++r)
        xml.gpu(r).tb(1 - r, 1 - r).step("s", fmt::format("o{}", r), "o0").step("r", "o0", fmt::format("o{}", 1 - r));
    else
      xml.gpu(0).tb(1, -1).step("s", "i1", "i1").gpu(1).tb(-1, 0).step("r", "o0", "o0");
    const Outcome outcome = outcome_of(xml.text(), {.count = count});
    CHECK(outcome.failure() == nullptr);
    Shape shape{.ranks = 2, .count = count, .bytes = count * 4};
    return outcome.algorithm->remark(shape);
  };
  CHECK(remark("allgather", " minBytes=\"0\" maxBytes=\"0\"", 100) == "");
  CHECK(remark("allgather", " minBytes=\"400\" maxBytes=\"400\"", 100) == "");
  CHECK(remark("allgather", " minBytes=\"401\" maxBytes=\"0\"", 100) ==
        "made for 401B or more (minBytes, maxBytes): MSCCL would not choose it here");
  CHECK(remark("allgather", " minBytes=\"0\" maxBytes=\"399\"", 100) ==
        "made for 0B to 399B (minBytes, maxBytes): MSCCL would not choose it here");
  // Of a scatter MSCCL's scheduler compares what one rank gets.
  CHECK(remark("scatter", " minBytes=\"200\" maxBytes=\"200\"", 100) == "");
  CHECK(remark("scatter", " minBytes=\"201\" maxBytes=\"0\"", 100) ==
        "made for 201B or more in a block (minBytes, maxBytes): MSCCL would not choose it here");
  for (const char* sizes : {" minBytes=\"9\" maxBytes=\"8\"", " maxBytes=\"all\"", " minBytes=\"-1\""})
    CHECK_THROWS_AS(remark("allgather", sizes, 100), InputError);
}

TEST_CASE("what waits for a step that tells nobody goes on after the next that does") {
  // tb 1 waits for step 0 of tb 0, which has no hasdep: on a machine it goes on after step 1, which waits for tb 1.
  const auto schedule = [](bool tells) {
    Xml xml("allreduce", 1, 1, in_place());
    xml.gpu(0, 1).tb(-1, -1).step("cpy", "i0", "s0", 1, "depid=\"-1\" deps=\"-1\"", tells);
    xml.step("nop", "i0", "i0", 1, "depid=\"1\" deps=\"0\"");
    xml.tb(-1, -1).step("nop", "i0", "i0", 1, "depid=\"0\" deps=\"0\"");
    return xml.text();
  };
  CHECK(said_of(schedule(true)) == "right");
  CHECK_THAT(said_of(schedule(false)), Catch::Contains("gpu 0, tb 1, step 0 (nop) waits for step 1 of tb 0"));
}

TEST_CASE("dependencies that close a cycle through a thread's own order are explained as a direct cycle is") {
  for (const bool is_direct : {true, false}) {
    Xml xml("allreduce", 2, 1, in_place());
    for (int r = 0; r < 2; ++r) {
      // The receive into scratch is posted before it turns out that nothing comes.
      xml.gpu(r, 2).tb(1 - r, -1).step("s", "i0", "i0", 1, is_direct ? "depid=\"2\" deps=\"0\"" : "depid=\"2\" deps=\"1\"");
      xml.tb(-1, 1 - r).step("r", "s0", "s0");
      xml.tb(-1, -1).step("nop", "i0", "i0", 1, "depid=\"0\" deps=\"0\"").step("re", "s0", "i0", 1, "depid=\"1\" deps=\"0\"");
    }
    const std::string said = said_of(xml.text());
    INFO(said);
    CHECK(said.find("the schedule cannot go on, however many messages a channel holds") != std::string::npos);
    // Each flag is a message to oneself with a tag of its own: none is another's.
    CHECK(said.find("choose differently") == std::string::npos);
    CHECK(said.find("gpu 0, tb 2, step 0 (nop) waits for step 0 of tb 0") != std::string::npos);
    CHECK(said.find("gpu 0, tb 0, step 0 (s) waits for step " + std::string(is_direct ? "0" : "1") + " of tb 2") !=
          std::string::npos);
  }
}

TEST_CASE("a receive opens its memory when its message comes, whatever others do there before") {
  // Rank 1 sends i[0], and gets it back from rank 0: nothing but the messages puts its receive after its send.
  for (const char* type : {"r", "rcs"}) {
    const bool goes_on = type == std::string("rcs");
    Xml xml("allreduce", goes_on ? 3 : 2, 1, in_place());
    xml.gpu(0).tb(-1, 1).step("rrc", "i0", "i0");
    xml.tb(1, -1).step("s", "i0", "i0", 1, goes_on ? "depid=\"2\" deps=\"0\"" : "depid=\"0\" deps=\"0\"");
    if (goes_on) xml.tb(-1, 2).step("rrc", "i0", "i0", 1, "depid=\"0\" deps=\"0\"");
    xml.gpu(1).tb(0, -1).step("s", "i0", "i0");
    xml.tb(goes_on ? 2 : -1, 0).step(type, "i0", "i0");
    if (goes_on) xml.gpu(2).tb(0, -1).step("s", "i0", "i0").tb(-1, 1).step("r", "i0", "i0");
    CHECK(said_of(xml.text()) == "right");
    CHECK(said_of(xml.text(), {.in_place = false}) == "right");
  }
}

TEST_CASE("scratch that nothing was put into gives no result by chance") {
  // The right schedule has run before, with the same data, in memory that the other gets next.
  const auto schedule = [](bool receives) {
    Xml xml("allreduce", 2, 1, in_place());
    for (int r = 0; r < 2; ++r) {
      xml.gpu(r, 2).tb(1 - r, 1 - r).step("s", "i0", "i0").step("r", "s0", receives ? "s0" : "s1");
      xml.step("re", "s0", "i0");
    }
    return xml.text();
  };
  CHECK(said_of(schedule(true)) == "right");
  CHECK_THAT(said_of(schedule(false)), Catch::Contains("reduces chunks into which nothing was put"));
}

TEST_CASE("planted faults of schedules are found, each with its cause") {
  struct Fault {
    std::string text;
    Call call;
    std::string cause;
  };
  const auto two = [](const std::string& modes, int chunks, auto make) {
    Xml xml("allreduce", 2, chunks, modes);
    for (int r = 0; r < 2; ++r) {
      xml.gpu(r, 4);
      make(xml, r);
    }
    return xml.text();
  };
  const std::vector<Fault> faults = {
      {two(in_place(), 3, [](Xml& xml, int) { xml.tb(-1, -1).step("cpy", "i0", "i1", 2); }),
       {},
       "step 0 (cpy) reads i[0..1] and writes i[1..2], which lie in part on one another"},
      {two(in_place(), 3, [](Xml& xml, int r) { xml.tb(1 - r, 1 - r).step("s", "i0", "i0", 2).step("rrc", "i0", "o1", 2); }),
       {},
       "step 1 (rrc) reads i[0..1] and writes o[1..2], which lie in part on one another"},
      {two(in_place(), 1,
           [](Xml& xml, int r) {
             xml.tb(1 - r, -1).step("s", "i0", "i0");
             xml.tb(-1, 1 - r).step("rrc", "i0", "o0");
           }),
       {},
       "gpu 0, tb 0, step 0 reads i[0], which tb 1, step 0 (line 7) writes"},
      {two(out_of_place(), 1, [](Xml& xml, int r) { xml.tb(1 - r, 1 - r).step("s", "i0", "i0").step("r", "o0", "o0"); }),
       {.in_place = false},
       "at the end o[0] of gpu 0 holds what gpu 1 gave, without gpu 0"},
      {two(out_of_place(), 1, [](Xml& xml, int r) { xml.tb(1 - r, 1 - r).step("s", "i0", "i0").step("rrc", "i0", "s0"); }),
       {.in_place = false},
       "at the end o[0] of gpu 0 holds nothing: no step writes it"},
      {two(out_of_place(), 1, [](Xml& xml, int r) { xml.tb(1 - r, 1 - r).step("s", "i0", "i0").step("rrc", "o0", "o0"); }),
       {.in_place = false},
       "reduces chunks into which nothing was put"},
      {two(in_place(), 1,
           [](Xml& xml, int r) {
             xml.tb(1 - r, 1 - r).step("s", "i0", "i0").step("rrcs", "i0", "o0").step("rrc", "i0", "o0");
           }),
       {},
       "adds to chunk 0 what gpu"},
      {two(in_place(), 1,
           [](Xml& xml, int r) { xml.tb(1 - r, 1 - r).step("s", "i0", "i0").step("rrcs", "i0", "i0").step("r", "i0", "i0"); }),
       {.buffering = Buffering::limited(1)},
       "gpu 0, tb 0, step 1 (rrcs) waits for a free slot of channel 0 to gpu 1 (1 of 1 taken)"},
      {two(in_place(), 1,
           [](Xml& xml, int r) {
             xml.tb(1 - r, 1 - r).step("s", "i0", "i0", 1, "depid=\"1\" deps=\"1\"").step("rrc", "i0", "i0");
             xml.tb(-1, -1).step("nop", "i0", "i0", 1, "depid=\"0\" deps=\"1\"").step("nop", "i0", "i0");
           }),
       {},
       "gpu 0, tb 1, step 0 (nop) waits for step 1 of tb 0"},
      {two(in_place(), 1,
           [](Xml& xml, int r) {
             xml.tb(1 - r, 1 - r).step("s", "i0", "i0", 1, "depid=\"-1\" deps=\"-1\"", false).step("rrc", "i0", "i0");
             xml.tb(-1, -1).step("nop", "i0", "i0", 1, "depid=\"0\" deps=\"0\"").step("re", "i0", "i0");
           }),
       {},
       "adds to chunk 0 what gpus 0, 1 gave, which is in it already"},
      {two(out_of_place(), 1,
           [](Xml& xml, int r) { xml.tb(1 - r, 1 - r).step("s", "i0", "i0").step("rrc", "i0", "i0").step("cpy", "i0", "o0"); }),
       {.in_place = false},
       "gpu 0, tb 0, step 1 writes i[0], which stays as it was where input and output are two vectors"},
  };
  for (const Fault& fault : faults) {
    INFO(fault.text);
    CHECK_THAT(said_of(fault.text, fault.call), Catch::Contains(fault.cause));
  }
}

namespace {

struct CopyCase {
  std::string coll = "allgather";
  std::string modes = out_of_place();
  int from = 0;              ///< of rank 1's first copy: i_off, besides what is right
  int into = 0;              ///< o_off
  bool copies = true;        ///< rank 1 has its copies
  bool is_twice = false;     ///< one of them once more
  bool is_last = false;      ///< copies stand behind the threads
  bool is_sent = true;       ///< rank 0 sends to rank 1
  bool uses_output = false;  ///< what is sent is what was copied
};

/// Three ranks, two chunks a block, each to each at once; a rank's own block of the output is there by copies.
std::string direct_with_copies(const CopyCase& what) {
  constexpr int kRanks = 3;
  constexpr int kBlock = 2;
  const bool is_alltoall = what.coll == "alltoall";
  Xml xml(what.coll, kRanks, kRanks * kBlock, what.modes);
  for (int r = 0; r < kRanks; ++r) {
    xml.gpu(r);
    const auto copies = [&] {
      if (r == 1 && !what.copies) return;
      for (int k = 0; k < kBlock; ++k) {
        const bool is_changed = r == 1 && k == 0;
        xml.copy((is_alltoall ? r * kBlock : 0) + k + (is_changed ? what.from : 0),
                 r * kBlock + k + (is_changed ? what.into : 0));
      }
      if (r == 1 && what.is_twice) xml.copy(is_alltoall ? r * kBlock : 0, r * kBlock);
    };
    if (!what.is_last) copies();
    for (int p = 0; p < kRanks; ++p) {
      if (p == r) continue;
      const std::string source = is_alltoall        ? fmt::format("i{}", p * kBlock)
                                 : what.uses_output ? fmt::format("o{}", r * kBlock)
                                                    : "i0";
      if (what.is_sent || r != 0 || p != 1) xml.tb(p, -1).step("s", source, "o0", kBlock);
      if (what.is_sent || p != 0 || r != 1) xml.tb(-1, p).step("r", "i0", fmt::format("o{}", p * kBlock), kBlock);
    }
    if (what.is_last) copies();
  }
  return xml.text();
}

std::string refused_or_said(const std::string& text, const Call& call) {
  try {
    return said_of(text, call);
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a copy puts a chunk of the input into the output before the first step") {
  for (const std::string coll : {"allgather", "alltoall"}) {
    const auto of = [&](CopyCase what) {
      what.coll = coll;
      return what;
    };
    std::vector<CopyCase> right = {of({}), of({.is_last = true}), of({.modes = ""}), of({.modes = "", .is_last = true})};
    if (coll == "allgather") {
      for (const std::string& modes : {in_place(), out_of_place(), both_ways()})
        right.push_back(of({.modes = modes, .uses_output = true}));
      right.push_back(of({.modes = in_place(), .copies = false}));  // there, the block is in its place without
    }
    for (const CopyCase& what : right) {
      for (const bool in_place : {true, false}) {
        INFO(coll << ' ' << what.modes << (in_place ? " in place" : " out of place"));
        CHECK(refused_or_said(direct_with_copies(what), {.in_place = in_place}) == "right");
      }
    }
    // At no cost: the time is that of the messages.
    const Outcome outcome = outcome_of(direct_with_copies(of({})), {.in_place = false});
    REQUIRE(outcome.report() != nullptr);
    CHECK(outcome.report()->rounds.size() == 1);
  }
}

TEST_CASE("what is wrong with a copy is said, and where") {
  struct Case {
    CopyCase what;
    std::string text;
  };
  for (const auto& [what, text] : std::vector<Case>{
           {{.from = 2}, "t.xml:19: gpu 1, copy 0: i_off=\"2\": the input of gpu 1 has chunks 0 to 1"},
           {{.into = 4}, "t.xml:19: gpu 1, copy 0: o_off=\"6\": the output of gpu 1 has chunks 0 to 5"},
           {{.into = 1}, "t.xml:20: gpu 1, copy 1: o_off=\"3\": copy 0 puts i[0] there already"},
           {{.is_twice = true}, "t.xml:21: gpu 1, copy 2: o_off=\"2\": copy 0 puts i[0] there already"},
           {{.modes = in_place(), .into = 2}, "t.xml:19: gpu 1, copy 0: i[0] and o[4] are two places of one vector in place"},
           {{.modes = both_ways(), .into = -2}, "t.xml:19: gpu 1, copy 0: i[0] and o[0] are two places of one vector in place"},
           {{.from = 1},
            "t.xml:19: gpu 1, copy 0 puts chunk 3 where chunk 2 is\n"
            "    at the end o[2] of gpu 1 holds chunk 3 of gpu 1, not chunk 2; it was last written by t.xml:19: gpu 1, copy 0"},
           {{.modes = "", .from = 1}, "it was last written by t.xml:19: gpu 1, copy 0"},
           {{.copies = false}, "at the end o[2] of gpu 1 holds nothing: no step writes it"},
           // A copy to where a block belongs that nobody sends makes up for nothing.
           {{.into = -2, .is_sent = false},
            "t.xml:16: gpu 1, copy 0 puts chunk 2 where chunk 0 is\n"
            "    at the end o[0] of gpu 1 holds chunk 2 of gpu 1, not chunk 0; it was last written by t.xml:16"}}) {
    const std::string said = refused_or_said(direct_with_copies(what), {.in_place = false});
    INFO(said);
    CHECK(said.find(text) != std::string::npos);
  }
  // Whoever has one of the two vectors alone has nothing to copy.
  Xml gather("gather", 2, 2, out_of_place());
  gather.gpu(0).copy(0, 0).tb(-1, 1).step("r", "i0", "o1").gpu(1).copy(0, 0).tb(0, -1).step("s", "i0", "o0");
  CHECK_THAT(refused_or_said(gather.text(), {}), Catch::Contains("gpu 1, copy 0: o_off=\"0\": gpu 1 has no output"));
}

TEST_CASE("a race is said alone, though what comes of it does not fit the count") {
  // Two threads put different chunks into one place of scratch, from where a third takes what is there.
  Xml xml("allreduce", 1, 2, in_place());
  xml.gpu(0, 1).tb(-1, -1).step("cpy", "i0", "s0").tb(-1, -1).step("cpy", "i1", "s0").tb(-1, -1).step("cpy", "s0", "i0");
  const std::string said = refused_or_said(xml.text(), {.count = 3});
  CHECK_THAT(said, Catch::Contains("is chance"));
  CHECK_THAT(said, !Catch::Contains("it needs a multiple"));
}

}  // namespace heddle
