// SPDX-License-Identifier: Apache-2.0
// Cases in processes of their own, from a program that uses the library.
#include "fuzz/processes/case_process.hpp"

#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "core/errors.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/processes/case_message.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/faulty_rows.hpp"
#include "tests/sanitizers.hpp"

namespace heddle {

namespace {

using namespace heddle::testing;

constexpr std::chrono::seconds kLimit(20);

Experiment any_case() { return Experiment::parse("barrier --algo dissemination --topo star:3"); }

}  // namespace

TEST_CASE("a request and a reply are read back as they were written") {
  const CaseRequest request = unpack_request(pack(CaseRequest{.index = 7, .text = "a case", .twice = true}));
  CHECK(request.index == 7);
  CHECK(request.text == "a case");
  CHECK(request.twice);
  CHECK_FALSE(unpack_request(pack(CaseRequest{.text = "x"})).index);
  CaseReply reply{.row = {Collective::gather, "linear"}};
  reply.end.ranks = 12;
  reply.end.fault_kind = "rank late";
  reply.end.fault_end = FaultEnd::named;
  reply.end.failure = Failure{CheckError::Kind::endless, "for\never"};
  reply.text = "gather";
  const CaseReply read = unpack_reply(pack(reply));
  CHECK(read.row == reply.row);
  CHECK(read.end.ranks == 12);
  CHECK(read.end.fault_kind == "rank late");
  CHECK(read.end.fault_end == FaultEnd::named);
  CHECK(read.end.failure == reply.end.failure);
  CHECK(read.text == "gather");
  CHECK(read.error.empty());
  CHECK_THROWS_AS(unpack_reply("short"), InputError);
}

TEST_CASE("what a process does when it runs a case is how the case ends") {
  const auto end_of_doing = [](const std::function<void()>& what) {
    const CaseServer server = [&what](const CaseRequest&, const std::function<void(const Experiment&)>& is_at) {
      is_at(any_case());
      what();
      return CaseReply{.text = "right"};
    };
    return run_alone(server, {}, kLimit);
  };
  const auto right = end_of_doing([] {});
  REQUIRE(right);
  CHECK(right->text == "right");
  CHECK_FALSE(right->end.failure);

  const auto left = end_of_doing([] { _exit(0); });
  REQUIRE(left->end.failure);
  CHECK(left->end.failure->kind == CheckError::Kind::ended);
  CHECK(left->text == any_case().text());
  CHECK_THAT(left->end.failure->explanation, Catch::Contains("with exit status 0 in the middle of the call"));

  CHECK(end_of_doing([] { throw InputError("no such case"); })->error == "no such case");
}

TEST_CASE("a case that takes too long is endless, and is given up when somebody says so") {
  const CaseServer server = [](const CaseRequest&, const std::function<void(const Experiment&)>& is_at) -> CaseReply {
    is_at(any_case());
    while (true) usleep(1000);
  };
  const auto late = run_alone(server, {}, std::chrono::milliseconds(50));
  REQUIRE(late->end.failure);
  CHECK(late->end.failure->kind == CheckError::Kind::endless);
  CHECK_FALSE(run_alone(server, {}, kLimit, [] { return true; }));
}

TEST_CASE("processes find what threads find, and any number of them the same") {
  FuzzSettings settings{.seed = 4,
                        .rows = {right_row(), forgetful_row(), waiting_row()},
                        .cases = testing::sampled(60, 20),
                        .most_ranks = testing::sampled(12, 8),
                        .shrink_attempts = testing::sampled(60, 20)};
  settings.keep_going = true;
  settings.workers = 1;
  const FuzzOutcome threads = fuzz(settings);
  settings.in_processes = true;
  for (const int workers : {1, 3}) {
    settings.workers = workers;
    const FuzzOutcome processes = fuzz(settings);
    CHECK(processes.text() == threads.text());
    CHECK(processes.coverage.rows() == threads.coverage.rows());
    CHECK(processes.coverage.ranks() == threads.coverage.ranks());
  }
}

TEST_CASE("a row that leaves the process is one finding among others") {
  Algorithm leaving = right_row();
  leaving.name = "leaving";
  leaving.run = [run = leaving.run](Communicator& comm, const CollectiveArguments& arguments) {
    if (comm.size() > 4) std::exit(0);
    run(comm, arguments);
  };
  FuzzSettings settings{.rows = {leaving, waiting_row()}, .cases = 60, .most_ranks = 12, .workers = 2, .in_processes = true};
  settings.keep_going = true;
  const FuzzOutcome outcome = fuzz(settings);
  INFO(outcome.text());
  CHECK(outcome.coverage.cases() == 60);
  REQUIRE(outcome.findings.size() == 2);
  const bool first = outcome.findings.front().failure.kind == CheckError::Kind::ended;
  const FuzzFinding& ended = outcome.findings[first ? 0 : 1];
  CHECK(ended.failure.kind == CheckError::Kind::ended);
  CHECK_THAT(ended.smallest.text(), Catch::Contains("--topo star:5"));
}

TEST_CASE("saved cases are run first, and those of other rows are not") {
  FuzzSettings settings{.rows = {right_row(), waiting_row()}, .cases = 10, .most_ranks = 4, .in_processes = true};
  settings.saved = {{"barrier --algo dissemination --topo star:3", "the first"},
                    {"barrier --algo waiting --topo star:3", "the second"}};
  const FuzzOutcome outcome = fuzz(settings);
  REQUIRE(outcome.findings.size() == 1);
  CHECK(outcome.findings.front().saved_as == "the second");
  CHECK(outcome.coverage.cases() == 0);
  CHECK_THAT(outcome.text(), Catch::Contains("\n  saved as the second: barrier --algo waiting --topo star:3\n"));
}

}  // namespace heddle
