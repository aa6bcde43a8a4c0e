// SPDX-License-Identifier: Apache-2.0
// Cases in processes of their own, from a program that uses the library.
#include "fuzz/case_process.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/fuzz/faulty_rows.hpp"

namespace heddle {

namespace {

using namespace heddle::testing;

constexpr std::chrono::seconds kLimit(20);

Experiment any_case() { return Experiment::parse("barrier --algo dissemination --topo star:3"); }

/// Waits until it is there.
CaseProcess::Answer next_answer(CaseProcess& process) {
  while (true) {
    if (std::optional<CaseProcess::Answer> answer = process.take()) return *std::move(answer);
    if (process.has_ended()) throw std::logic_error("the process answers no more");
    process.wait(std::chrono::milliseconds(10));
  }
}

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
  // Of what somebody else has written, or cut, none is taken for a message, and nothing beyond its end is read.
  const std::string whole = pack(reply);
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK_THROWS_AS(unpack_reply(whole.substr(0, length)), InputError);
  CHECK_THROWS_AS(unpack_reply(whole + "x"), InputError);
  CHECK_THROWS_AS(unpack_request(std::string(whole.size(), '\xff')), InputError);
}

TEST_CASE("a process that is to stay on a core, and its threads, may use no other; one that is not may use all") {
  const std::vector<int> all = usable_cores();
  REQUIRE_FALSE(all.empty());
  const CaseServer server = [](const CaseRequest&, const std::function<void(const Experiment&)>& is_at) {
    is_at(any_case());
    CaseReply reply;
    std::thread([&reply] {
      for (const int core : usable_cores()) reply.text += std::to_string(core) + ' ';
    }).join();
    return reply;
  };
  std::string names;
  for (const int core : all) names += std::to_string(core) + ' ';
  CaseProcess anywhere(server, kLimit);
  anywhere.ask({});
  CHECK(next_answer(anywhere).reply.text == names);
  CaseProcess on_the_last(server, kLimit, all.back());
  on_the_last.ask({});
  CHECK(next_answer(on_the_last).reply.text == std::to_string(all.back()) + ' ');
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

TEST_CASE("of many that were asked for at once, that which ended the process is the one that it was at") {
  const CaseServer server = [](const CaseRequest& request, const std::function<void(const Experiment&)>& is_at) {
    is_at(any_case());
    if (request.index == 4) _exit(3);
    return CaseReply{.text = "right"};
  };
  CaseProcess process(server, kLimit);
  for (std::uint64_t index = 0; index < 8; ++index) process.ask({.index = index});
  std::set<std::uint64_t> right;
  std::optional<CaseProcess::Answer> last;
  while (!process.has_ended()) {
    last = next_answer(process);
    if (!process.has_ended()) right.insert(*last->request.index);
  }
  REQUIRE(last);
  CHECK(last->request.index == 4);
  REQUIRE(last->reply.end.failure);
  CHECK(last->reply.end.failure->kind == CheckError::Kind::ended);
  // What it has done and not said is to be asked for again, as what it has not begun is.
  std::set<std::uint64_t> others = right;
  for (const CaseRequest& request : process.waiting()) CHECK(others.insert(*request.index).second);
  CHECK(others == std::set<std::uint64_t>{0, 1, 2, 3, 5, 6, 7});
  CHECK(process.answered().size() == 4);
}

TEST_CASE("a case that takes too long is endless, and is given up when somebody says so") {
  const CaseServer server = [](const CaseRequest&, const std::function<void(const Experiment&)>& is_at) -> CaseReply {
    is_at(any_case());
    while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
  };
  const auto late = run_alone(server, {}, std::chrono::milliseconds(500));
  REQUIRE(late->end.failure);
  CHECK(late->end.failure->kind == CheckError::Kind::endless);
  CHECK_FALSE(run_alone(server, {}, kLimit, [] { return true; }));
}

TEST_CASE("a case that does not begin in time is told from one that does not end") {
  const auto end_of = [](bool begins) {
    const CaseServer server = [begins](const CaseRequest&, const std::function<void(const Experiment&)>& is_at) -> CaseReply {
      if (begins) is_at(any_case());
      while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
    };
    CaseProcess process(server, std::chrono::milliseconds(500));
    process.ask({.index = 7});
    CaseProcess::Answer answer = next_answer(process);
    CHECK(process.has_ended());
    CHECK(answer.request.index == 7);
    return answer;
  };
  const CaseProcess::Answer late = end_of(false);
  CHECK(late.never_began);
  CHECK(late.reply.error == "it has not ended after 0.5 s (--case-seconds), before a case had begun");
  const CaseProcess::Answer endless = end_of(true);
  CHECK_FALSE(endless.never_began);
  CHECK(endless.reply.end.failure.value().kind == CheckError::Kind::endless);
}

TEST_CASE("where a process ends between two cases, the second has failed") {
  const CaseServer server = [](const CaseRequest& request, const std::function<void(const Experiment&)>& is_at) {
    if (request.index == 8) _exit(3);
    is_at(any_case());
    return CaseReply();
  };
  CaseProcess process(server, kLimit);
  process.ask({.index = 7});
  CHECK_FALSE(next_answer(process).reply.end.failure);
  process.ask({.index = 8});
  const CaseProcess::Answer ended = next_answer(process);
  CHECK(ended.request.index == 8);
  CHECK(ended.reply.error.empty());
  CHECK(ended.reply.text.empty());
  const Failure& failure = ended.reply.end.failure.value();
  CHECK(failure.kind == CheckError::Kind::ended);
  CHECK_THAT(
      failure.explanation,
      Catch::StartsWith("the process ended with exit status 3, as _exit() does, or another program that it became, before this "
                        "case had begun: one that ran before it may have spoilt the process"));
  const auto at_once = run_alone(server, {.index = 8}, kLimit);
  CHECK_THAT(
      at_once->error,
      Catch::StartsWith("the process ended with exit status 3, as _exit() does, or another program that it became, before a "
                        "case had begun"));
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
  const int cases = testing::sampled(60, 20);
  FuzzSettings settings{.rows = {leaving, waiting_row()},
                        .cases = cases,
                        .most_ranks = testing::sampled(12, 8),
                        .workers = 2,
                        .in_processes = true};
  settings.keep_going = true;
  const FuzzOutcome outcome = fuzz(settings);
  INFO(outcome.text());
  CHECK(outcome.coverage.cases() == cases);
  REQUIRE(outcome.findings.size() == 2);
  const bool first = outcome.findings.front().failure.kind == CheckError::Kind::ended;
  const FuzzFinding& ended = outcome.findings[first ? 0 : 1];
  CHECK(ended.failure.kind == CheckError::Kind::ended);
  CHECK_THAT(ended.smallest.text(), Catch::Contains("--topo star:5"));
}

TEST_CASE("a row that spoils the process for those after it is a finding that depends on earlier calls") {
  static std::atomic<bool> is_spoilt = false;  // of the process that ran it; written by all ranks
  Algorithm spoiling = right_row();
  spoiling.name = "spoiling";
  spoiling.run = [run = spoiling.run](Communicator& comm, const CollectiveArguments& arguments) {
    run(comm, arguments);
    is_spoilt = true;
  };
  spoiling.needs.refusal = [](const Shape&, const ReduceOp&) -> std::string {
    if (is_spoilt) _exit(3);  // when the next case is drawn
    return "";
  };
  const FuzzSettings settings{.rows = {spoiling}, .cases = 4, .most_ranks = 4, .workers = 1, .in_processes = true};
  const FuzzOutcome outcome = fuzz(settings);
  REQUIRE(outcome.findings.size() == 1);
  CHECK_THAT(outcome.findings.front().failure.explanation, Catch::Contains("before this case had begun"));
  CHECK_THAT(outcome.findings.front().depends_on,
             Catch::Contains("earlier calls: it fails in a process that has run this before: allreduce --algo spoiling "));
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
