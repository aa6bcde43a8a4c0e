// SPDX-License-Identifier: Apache-2.0
// Cases under many schedules: an algorithm that relies on an order of messages is found, and the case names its schedule.
#include <algorithm>

#include "core/errors.hpp"
#include "emu/explore.hpp"
#include "fuzz/fuzz.hpp"
#include "tests/catch.hpp"
#include "tests/thread_sanitizer.hpp"

namespace heddle {

namespace {

/// A gather in two halves. The root takes both as they come and by one tag: right unless somebody's second half overtakes
/// somebody's first. A root other than rank 0 asks each by name.
void hasty_gather(Communicator& comm, const CollectiveArguments& args) {
  if (comm.rank() != args.root) {
    const std::int64_t half = args.input.count() / 2;
    comm.send(args.root, args.input.slice(0, half));
    comm.send(args.root, args.input.slice(half, args.input.count() - half));
    return;
  }
  if (!args.in_place()) comm.copy(args.blocks.block(args.output, comm.rank().value()), args.input);
  const std::int64_t block = args.output.count() / comm.size();
  Buffer part(args.output.type(), block - block / 2);
  for (const bool is_second : {false, true}) {
    const std::int64_t first = is_second ? block / 2 : 0;
    const std::int64_t count = is_second ? block - block / 2 : block / 2;
    for (int i = 0; i < comm.size(); ++i) {
      if (Rank(i) == args.root) continue;
      const Status from = comm.recv(args.root == Rank(0) ? kAnySource : Rank(i), part.view());
      comm.copy(args.blocks.block(args.output, from.peer.value()).slice(first, count), part.view().slice(0, count));
    }
  }
}

Algorithm hasty_row() {
  Algorithm row{.collective = Collective::gather, .name = "hasty", .run = hasty_gather};
  row.needs.more = "blocks of one size";
  row.needs.has_more = [](const Shape& shape) { return shape.equal_blocks && shape.count % shape.ranks == 0; };
  return row;
}

constexpr auto kExploredCases = testing::sampled<std::int64_t>(12, 3);
constexpr auto kExploredSchedules = testing::sampled<std::int64_t>(400, 60);

ExploreBound few_delays(int delays) {
  ExploreBound bound;
  bound.delays = delays;
  bound.schedules = kExploredSchedules;
  bound.seeds = 10;
  return bound;
}

}  // namespace

TEST_CASE("a case that is right in the usual order is explored, and its failure names the schedule") {
  const std::vector<Algorithm> rows = {hasty_row()};
  const FuzzCase usual = parse_fuzz_case("gather --algo hasty --topo star:3 --size 48");
  CHECK_FALSE(failure_of(usual, rows));
  const std::optional<ExploredFailure> failed = explore_case(usual, rows, few_delays(1));
  REQUIRE(failed);
  CHECK(failed->failure.kind == "wrong_result");
  CHECK(failed->failure.explanation.find("until nothing else can happen") != std::string::npos);
  REQUIRE(failed->what.text().find(" --schedule delays:") != std::string::npos);
  const std::optional<FuzzFailure> again = failure_of(parse_fuzz_case(failed->what.text()), rows);
  REQUIRE(again);
  CHECK(again->kind == failed->failure.kind);
  CHECK(failed->failure.explanation.starts_with(again->explanation));
}

TEST_CASE("fuzzing with exploration finds what relies on an order, small and with its schedule") {
  const FuzzOutcome outcome = fuzz({.rows = {hasty_row()},
                                    .cases = 20,
                                    .most_ranks = 4,
                                    .workers = 2,
                                    .explore = few_delays(1),
                                    .shrink_attempts = testing::sampled(60, 20)});
  REQUIRE(outcome.findings.size() == 1);
  const FuzzFinding& found = outcome.findings.front();
  INFO(outcome.text());
  CHECK(failure_of(found.smallest, std::vector<Algorithm>{hasty_row()}));
  CHECK(found.smallest.text().size() < 120);
}

TEST_CASE("heddle's rows are right under every schedule with one delay") {
  const FuzzOutcome outcome = fuzz({.seed = 3, .cases = kExploredCases, .most_ranks = 4, .explore = few_delays(1)});
  INFO(outcome.text());
  CHECK(outcome.passed());
  CHECK(outcome.coverage.cases() == kExploredCases);
}

TEST_CASE("a case's text has its schedule") {
  const std::string text =
      "allreduce --algo ring --topo star:3 --size 28 --schedule-seed 3 --schedule jitter:3,pick:3,delays:r1.1";
  CHECK(parse_fuzz_case(text).text() == text);
  CHECK_THROWS_AS(parse_fuzz_case("allreduce --algo ring --schedule x"), InputError);
}

}  // namespace heddle
