// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "fuzz/cases/case_data.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

using Clock = std::chrono::steady_clock;

/// An endless case that is run again is waited for so long.
constexpr std::chrono::duration<double> kPatience = std::chrono::seconds(5);

FuzzFinding finding_of(std::uint64_t index, const std::string& saved_as, const Experiment& what, const Failure& failure) {
  return {.index = index, .saved_as = saved_as, .drawn = what, .smallest = what, .failure = failure};
}

}  // namespace

std::vector<Experiment> on_fewer_ranks(const Experiment& what) {
  constexpr std::array kRanks = {2, 3, 4, 5, 6, 8, 9, 12, 16, 24, 32, 64};
  std::vector<Experiment> all;
  for (const int ranks : kRanks) {
    if (ranks >= ranks_of(what)) break;
    for (const std::string& topology : simple_topologies(ranks)) {
      Experiment smaller = what;
      smaller.fabric.topology = topology;
      smaller.ranks.reset();
      smaller.placement = "linear";
      smaller.groups.clear();
      smaller.faults.clear();
      smaller.root = std::min(what.root, ranks - 1);
      set_count(smaller, what.collective == Collective::alltoall ? 2 * ranks : 2 * ranks + 1);
      all.push_back(std::move(smaller));
    }
  }
  return all;
}

std::vector<FuzzFinding> Findings::try_saved(const SavedCase& saved, std::uint64_t number) const {
  Experiment what = runner_.parse(saved.text);
  std::optional<Failure> failure;
  try {
    failure = run(what, CheckError::Kind::not_repeatable, settings_.case_limit).failure;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", saved.name, error.what()));
  }
  if (!failure) return {};
  return explain({.finding = finding_of(number, saved.name, what, *failure)});
}

std::vector<FuzzFinding> Findings::explain(Found found, const std::set<CheckError::Kind>& known) const {
  FuzzFinding& finding = found.finding;
  if (is_stopped()) return {finding};
  std::optional<Shrunk::Other> met;
  // What never ends has been watched for long.
  if (settings_.in_processes && finding.failure.kind != CheckError::Kind::endless) {
    const std::optional<Failure> again = run(finding.drawn, finding.failure.kind, kPatience).failure;
    if (is_stopped()) return {finding};
    if (!again) {
      finding.depends_on = what_it_depends_on(found);
      return {finding};
    }
    if (again->kind != finding.failure.kind) {
      finding.depends_on = fmt::format(
          "earlier calls, addresses, time or chance: in a process of its own it fails otherwise, {}", to_string(again->kind));
      met = {finding.drawn, *again};
    } else {
      finding.failure = *again;
    }
  }
  if (!met) met = make_small(finding);
  if (!met || known.contains(met->failure.kind) || is_stopped()) return {finding};
  FuzzFinding other = finding_of(finding.index, finding.saved_as, met->what, met->failure);
  other.met_in = finding.failure.kind;
  make_small(other);
  return {finding, other};
}

std::optional<Found> Findings::on_fewer_ranks(const Found& slow) const {
  const Experiment& what = slow.finding.drawn;
  for (Experiment& smaller : heddle::on_fewer_ranks(what)) {
    if (is_stopped()) return std::nullopt;
    try {
      const CaseEnd end = run(smaller, CheckError::Kind::endless, kPatience);
      if (!end.slow.empty()) return std::nullopt;  // larger ones are no faster
      if (end.failure && end.failure->kind == CheckError::Kind::endless)
        return Found{.finding = {.index = slow.finding.index, .drawn = what, .smallest = smaller, .failure = *end.failure}};
    } catch (const InputError&) {  // it does not serve so few
    }
  }
  return std::nullopt;
}

/// What fails to end within `patience` is judged.
CaseEnd Findings::run(Experiment what, CheckError::Kind kind, std::chrono::duration<double> patience,
                      std::uint32_t layout) const {
  const bool twice = kind == CheckError::Kind::not_repeatable;
  if (!settings_.in_processes) return runner_.run(what, twice);
  const auto limit = kind == CheckError::Kind::endless ? std::min(settings_.case_limit, patience) : settings_.case_limit;
  const auto bound = [this](const std::string& text) { return bounds_.bound(runner_.parse(text)); };
  const auto reply = run_alone(server_, {.text = what.text(), .twice = twice, .layout = layout},
                               {limit, limit == settings_.case_limit, bound}, settings_.is_stopped);
  if (!reply) return {};
  reply->require_no_error();
  if (!reply->end.failure) bounds_.learn(reply->row, reply->end.length);
  return reply->end;
}

/// Returns what it has met and not followed.
std::optional<Shrunk::Other> Findings::make_small(FuzzFinding& finding) const {
  const CheckError::Kind kind = finding.failure.kind;
  Experiment from = finding.smallest;
  // Each smaller case has orders of its own; the smallest is explored once more for the one that fails.
  if (settings_.explore) from.order = {};
  const std::function<bool()> is_over = until(settings_.shrink_time);
  Shrunk shrunk = shrink(
      from, finding.failure, [this, kind](const Experiment& what) { return run(what, kind, kShrinkPatience); },
      {.runs = settings_.shrink_attempts, .work = settings_.shrink_work}, is_over);
  finding.shrink_attempts = shrunk.attempts;
  std::optional<Shrunk::Other> graver = std::move(shrunk.graver);
  if (is_stopped()) {
    keep(finding, std::move(shrunk));
    return std::nullopt;
  }
  Experiment smallest = shrunk.smallest;
  const std::optional<Failure> again = settings_.explore && !settings_.in_processes ? runner_.run(smallest, false).failure
                                                                                    : run(smallest, kind, kPatience).failure;
  if (again && again->kind == kind) {
    shrunk.failure = *again;
    if (settings_.explore && !settings_.in_processes) shrunk.smallest = std::move(smallest);
    keep(finding, std::move(shrunk));
    return graver;
  }
  finding.depends_on = settings_.in_processes ? "time or chance: made smaller, it failed, and not when it was run once more"
                                              : "earlier calls, addresses, time or chance";
  return graver;
}

