// SPDX-License-Identifier: Apache-2.0
// A run that holds a part of the vector: whose time is then that of the whole, and what becomes of the others.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "emu/record/memory_estimate.hpp"
#include "heddle/errors.hpp"
#include "lab/documents/context.hpp"
#include "lab/results/decisions.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/sweep/sweep.hpp"
#include "show/page/page.hpp"
#include "show/reports/run_table.hpp"
#include "show/reports/sweep_report.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/every_row.hpp"
#include "tests/registry_rows.hpp"

namespace heddle {

namespace {

using Catch::Matchers::Contains;

constexpr std::int64_t kScale = 16;

/// A count of which a sixteenth has whole blocks.
std::int64_t count_for(const Algorithm& row, const Experiment& like) {
  std::int64_t count = 4096;
  for (int attempt = 0; attempt < 8; ++attempt) {
    const Setup setup = set_up(testing::call_of(row, like, count), Unfitting::left_out);
    const std::int64_t together = kScale * setup.block_count(row, setup.shapes());
    if (count % together == 0) return count;
    count = (count + together - 1) / together * together;
  }
  return 0;
}

Report run_part(const Setup& setup, const Algorithm& row, std::int64_t held) {
  CollectiveCall call = setup.call(row);
  call.sampled = held;
  call.calls = 1;
  return run_checked(setup.fabric, setup.placement, call, setup.settings);
}

/// What a user may write: whole vectors down a chain, in segments of so many bytes.
std::int64_t elements_of(const Communicator& comm, ConstVectorView vector, std::int64_t bytes, bool asks_scale) {
  const double held = static_cast<double>(bytes) / (asks_scale ? comm.byte_scale() : 1);
  return std::max<std::int64_t>(1, std::llround(held / static_cast<double>(vector.type().size())));
}

void chain_down(Communicator& comm, VectorView vector, std::int64_t piece, Rank root = Rank(0)) {
  const int p = comm.size();
  const int place = (comm.rank().value() - root.value() + p) % p;
  const auto rank_at = [&](int other) { return Rank((root.value() + other) % p); };
  for (std::int64_t first = 0; first < vector.count(); first += piece) {
    const VectorView part = vector.slice(first, std::min(piece, vector.count() - first));
    if (place > 0) comm.recv(rank_at(place - 1), part);
    if (place + 1 < p) comm.send(rank_at(place + 1), part);
  }
}

void chain_up(Communicator& comm, VectorView vector, std::int64_t piece, const ReduceOp& op) {
  const int rank = comm.rank().value();
  std::vector<std::byte> memory(static_cast<std::size_t>(std::min(piece, vector.count())) * vector.type().size());
  for (std::int64_t first = 0; first < vector.count(); first += piece) {
    const VectorView part = vector.slice(first, std::min(piece, vector.count() - first));
    const VectorView came(memory.data(), part.count(), vector.type());
    if (rank + 1 < comm.size()) {
      comm.recv(Rank(rank + 1), came);
      comm.reduce_into(part, came, op, Side::right);
    }
    if (rank > 0) comm.send(Rank(rank - 1), part);
  }
}

void broadcast_in_segments(Communicator& comm, const CollectiveArguments& call, std::int64_t bytes, bool asks_scale) {
  chain_down(comm, call.output, elements_of(comm, call.output, bytes, asks_scale), call.root);
}

/// From the root to all at once while it is little, else down the chain in four pieces.
void broadcast_by_size(Communicator& comm, const CollectiveArguments& call, std::int64_t bytes, bool asks_scale) {
  if (call.output.count() > elements_of(comm, call.output, bytes, asks_scale))
    return chain_down(comm, call.output, (call.output.count() + 3) / 4, call.root);
  if (comm.rank() != call.root) {
    comm.recv(call.root, call.output);
    return;
  }
  std::vector<Request> sends;
  for (int rank = 0; rank < comm.size(); ++rank)
    if (Rank(rank) != call.root) sends.push_back(comm.isend(Rank(rank), call.output));
  comm.wait_all(sends);
}

void allreduce_in_segments(Communicator& comm, const CollectiveArguments& call, std::int64_t bytes, bool asks_scale) {
  const std::int64_t piece = elements_of(comm, call.output, bytes, asks_scale);
  chain_up(comm, call.output, piece, *call.op);
  chain_down(comm, call.output, piece);
}

void allgather_in_segments(Communicator& comm, const CollectiveArguments& call, std::int64_t bytes, bool asks_scale) {
  const int p = comm.size();
  const std::int64_t piece = elements_of(comm, call.output, bytes, asks_scale);
  const Rank next((comm.rank().value() + 1) % p);
  const Rank before((comm.rank().value() + p - 1) % p);
  const std::int64_t block = call.output.count() / p;
  for (int step = 0; step + 1 < p; ++step) {
    const auto block_at = [&](int back) { return (comm.rank().value() + p - back) % p * block; };
    for (std::int64_t first = 0; first < block; first += piece) {
      const std::int64_t count = std::min(piece, block - first);
      comm.sendrecv(next, call.output.slice(block_at(step) + first, count), before,
                    call.output.slice(block_at(step + 1) + first, count));
    }
  }
}

using ByBytes = void (*)(Communicator&, const CollectiveArguments&, std::int64_t bytes, bool asks_scale);

Algorithm entry(Collective collective, std::string name, ByBytes run, std::int64_t bytes, bool asks_scale) {
  Algorithm row;
  row.collective = collective;
  row.name = std::move(name);
  row.run = [=](Communicator& comm, const CollectiveArguments& call) { run(comm, call, bytes, asks_scale); };
  row.independent_of_size = asks_scale;
  // A byte stands for scale bytes: a segment has at least an element.
  if (asks_scale) row.block_count = [](const Shape& shape) { return std::int64_t{shape.ranks} * 64; };
  return row;
}

/// Twenty of them.
std::vector<Algorithm> entries(bool asks_scale) {
  std::vector<Algorithm> rows;
  for (const std::int64_t bytes : {1 << 10, 2 << 10, 4 << 10, 8 << 10, 16 << 10}) {
    const std::string cut = std::to_string(bytes);
    rows.push_back(entry(Collective::broadcast, "segments_" + cut, broadcast_in_segments, bytes, asks_scale));
    rows.push_back(entry(Collective::broadcast, "by_size_" + cut, broadcast_by_size, 16 * bytes, asks_scale));
    rows.push_back(entry(Collective::allreduce, "up_and_down_" + cut, allreduce_in_segments, bytes, asks_scale));
    rows.push_back(entry(Collective::allgather, "ring_" + cut, allgather_in_segments, bytes, asks_scale));
  }
  return rows;
}

Experiment call_of(const std::vector<Algorithm>& rows, const Algorithm& row, Bytes size) {
  Experiment what{{.fabric = {.topology = "star:8", .latency = {Time::ps(100'000)}}}, {.collective = row.collective}, {}};
  what.fabric.bandwidth = {parse_bandwidth("10GB/s")};
  what.algorithm = row.name;
  what.own = std::make_shared<const std::vector<Algorithm>>(rows);
  what.size = size;
  what.calls = 2;
  return what;
}

Experiment with_payload(Experiment what, std::optional<Bytes> payload) {
  what.payload = payload;
  what.payload_asked = true;
  return what;
}

Time time_of(const Experiment& what) {
  const Outcome outcome = what.run();
  REQUIRE(outcome.report() != nullptr);
  return outcome.report()->completion;
}

}  // namespace

TEST_CASE("each of heddle's own algorithms sends at scale 16 what it sends at scale 1, each message 16 times as long") {
  std::set<std::string> seen;
  for (const char* topology :
       {"star:8,alu,multicast,a2a", "torus:4x4", "superpod:pods=2,gpus=4,trays=1", "mesh:3x5", "star:7"}) {
    Experiment like = testing::where_all_takes_time(topology);
    like.fabric.latency = {Time::ps(100'000)};
    for (const Algorithm& row : testing::registry_entries()) {
      CAPTURE(topology, to_string(row.collective), row.name);
      CHECK(row.independent_of_size);
      const std::string name = to_string(row.collective) + '/' + row.name;
      if (row.collective == Collective::barrier || (testing::kUnderAddressSanitizer && seen.contains(name))) continue;
      if (!testing::serves(set_up(testing::call_of(row, like, 4096), Unfitting::left_out))) continue;
      const std::int64_t count = count_for(row, like);
      if (count == 0) continue;
      const Setup setup = set_up(testing::call_of(row, like, count), Unfitting::left_out);
      if (!testing::serves(setup)) continue;
      const Algorithm& chosen = setup.algorithms.chosen.at(0);
      const Report whole = run_part(setup, chosen, count);
      const Report part = run_part(setup, chosen, count / kScale);
      CHECK(part.byte_scale == kScale);
      CHECK(part.messages() == whole.messages());
      CHECK(part.messages_digest == whole.messages_digest);
      CHECK(part.completion == whole.completion);
      CHECK(part.sent_max() == whole.sent_max());
      seen.insert(name);
    }
  }
  for (const Algorithm& row : registry()) {
    CAPTURE(to_string(row.collective), row.name);
    if (row.collective != Collective::barrier) CHECK(seen.contains(to_string(row.collective) + '/' + row.name));
  }
}

TEST_CASE("where nothing is known of a message's cost a pipeline has as many segments at any scale") {
  Experiment like;
  like.fabric.topology = "star:5";
  like.fabric.bandwidth = {parse_bandwidth("inf")};
  like.fabric.latency = {Time()};
  const Algorithm row = find_algorithm(Collective::broadcast, "chain");
  const std::int64_t count = 14 * kScale * 4800;
  const Setup setup = set_up(testing::call_of(row, like, count));
  REQUIRE(count % (kScale * setup.block_count(row, setup.shapes())) == 0);
  REQUIRE(setup.block_count(row, setup.shapes()) > 1);
  CHECK(run_part(setup, row, count / kScale).messages_digest == run_part(setup, row, count).messages_digest);
}

TEST_CASE("what does not say that it is independent of size is held whole, and what says so in part") {
  const std::vector<Algorithm> rows = entries(false);
  for (const Algorithm& row : rows) {
    CAPTURE(row.name);
    const Setup setup = set_up(call_of(rows, row, Bytes(64 << 20)));
    const Algorithm& chosen = setup.algorithms.chosen.at(0);
    CHECK(setup.call(chosen).sampled == setup.count);
    CHECK_FALSE(setup.assumes_scale(chosen, 1));
    Experiment followed = call_of(rows, row, Bytes(64 << 20));
    followed.positions = true;
    const Setup with_positions = set_up(followed);
    CHECK(with_positions.call(with_positions.algorithms.chosen.at(0)).sampled == with_positions.count);
    // As asked, and marked.
    const Setup asked = set_up(with_payload(call_of(rows, row, Bytes(64 << 20)), Bytes(64 << 20)));
    CHECK(asked.call(asked.algorithms.chosen.at(0)).sampled < asked.count);
    CHECK(asked.assumes_scale(asked.algorithms.chosen.at(0), 8));
  }
  const Setup own = set_up(call_of(rows, find_algorithm(Collective::allreduce, "ring"), Bytes(64 << 20)));
  CHECK(own.call(own.algorithms.chosen.at(0)).sampled < own.count);
}

TEST_CASE("a program that asks the scale takes the whole's time on a part of it") {
  const std::vector<Algorithm> rows = entries(true);
  for (const Algorithm& row : rows) {
    for (const std::int64_t size : {64 << 10, 256 << 10, 1 << 20}) {
      CAPTURE(row.name, size);
      const Experiment what = call_of(rows, row, Bytes(size));
      const Experiment part = with_payload(what, Bytes(8 * size / 16));
      const Setup setup = set_up(part);
      CHECK(setup.call(setup.algorithms.chosen.at(0)).sampled == setup.count / 16);
      CHECK(time_of(part) == time_of(with_payload(what, std::nullopt)));
    }
  }
}

TEST_CASE("one that cuts by bytes and does not ask takes another time on a part, which is why it is marked") {
  const std::vector<Algorithm> rows = entries(false);
  for (const char* name : {"segments_4096", "by_size_4096", "up_and_down_4096", "ring_4096"}) {
    const auto row = std::ranges::find(rows, std::string(name), &Algorithm::name);
    const Experiment what = call_of(rows, *row, Bytes(256 << 10));
    CAPTURE(name);
    CHECK(time_of(with_payload(what, Bytes(128 << 10))) != time_of(what));
    CHECK(time_of(what) == time_of(with_payload(what, std::nullopt)));
  }
}

TEST_CASE("what is held whole and does not fit the machine is refused if it was named, and left out of all") {
  std::vector<Algorithm> rows = entries(false);
  Experiment what = call_of(rows, rows[0], Bytes(machine_memory().count() / 8));
  CHECK_THROWS_WITH(set_up(what), Contains("--algo 'segments_1024'") && Contains("--data-memory") &&
                                      Contains(".independent_of_size") && !Contains("\n"));
  const Setup all = set_up(what, "all");
  CHECK(std::ranges::none_of(all.algorithms.chosen, [](const Algorithm& row) { return !row.independent_of_size; }));
  const auto left = std::ranges::find(all.algorithms.left_out, std::string("segments_1024"), &LeftOut::algorithm);
  REQUIRE(left != all.algorithms.left_out.end());
  CHECK_THAT(left->reason, Contains("all of its vectors would be held"));
  // As asked.
  CHECK_NOTHROW(set_up(with_payload(what, Bytes(1 << 20))));
  what.positions = true;
  CHECK(set_up(what).assumes_scale(rows[0], 16));
  CHECK(set_up(what).call(rows[0]).sampled < set_up(what).count);
}

TEST_CASE("groups that call beside each other are held whole if one of them has to be") {
  const std::vector<Algorithm> rows = entries(false);
  Experiment what = call_of(rows, rows[2], Bytes(64 << 20));
  what.groups = "0-3=allreduce@64MiB + 4-7=allreduce/ring@64MiB";
  const Setup setup = set_up(what, "up_and_down_1024");
  CHECK(setup.sampled(setup.algorithms.chosen.at(0), setup.shapes()) == setup.count);
  const Setup own = set_up(what, "rabenseifner");
  CHECK(own.sampled(own.algorithms.chosen.at(0), own.shapes()) < own.count);
  const Setup asked = set_up(with_payload(what, Bytes(1 << 20)), "up_and_down_1024");
  CHECK(asked.assumes_scale(asked.algorithms.chosen.at(0), 16));
}

TEST_CASE("a marked time has its mark in table, JSON, CSV, page and decisions") {
  const std::vector<Algorithm> rows = entries(false);
  const Experiment what = with_payload(call_of(rows, rows[2], Bytes(256 << 10)), Bytes(128 << 10));
  const Setup setup = set_up(what, "up_and_down_1024,ring");
  std::ostringstream out;
  TableReporter table(out, TableReporter::kWide);
  table.begin(setup);
  for (const Algorithm& row : setup.algorithms.chosen) {
    const Outcome outcome = run_algorithm(setup, row);
    table.add(outcome);
    const nlohmann::ordered_json json = json_of_run(outcome);
    CHECK(json.contains("scale_assumed") == (row.name != "ring"));
    if (row.name != "ring") CHECK(json.at("bytes_run") == 16 << 10);
  }
  table.end(setup);
  CHECK_THAT(out.str(), Contains(" ~up_and_down_1024 ") && Contains(" ring ") && Contains("16KiB of 256KiB") &&
                            Contains("--data-memory full") && !Contains("~ring"));

  Sweep sweep;
  sweep.common = what;
  sweep.common.size.reset();
  sweep.algorithms = "up_and_down_1024,up_and_down_16384";
  sweep.sizes = {Bytes(8 << 10), Bytes(256 << 10), Bytes(1 << 20)};
  const SweepDocument document = run(sweep);
  const std::string text = table_text_of(document);
  // Whatever names it names it so.
  CHECK_THAT(text, Contains("~up_and_down_1024") && Contains("16KiB of 256KiB, 16KiB of 1MiB"));
  CHECK_THAT(text, !Contains(" up_and_down_1024") && !Contains(" up_and_down_16384"));
  CHECK_THAT(csv_text_of(document), Contains("scale_assumed,bytes_run") && Contains(",16.0,true,16384,"));
  CHECK_THAT(json_text_of(document), Contains("\"scale_assumed\":true,\"bytes_run\":16384"));
  CHECK_THAT(pages::sweep_page(document), Contains("~up_and_down_1024") && Contains("ran a part of its vector"));
  // Read back, it is the same.
  for (const SweepResult& result : document.runs)
    CHECK(result_from_json(json_of(result, fabric_of(document, result))) == result);
  CHECK(std::ranges::count_if(document.runs, [](const SweepResult& one) { return one.measured->scale_assumed; }) == 4);
}

TEST_CASE("how many messages a run will send is estimated for each algorithm within a factor of four") {
  for (const char* topology : {"torus:6x6", "star:24"}) {
    const Experiment like = testing::where_all_takes_time(topology);
    for (const Algorithm& row : registry()) {
      const Setup setup =
          set_up(testing::call_of(row, like, row.collective == Collective::barrier ? 0 : 36 * 24 * 8), Unfitting::left_out);
      if (!testing::serves(setup)) continue;
      CAPTURE(topology, to_string(row.collective), row.name);
      const RunCost cost = run_cost(setup, row, setup.shapes());
      const auto sent = static_cast<double>(testing::run(setup).messages());
      CHECK_FALSE(cost.is_guess);
      CHECK(cost.messages / setup.asked.calls < 4 * sent + 8 * setup.ranks());
      CHECK(4 * cost.messages / setup.asked.calls > sent);
    }
  }
}

TEST_CASE("a run of more than ten seconds says what it takes, a short one nothing") {
  const auto text_of = [](const std::string& topology, const std::string& algorithms) {
    Experiment what{{.fabric = {.topology = topology}}, {.collective = Collective::allreduce}, {}};
    what.size = Bytes(1 << 20);
    return long_run_text(set_up(what, algorithms), 1);
  };
  CHECK_FALSE(text_of("star:64", "all"));
  CHECK_FALSE(text_of("star:1000", "ring"));
  const auto text = text_of("star:20000", "ring");
  REQUIRE(text);
  CHECK_THAT(*text, Contains("1.6 billion messages") && Contains(" minutes") && Contains(" of memory"));
}

}  // namespace heddle
