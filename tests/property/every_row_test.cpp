// SPDX-License-Identifier: Apache-2.0
// Properties of every algorithm: any number of ranks, any fabric, count, root, operation, type, buffering, order and
// threads. What fails is shrunk to the smallest case and shown as the command that repeats it.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "core/affine.hpp"
#include "emu/check/checked_run.hpp"
#include "fuzz/cases/case_data.hpp"
#include "lab/run/setup.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/emu/runs.hpp"
#include "tests/every_row.hpp"
#include "tests/registry_rows.hpp"

namespace heddle::every_row_property {

namespace {

using testing::holds;
using testing::registry_entries;

int draw_ranks() {
  const auto [from, to] = drawn::weighted<std::pair<int, int>>({{6, {1, 10}}, {3, {10, 28}}, {1, {28, 65}}});
  return drawn::number(from, to);
}

int draw_divisor(int n) {
  std::vector<int> divisors;
  for (int d = 1; d <= n; ++d) {
    if (n % d == 0) divisors.push_back(d);
  }
  return drawn::one_of(divisors);
}

/// Groups of `ranks` endpoints, if they can be cut into several: leaves, or pods of a small superpod, four or two to a leaf.
std::string draw_tiered_topology(int ranks) {
  const int groups = draw_divisor(ranks);
  const int size = ranks / groups;
  if (groups == 1 || size == 1) return "star:" + std::to_string(ranks);
  // More pods than spines can join are too many.
  if (groups > 8 * size || drawn::any<bool>()) return fmt::format("clos:hosts={},leaves={},spines=2", size, groups);
  return fmt::format("superpod:pods={},gpus={},trays={},ports={}", groups, size, size, drawn::one_of({4, 8}) * size);
}

/// What the switches compute: nothing, everything, everything in reduced precision.
std::string draw_offers() {
  return drawn::one_of<std::string>({"", ",alu,multicast,a2a", ",alu,multicast,a2a,precision=bf16"});
}

std::string draw_topology(int ranks) {
  const auto p = std::to_string(ranks);
  const int family = drawn::number(0, 8);
  if (family > 5) return draw_tiered_topology(ranks) + draw_offers();
  if (family == 0) return "star:" + p + draw_offers();
  if (family == 1) return "ring:" + p;
  if (family == 2 && ranks <= 24) return "fullmesh:" + p;
  const int first = draw_divisor(ranks);
  std::string dims = std::to_string(first) + 'x' + std::to_string(ranks / first);
  if (family == 5) {
    const int second = draw_divisor(ranks / first);
    dims = std::to_string(first) + 'x' + std::to_string(second) + 'x' + std::to_string(ranks / first / second);
  }
  return (family == 4 ? "mesh:" : "torus:") + dims;
}

const std::vector<Datatype>& types() {
  static const std::vector<Datatype> all = [] {
    std::vector<Datatype> types(builtin_datatypes().begin(), builtin_datatypes().end());
    return types;
  }();
  return all;
}

void draw_operation(Experiment& what, const Algorithm& row) {
  what.type = drawn::one_of(types());
  if (!reduces(row.collective)) return;
  if (!row.needs.commutative && drawn::number(0, 3) == 0) {
    what.op = &affine_op();
    what.type = affine_type();
    return;
  }
  std::vector<const ReduceOp*> ops;
  for (const ReduceOp* op : builtin_ops()) {
    if (op->supports(*what.type)) ops.push_back(op);
  }
  what.op = drawn::one_of(ops);
}

void draw_count(Experiment& what, const Algorithm& row) {
  const Shape shape = what.shape();
  const std::int64_t block_count = row.block_count(shape);
  const std::int64_t p = shape.ranks;
  if (has_blocks(row.collective) && !row.needs.equal_blocks && drawn::number(0, 3) == 0) {
    BlockSizes blocks(static_cast<std::size_t>(p));
    for (std::int64_t& block : blocks) block = drawn::number<std::int64_t>(0, 20);
    set_blocks(what, blocks);
    return;
  }
  std::int64_t count = drawn::any<bool>()
                           ? drawn::number<std::int64_t>(0, 300)
                           : drawn::one_of({std::int64_t{0}, std::int64_t{1}, p - 1, p, p + 1, block_count, 2 * block_count});
  if (row.collective == Collective::alltoall) count -= count % p;
  set_count(what, count);
}

void draw_settings(Experiment& what) {
  // A rank's tasks share the credits of a pair: so many that each has one.
  what.buffering = drawn::one_of({Buffering::eager(), Buffering::eager(), Buffering::synchronous(), Buffering::limited(8)});
  if (drawn::any<bool>()) what.order_seed = drawn::number<std::uint64_t>(0, 1000);
  if (drawn::number(0, 100) == 99) what.threads = Threads::kernel;
}

Experiment draw_case(const std::vector<Algorithm>& rows) {
  const int ranks = draw_ranks();
  const Algorithm& row = rows[drawn::number<std::size_t>(0, rows.size())];
  Experiment what = testing::call_of(row, testing::where_all_takes_time(draw_topology(ranks)));
  RC_PRE(what.why_not().empty());
  draw_operation(what, row);
  draw_count(what, row);
  if (has_root(row.collective)) what.root = drawn::number(0, ranks);
  what.in_place = drawn::any<bool>();
  what.seed = drawn::number<std::uint64_t>(1, 100);
  if (drawn::number(0, 4) == 0) what.placement = fmt::format("random:{}", drawn::number<std::uint64_t>(1, 50));
  draw_settings(what);
  RC_PRE(what.why_not().empty());
  return what;
}

/// The default number of a pipeline's segments depends on the bytes of the whole.
bool cuts_by_size(const Algorithm& algorithm) {
  const Algorithm row = find_algorithm(algorithm.collective, algorithm.name.substr(0, algorithm.name.find(':')));
  return std::any_of(row.parameters.begin(), row.parameters.end(),
                     [](const Parameter& parameter) { return parameter.name == "segments"; });
}

/// Right in every case, with exactly the rounds and bytes that the row promises where it promises them.
void is_right(Collective collective) {
  const std::vector<Algorithm> rows = registry_entries(collective);
  REQUIRE_FALSE(rows.empty());
  CHECK(holds(to_string(collective), 1000, 5000, [&] {
    const Experiment what = draw_case(rows);
    RC_LOG() << "heddle run " << what.text() << '\n';
    testing::run(what);
  }));
}

PacketSettings draw_packet_settings() {
  PacketSettings settings;
  settings.mtu = Bytes(drawn::one_of<std::int64_t>({4096, 256, 64, 1500}));
  settings.header = Bytes(drawn::one_of<std::int64_t>({0, 0, 26}));
  using Forward = PacketSettings::Forward;
  settings.forward = drawn::one_of<Forward>({{}, {Forward::Kind::whole, 0}, {Forward::Kind::bytes, 32}});
  using Buffer = PacketSettings::Buffer;
  settings.buffer =
      drawn::one_of<Buffer>({{}, {Buffer::Kind::slots, 1}, {Buffer::Kind::slots, 3}, {Buffer::Kind::unbounded, 0}});
  settings.queues = drawn::one_of({PacketSettings::Queues::voq, PacketSettings::Queues::fifo});
  settings.arbiter =
      drawn::one_of({PacketSettings::Arbiter::transit, PacketSettings::Arbiter::round_robin, PacketSettings::Arbiter::oldest});
  return settings;
}

/// With `scale` bytes charged for each one held.
Report run_scaled(const Experiment& what, std::int64_t scale) {
  const Setup setup = set_up(what);
  CollectiveCall call = setup.call(setup.algorithms.chosen.front());
  call.count *= scale;
  return run_checked(setup.fabric, setup.placement, call, setup.settings);
}

/// The call once more, each message by itself or not.
Report run_in_lockstep(const Experiment& what, bool lockstep) {
  Setup setup = set_up(what);
  setup.settings.lockstep = lockstep;
  return run_checked(setup.fabric, setup.placement, setup.call(setup.algorithms.chosen.front()), setup.settings);
}

}  // namespace

TEST_CASE("any broadcast") { is_right(Collective::broadcast); }
TEST_CASE("any reduce") { is_right(Collective::reduce); }
TEST_CASE("any allreduce") { is_right(Collective::allreduce); }
TEST_CASE("any reduce_scatter") { is_right(Collective::reduce_scatter); }
TEST_CASE("any allgather") { is_right(Collective::allgather); }
TEST_CASE("any gather") { is_right(Collective::gather); }
TEST_CASE("any scatter") { is_right(Collective::scatter); }
TEST_CASE("any alltoall") { is_right(Collective::alltoall); }
TEST_CASE("any barrier") { is_right(Collective::barrier); }

TEST_CASE("any call in packets is right, and ends, and every picosecond of each link is accounted for") {
  CHECK(holds("packets", 1000, 10'000, [] {
    const std::vector<Collective> collectives(all_collectives().begin(), all_collectives().end());
    Experiment what = draw_case(registry_entries(drawn::one_of(collectives)));
    what.model = Model(Model::packets.name(), draw_packet_settings());
    RC_PRE(what.why_not().empty());
    RC_LOG() << "heddle run " << what.text() << '\n';
    const Report report = testing::run(what);
    std::int64_t hops = 0;
    for (const PacketLinkReport& link : report.packets->links) {
      RC_ASSERT(link.busy + link.stalled + link.blocked + link.idle == report.completion);
      RC_ASSERT(link.slots == 0 || link.slots_max <= link.slots);
      hops += link.packets;
    }
    const std::int64_t header = what.model.packet_settings().header.count();
    for (const LinkReport& link : report.links) {
      const PacketLinkReport& packets = report.packets->links[static_cast<std::size_t>(link.link)];
      RC_ASSERT(packets.wire_bytes.count() == link.bytes.count() + packets.packets * header);
    }
    RC_ASSERT(hops == report.packets->packet_hops);
    RC_ASSERT(report.critical_path.parts.total() == report.completion);
  }));
}