void Findings::keep(FuzzFinding& finding, Shrunk shrunk) const {
  using enum Shrunk::Ended;
  finding.smallest = std::move(shrunk.smallest);
  finding.failure = std::move(shrunk.failure);
  switch (shrunk.ended) {
    case no_simpler:
      break;
    case runs:
      finding.shrunk_until = "as many as it may take";
      break;
    case work:
      finding.shrunk_until = "with as much work as it may take";
      break;
    case told:
      finding.shrunk_until = is_stopped()
                                 ? "until it was interrupted"
                                 : fmt::format("until its {:g} s were over: on another machine it may come to another case",
                                               settings_.shrink_time->count());
  }
}

/// No value: for ever.
std::function<bool()> Findings::until(std::optional<std::chrono::duration<double>> time) const {
  if (!time) return [this] { return is_stopped(); };
  return [this, end = Clock::now() + std::chrono::duration_cast<Clock::duration>(*time)] {
    return Clock::now() >= end || is_stopped();
  };
}

/// Of a case that alone, in a process of its own, is right. Child processes begin alike, with the same addresses: where some of
/// them fail, it is time or chance.
std::string Findings::what_it_depends_on(const Found& found) const {
  constexpr int kRuns = 8;
  const std::function<bool()> is_over = until(settings_.shrink_time);
  const CheckError::Kind kind = found.finding.failure.kind;
  const auto failures_of = [&](const Experiment& what, bool elsewhere, int& runs) {
    int failed = 0;
    for (int i = 1; i <= kRuns && !is_over(); ++i, ++runs)
      failed += run(what, kind, kShrinkPatience, elsewhere ? static_cast<std::uint32_t>(i) : 0).failure ? 1 : 0;
    return failed;
  };
  int alike = 1;  // was right before this was asked
  if (const int failed = failures_of(found.finding.drawn, false, alike); failed > 0)
    return fmt::format("time or chance: of {} runs, each in a process of its own, {} failed", alike, failed);
  int shifted = 0;
  if (const int failed = failures_of(found.finding.drawn, true, shifted); failed > 0)
    return fmt::format(
        "addresses: of {} runs with their memory elsewhere {} failed, and of {} with the same addresses none, each in a "
        "process "
        "of its own",
        shifted, failed, alike);
  if (std::optional<std::string> calls = earlier_calls(found, is_over)) return *std::move(calls);
  Experiment on_kernel_threads = found.finding.drawn;
  on_kernel_threads.threads = Threads::kernel;
  int on_kernel = 0;
  if (found.finding.drawn.threads != Threads::kernel && failures_of(on_kernel_threads, false, on_kernel) > 0)
    return fmt::format("time: with ranks on kernel threads (--threads kernel) it fails, and of {} runs without them none did",
                       alike);
  return fmt::format("earlier calls, addresses, time or chance: of {} runs, each in a process of its own, none failed",
                     alike + shifted + on_kernel);
}

/// No value: it does not depend on those that are known, or not on them alone.
std::optional<std::string> Findings::earlier_calls(const Found& found, const std::function<bool()>& is_over) const {
  for (std::size_t cases = 1; !found.before.empty() && !is_over(); cases *= 2) {
    cases = std::min(cases, found.before.size());
    const std::size_t first = found.before.size() - cases;
    const std::optional<std::string> oldest = fails_after(found, first, found.before.size());
    if (oldest && fails_after(found, first, found.before.size())) {  // and again
      const bool alone = cases == 1 || fails_after(found, first, first + 1);
      return alone ? fmt::format("earlier calls: it fails in a process that has run this before: {}", *oldest)
                   : fmt::format("earlier calls: it fails in a process that has run {} before, the first of them: {}", cases,
                                 *oldest);
    }
    if (cases == found.before.size()) break;
  }
  return std::nullopt;
}

/// Whether the case fails in a process that has run those from `first` to `end` before; then the text of the first of them.
std::optional<std::string> Findings::fails_after(const Found& found, std::size_t first, std::size_t end) const {
  CaseProcess process(server_, settings_.case_limit);
  std::string oldest;
  for (std::size_t i = first; i <= end; ++i) {
    const bool is_last = i == end;
    CaseRequest request = is_last ? CaseRequest{.text = found.finding.drawn.text(),
                                                .twice = found.finding.failure.kind == CheckError::Kind::not_repeatable}
                                  : found.before[i];
    request.with_text = true;
    process.ask(std::move(request));
    const std::optional<CaseReply> reply = next_reply(process);
    if (!reply || !reply->error.empty()) return std::nullopt;
    if (i == first) oldest = reply->text;
    if (is_last && reply->end.failure) return oldest;
    if (process.has_ended()) return is_last ? std::nullopt : std::optional(oldest);  // it strikes here or there
  }
  return std::nullopt;
}

std::optional<CaseReply> Findings::next_reply(CaseProcess& process) const {
  while (!is_stopped()) {
    if (std::optional<CaseProcess::Answer> answer = process.take()) return std::move(answer->reply);
    process.wait(kAskOften);
  }
  return std::nullopt;
}

}  // namespace heddle
