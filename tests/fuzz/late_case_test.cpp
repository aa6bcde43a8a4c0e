// SPDX-License-Identifier: Apache-2.0
#include "fuzz/case_process.hpp"

#include <chrono>

#include "fuzz/cases/run_case.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

using Seconds = std::chrono::duration<double>;
using Verdict = LateVerdict::Kind;

CaseSample sample_at(double seconds, double cpu, std::uint64_t slices) {
  CaseSample sample;
  sample.at += std::chrono::duration_cast<CaseSample::Clock::duration>(Seconds(seconds));
  sample.cpu = Seconds(cpu);
  sample.state = 'R';
  sample.has_answered = sample.in_task = true;
  sample.rank = 3;
  sample.slices = slices;
  return sample;
}

const RunBound kBound{.slices = 1000, .slice = Seconds(5)};

}  // namespace

TEST_CASE("a rank that makes no call for as long as no turn takes is endless; before that nothing is said") {
  const CaseSample first = sample_at(30, 30, 77);
  CHECK(judge(first, sample_at(34, 34, 77), {3}, kBound).kind == Verdict::not_yet);
  const LateVerdict verdict = judge(first, sample_at(60, 60, 77), {3}, kBound);
  CHECK(verdict.kind == Verdict::endless);
  CHECK(verdict.words == "rank 3 runs without a call that could end its turn, and the others wait for theirs");
  // Others have the machine.
  CHECK(judge(first, sample_at(60, 31, 77), {3}, kBound).kind == Verdict::not_yet);
}

TEST_CASE("a rank that makes no call is only slow for as long as its data may take") {
  const CaseSample first = sample_at(30, 30, 77);
  const RunBound gigabytes{.slices = 1000, .slice = Seconds(5), .pass = Seconds(40)};
  CHECK(judge(first, sample_at(60, 60, 77), {3}, gigabytes).kind == Verdict::slow);
  CHECK(judge(first, sample_at(90, 90, 77), {3}, gigabytes).kind == Verdict::endless);
}

TEST_CASE("a process that waits for what is no message is told from one that computes, and both from one that is deaf") {
  const CaseSample first = sample_at(30, 1, 77);
  CaseSample last = sample_at(60, 1, 77);
  last.state = 'S';
  CHECK(judge(first, last, {3}, kBound).words.starts_with("rank 3 waits for what is no message"));
  CaseSample deaf = sample_at(0, 0, 0);
  deaf.has_answered = deaf.in_task = false;
  CaseSample later = deaf;
  later.at = last.at;
  later.cpu = Seconds(59);
  CHECK(judge(deaf, later, {}, kBound).words.starts_with("the process computes and answers no signal"));
}

TEST_CASE("ranks that go on are slow, until they have had more turns than smaller cases let expect") {
  const CaseSample first = sample_at(30, 30, 400);
  CHECK(judge(first, sample_at(60, 60, 900), {0, 3}, kBound).kind == Verdict::slow);
  const LateVerdict verdict = judge(first, sample_at(60, 60, 1001), {0, 3}, kBound);
  CHECK(verdict.kind == Verdict::endless);
  CHECK(verdict.words == "ranks go on and communicate, among them 0, 3, far longer than smaller cases of the row let expect");
}

TEST_CASE("heddle's own work is nobody's endless turn") {
  CaseSample first = sample_at(30, 30, 400);
  CaseSample last = sample_at(60, 60, 400);
  first.in_task = last.in_task = false;
  first.rank = last.rank = -1;
  CHECK(judge(first, last, {}, kBound).kind == Verdict::slow);
}

TEST_CASE("what smaller cases took bounds a larger one: their most turns for each pair of ranks and each element, many times") {
  const FuzzCoverage::Row row(Collective::allgather, "direct");
  RunBounds bounds;
  const std::uint64_t unknown = bounds.bound(row, 64, 64).slices;
  for (const int ranks : {2, 5, 9})
    bounds.learn(row, {.ranks = ranks, .count = ranks, .slices = static_cast<std::uint64_t>(4 * ranks * ranks)});
  const std::uint64_t known = bounds.bound(row, 241, 241).slices;
  CHECK(known > 100U * 4 * 241 * 241);
  CHECK(bounds.bound(row, 64, 64).slices < unknown);
  CHECK(bounds.bound(row, 4, 4).slices < 200'000);
  bounds.learn(row, {.ranks = 2, .count = 2, .slices = 8, .seconds = Seconds(0.2)});
  CHECK(bounds.bound(row, 4, 4).slice == Seconds(10));
}

}  // namespace heddle
