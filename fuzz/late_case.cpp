// SPDX-License-Identifier: Apache-2.0
#include "fuzz/case_process.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle {

namespace {

using Kind = LateVerdict::Kind;

std::string rank_named(int rank) {
  return rank < 0 ? "a rank (of those on kernel threads: which one is not known)" : fmt::format("rank {}", rank);
}

/// How far the run was.
std::string progress_text(const CaseSample& last) {
  return fmt::format("after {} turns, at {} of emulated time", last.slices, to_string(last.emulated));
}

/// Of a time in which nothing but one time slice went on, or nothing at all.
LateVerdict judge_standstill(const CaseSample& first, const CaseSample& last, const RunBound& bound) {
  const std::chrono::duration<double> window = last.at - first.at;
  const std::chrono::duration<double> used = last.cpu - first.cpu;
  const bool is_busy = used >= bound.slice;
  const bool is_asleep = used < window / 10 && last.state != 'R' && window >= bound.slice;
  if (!is_busy && !is_asleep) return {};  // it has not had the time, or others have the machine
  if (!last.has_answered)
    return {Kind::endless, is_busy ? "the process computes and answers no signal: which rank runs is not known"
                                   : "the process sleeps and answers no signal: which rank runs is not known"};
  if (!last.in_task && is_asleep)
    return {Kind::endless, "no rank runs, and the process waits for what is no message (a lock, a file, a time)"};
  if (!last.in_task) return {Kind::slow, "heddle itself is at work, " + progress_text(last)};
  if (is_busy && used < bound.pass)
    return {Kind::slow, fmt::format("{} runs without a call that ends its turn, and has much data", rank_named(last.rank))};
  if (is_busy)
    return {Kind::endless,
            rank_named(last.rank) + " runs without a call that could end its turn, and the others wait for theirs"};
  return {Kind::endless, rank_named(last.rank) +
                             " waits for what is no message (a lock, a file, a time), and the others wait for their turns"};
}

}  // namespace

LateVerdict judge(const CaseSample& first, const CaseSample& last, const std::set<int>& ranks, const RunBound& bound) {
  if (first.has_answered != last.has_answered) return {};
  const bool is_same_slice = first.slices == last.slices && first.rank == last.rank && first.in_task == last.in_task;
  if (is_same_slice) return judge_standstill(first, last, bound);
  if (last.slices <= bound.slices) return {Kind::slow, fmt::format("ranks go on, {}", progress_text(last))};
  // Without numbers, which each run would have others of.
  return {Kind::endless, fmt::format("ranks go on and communicate{}{}, far longer than smaller cases of the row let expect",
                                     ranks.empty() ? "" : ", among them ", fmt::join(ranks, ", "))};
}

}  // namespace heddle