TEST_CASE("where no packet waits, messages take the fluid's time") {
  CHECK(holds("packets and fluid", 1000, 10'000, [] {
    const std::vector<Collective> collectives(all_collectives().begin(), all_collectives().end());
    Experiment what = draw_case(registry_entries(drawn::one_of(collectives)));
    what.fabric.routing = Routing::deterministic();
    what.order_seed.reset();
    RC_PRE(what.why_not().empty());
    const Report fluid = testing::run(what);
    const auto has_no_company = [](const LinkReport& link) { return link.peak_flows <= 1; };
    RC_PRE(std::ranges::all_of(fluid.links, has_no_company));
    what.model = parse_model("packets:buffer=inf");
    RC_PRE(what.why_not().empty());
    RC_LOG() << "heddle run " << what.text() << '\n';
    const Report packets = testing::run(what);
    RC_PRE(std::ranges::all_of(packets.links, has_no_company));
    for (std::size_t i = 0; i < fluid.links.size(); ++i) RC_ASSERT(fluid.links[i].bytes == packets.links[i].bytes);
    const std::int64_t apart = (packets.completion - fluid.completion).ps();
    RC_ASSERT(std::abs(apart) <= fluid.messages());
  }));
}

TEST_CASE("rounds that all ranks make together are reported as messages that go one by one") {
  std::int64_t rounds = 0;
  CHECK(holds("rounds together", 60, 10'000, [&rounds] {
    const std::vector<Collective> collectives(all_collectives().begin(), all_collectives().end());
    const Collective collective = drawn::one_of(collectives);
    const std::vector<Algorithm> rows = registry_entries(collective);
    const int ranks = drawn::evenly(32, 72);
    Experiment like{{.fabric = {.topology = draw_topology(ranks)}}, {}, {}};
    like.fabric.preset = drawn::one_of<std::string>({"", "", "swing-nsdi24", "trivance"});
    Experiment what = testing::call_of(drawn::one_of(rows), like);
    RC_PRE(what.why_not().empty());
    if (has_root(collective)) what.root = drawn::number(0, ranks);
    if (collective != Collective::barrier) set_count(what, ranks * drawn::number<std::int64_t>(1, 9) + drawn::number(0, 2));
    if (collective == Collective::alltoall) set_count(what, ranks * ranks);
    if (drawn::number(0, 4) == 0) what.placement = fmt::format("random:{}", drawn::number<std::uint64_t>(1, 50));
    RC_PRE(what.why_not().empty());
    RC_LOG() << "heddle run " << what.text() << '\n';
    const Report together = run_in_lockstep(what, true);
    const Report one_by_one = run_in_lockstep(what, false);
    RC_ASSERT(reported(together) == reported(one_by_one));
    RC_ASSERT(one_by_one.host.lockstep_rounds == 0);
    rounds += together.host.lockstep_rounds;
  }));
  CHECK(rounds > 10);
}

TEST_CASE("scaling the payload scales nothing but bytes and time") {
  const std::vector<Collective> collectives(all_collectives().begin(),
                                            all_collectives().end() - 1);  // a barrier has no payload
  CHECK(holds("payload scale", 1000, 5000, [&] {
    const Collective collective = drawn::one_of(collectives);
    const std::vector<Algorithm> rows = registry_entries(collective);
    Experiment what = draw_case(rows);
    RC_PRE(blocks_of(what).empty() && count_of(what) > 0);
    RC_PRE(!cuts_by_size(find_algorithm(collective, what.algorithm)));
    what.order_seed.reset();
    const auto scale = drawn::number<std::int64_t>(2, 50);
    RC_LOG() << "heddle run " << what.text() << ", " << scale << " times as large\n";
    const Report once = run_scaled(what, 1);
    const Report scaled = run_scaled(what, scale);
    RC_ASSERT(scaled.messages() == once.messages());
    RC_ASSERT(scaled.rounds_max() == once.rounds_max());
    RC_ASSERT(scaled.sent_max().count() == once.sent_max().count() * scale);
    RC_ASSERT(scaled.completion >= once.completion);
  }));
}

}  // namespace heddle::every_row_property
