// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <new>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "core/printable.hpp"
#include "core/sanitizers.hpp"
#include "fuzz/case_process.hpp"
#include "fuzz/fuzz_run.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/plugin/load_plugins.hpp"

namespace heddle {

bool is_seen_from_outside(CheckError::Kind kind) {
  using enum CheckError::Kind;
  return kind == ended || kind == stack_overflow || kind == endless || kind == not_repeatable;
}

bool is_seen_by_run(CheckError::Kind kind) {
  using enum CheckError::Kind;
  return !is_seen_from_outside(kind) && kind != formula && kind != run_to_run && kind != input_changed && kind != hygiene;
}

FuzzSettings usual_settings(bool of_plugins, std::optional<int> delays) {
  FuzzSettings settings;
  settings.cases = UsualFuzzing::kCases;
  settings.most_ranks = UsualFuzzing::kMostRanks;
  settings.most_large_ranks = UsualFuzzing::kMostLargeRanks;
  settings.compared_once_in = of_plugins ? 1 : UsualFuzzing::kComparedOnceIn;
  if (!delays) {
    settings.fault_once_in = UsualFuzzing::kFaultOnceIn;
    settings.large_once_in = of_plugins ? UsualFuzzing::kLargeOnceInOfPlugins : UsualFuzzing::kLargeOnceIn;
    settings.positions_once_in = of_plugins ? UsualFuzzing::kLargeOnceInOfPlugins : UsualFuzzing::kPositionsOnceIn;
    settings.twice_once_in = of_plugins ? UsualFuzzing::kTwiceOnceIn : 0;
    return settings;
  }
  settings.explore.emplace();
  settings.explore->delays = *delays;
  settings.explore->orders = UsualFuzzing::kMostOrders;
  settings.explore->seeds = UsualFuzzing::kOrderSeeds;
  settings.cases = UsualFuzzing::kExploredCases;
  settings.most_ranks = UsualFuzzing::kExploredRanks;
  settings.shrink_attempts = UsualFuzzing::kExploredShrinking;
  return settings;
}

namespace {

void check_settings(const FuzzSettings& settings) {
  if (settings.rows.empty()) throw InputError("no row to fuzz");
  if (settings.cases < 0) throw InputError(fmt::format("{} cases: there must be at least 0", settings.cases));
  if (settings.most_ranks < 1) throw InputError(fmt::format("{} ranks at most: there must be at least 1", settings.most_ranks));
  if (settings.explore && settings.fault_once_in > 0)
    throw InputError("orders of events are explored, or faults are drawn: one of both");
  if (settings.fault_once_in < 0)
    throw InputError(fmt::format("faults in one case of {}: 1 for each, 0 for none", settings.fault_once_in));
  if (settings.large_once_in < 0)
    throw InputError(fmt::format("one case of {} is large: 1 for each, 0 for none", settings.large_once_in));
  if (settings.positions_once_in < 0)
    throw InputError(fmt::format("one case of {} is beyond 31 bits: 0 for none", settings.positions_once_in));
  if (settings.compared_once_in < 1)
    throw InputError(fmt::format("one case of {} is compared with the usual order: 1 for each", settings.compared_once_in));
  if (settings.workers < 0)
    throw InputError(fmt::format("{} workers: at least 1, or 0 for one on each core", settings.workers));
  std::set<FuzzCoverage::Row> names;
  for (const Algorithm& row : settings.rows) {
    const std::string name = fmt::format("{} algorithm '{}'", to_string(row.collective), row.name);
    const std::string_view forbidden = names_file(row.name) ? " \t\n," : " \t\n:,";
    if (row.name.find_first_of(forbidden) != std::string::npos || row.name.empty())
      throw InputError(name + ": a row's name is one word without blanks, colons and commas");
    if (row.run == nullptr) throw InputError(name + " has no function to run");
    if (!names.insert({row.collective, row.name}).second) throw InputError(name + " is there twice");
  }
}

/// The life of a worker that is a thread.
void work(Results& results, const CaseRunner& runner) {
  while (!results.is_over()) {
    const std::optional<std::uint64_t> index = results.take_number();
    if (!index) return;
    if (results.is_left_out(*index, runner.row_of_case(*index))) continue;
    try {
      Experiment what = runner.draw(*index);
      CaseEnd end = runner.run(what, runner.is_twice(*index), index);
      results.note(*index, row_of(what), std::move(end), what);
    } catch (...) {
      results.note_error(*index, std::current_exception());
    }
  }
}

/// On this thread and others, so many in all.
template <class Work>
void in_threads(int workers, const Work& work) {
  std::vector<std::jthread> threads;
  try {
    for (int i = 1; i < workers; ++i) threads.emplace_back(work);
  } catch (const std::system_error&) {  // the system has no more threads: fewer workers do the same
  }
  work();
}

/// If the system refuses something, `refusal` says so, and what was found before is not lost.
template <class Action>
void attempt(std::string& refusal, const Action& action) {
  try {
    action();
  } catch (const std::bad_alloc&) {
    refusal = "the system has no memory left";
  } catch (const ResourceError& error) {
    refusal = error.what();
  }
}

/// A process that is made by one of several threads may use what the others held locked. malloc() is made for that; ThreadSanitizer lets no
/// such process start threads, and the memory of AddressSanitizer's may be locked for ever.
constexpr bool kForksFromThreads = !HEDDLE_THREAD_SANITIZER && !HEDDLE_ADDRESS_SANITIZER;

/// Several at a time, where that can be: many take their time in waiting for what never ends.
std::vector<FuzzFinding> explain_all(const std::vector<Found>& found, const Findings& explainer, int workers,
                                     std::string& refusal) {
  std::vector<std::vector<FuzzFinding>> findings;
  std::map<FuzzCoverage::Row, std::set<CheckError::Kind>> kinds;
  for (const Found& one : found) {
    findings.push_back({one.finding});
    kinds[row_of(one.finding.drawn)].insert(one.finding.failure.kind);
  }
  std::vector<std::string> refusals(found.size());
  std::vector<std::exception_ptr> errors(found.size());
  std::atomic<std::size_t> next = 0;
  const auto explain = [&] {
    for (std::size_t i = next++; i < found.size(); i = next++) {
      try {
        attempt(refusals[i], [&] { findings[i] = explainer.explain(found[i], kinds.at(row_of(found[i].finding.drawn))); });
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  in_threads(kForksFromThreads ? std::min(workers, static_cast<int>(found.size())) : 1, explain);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (errors[i]) std::rethrow_exception(errors[i]);
    if (!refusals[i].empty()) refusal = refusals[i];
  }
  std::vector<FuzzFinding> all;
  for (std::vector<FuzzFinding>& some : findings) std::ranges::move(some, std::back_inserter(all));
  return all;
}

/// What shrinks to one case that fails in one way is one finding.
std::vector<FuzzFinding> merge_same(std::vector<FuzzFinding> findings) {
  std::ranges::stable_sort(findings, {}, [](const FuzzFinding& finding) { return finding.met_in.has_value(); });
  std::map<std::pair<std::string, CheckError::Kind>, FuzzFinding> by_case;
  for (const FuzzFinding& finding : findings) {
    const auto [place, is_new] = by_case.try_emplace({finding.smallest.text(), finding.failure.kind}, finding);
    if (!is_new && !finding.met_in) place->second.repeats += finding.repeats + 1;
  }
  std::vector<FuzzFinding> merged;
  for (auto& [key, finding] : by_case) merged.push_back(std::move(finding));
  std::ranges::sort(merged, {}, [](const FuzzFinding& finding) { return std::pair(finding.saved_as.empty(), finding.index); });
  return merged;
}

/// Of rows that were given up as slow: an endless case on fewer ranks, where there is one.
std::vector<Found> endless_among_slow(const std::vector<SlowCase>& slow, const std::vector<Found>& found,
                                      const Findings& explainer) {
  std::vector<Found> more;
  for (const SlowCase& one : slow) {
    const bool is_known = std::ranges::any_of(found, [&](const Found& known) {
      return row_of(known.finding.drawn) == row_of(one.what) && known.finding.failure.kind == CheckError::Kind::endless;
    });
    if (is_known) continue;
    if (auto endless = explainer.on_fewer_ranks({.finding = {.index = one.index, .drawn = one.what}}))
      more.push_back(*std::move(endless));
  }
  return more;
}

/// Whether it is one of heddle's, as its text alone would have it.
bool is_registered(const Experiment& what) {
  const std::string_view name = bare_name(what.algorithm);
  if (names_file(what.algorithm) || what.own == nullptr) return true;
  const auto is_row = [&](const Algorithm& row) { return row.collective == what.collective && row.name == name; };
  const auto own = std::ranges::find_if(*what.own, is_row);
  const auto known = std::ranges::find_if(registry(), is_row);
  return own == what.own->end() ||
         (known != registry().end() && known->summary == own->summary && known->source == own->source);
}

std::string indented(std::string_view text) {
  std::string lines = "  ";
  for (const char c : text) lines += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return lines;
}

}  // namespace

namespace {

/// Without the rows that serve nothing of what is given.
FuzzSettings without_unserved_rows(FuzzSettings settings, std::vector<std::string>& left_out) {
  if (settings.only.is_nothing()) return settings;
  const DrawBounds bounds{.most_ranks = settings.most_ranks, .only = settings.only};
  std::erase_if(settings.rows, [&](const Algorithm& row) {
    const bool is_served = is_ever_served(row, bounds);
    if (!is_served) left_out.push_back(fmt::format("{} {}", to_string(row.collective), row.name));
    return !is_served;
  });
  if (settings.rows.empty())
    throw InputError(
        fmt::format("none of {} serves a call of those that are given; other ranks, another fabric, type or "
                    "operation may do",
                    counted(std::ssize(left_out), "row")));
  return settings;
}

}  // namespace

FuzzOutcome fuzz(const FuzzSettings& given) {
  check_settings(given);
  std::vector<std::string> left_out;
  const FuzzSettings settings = without_unserved_rows(given, left_out);
  RunBounds bounds;
  Results results(settings, bounds);
  const CaseRunner runner(settings);
  const Findings explainer(settings, runner, bounds);
  std::vector<FuzzFinding> findings;
  std::int64_t saved_right = 0;
  for (const SavedCase& saved : settings.saved) {
    if (results.is_stopped() || !runner.has_row_of(saved)) continue;
    std::vector<FuzzFinding> some = explainer.try_saved(saved, findings.size());
    if (some.empty()) ++saved_right;
    std::ranges::move(some, std::back_inserter(findings));
    if (findings.empty() || settings.keep_going) continue;
    results.stop();
    break;
  }
  const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int workers = settings.workers == 0 ? cores : settings.workers;
  std::vector<Experiment> given_up;
  std::string refusal;
  attempt(refusal, [&] {
    if (settings.in_processes)
      given_up = ProcessWorkers(settings, results, runner, bounds, workers).run();
    else
      in_threads(workers, [&] { work(results, runner); });
  });
  attempt(refusal, [&] { results.require_no_error(); });
  std::vector<Found> found = results.found();
  FuzzOutcome outcome = results.outcome();
  attempt(refusal,
          [&] { std::ranges::move(endless_among_slow(outcome.first_slow, found, explainer), std::back_inserter(found)); });
  outcome.given_up = std::move(given_up);
  std::ranges::move(explain_all(found, explainer, workers, refusal), std::back_inserter(findings));
  outcome.refusal = std::move(refusal);
  outcome.findings = merge_same(std::move(findings));
  for (FuzzFinding& finding : outcome.findings) finding.is_own = !is_registered(finding.smallest);
  outcome.saved_right = saved_right;
  outcome.left_out = std::move(left_out);
  return outcome;
}

std::optional<CaseEnd> end_in_process(const Experiment& what, std::chrono::duration<double> case_limit,
                                      const std::function<bool()>& is_stopped, std::string& output) {
  const auto run = [&](const Experiment& one, const CasePatience& patience, std::string* written) {
    const CaseServer server = [&one](const CaseRequest& request, const std::function<void(const Experiment&)>& is_at) {
      is_at(one);
      return CaseReply{.row = row_of(one), .end = end_of(one, request.twice)};
    };
    return run_alone(server, {.twice = true}, patience, is_stopped, written);
  };
  const auto of_any = [&what](const std::string&) { return RunBounds().bound(what); };
  std::optional<CaseReply> reply = run(what, {case_limit, true, of_any}, &output);
  if (!reply) return std::nullopt;
  reply->require_no_error();
  if (reply->end.slow.empty()) return std::move(reply->end);
  RunBounds bounds;
  for (const Experiment& smaller : on_fewer_ranks(what)) {
    const std::optional<CaseReply> other = run(smaller, std::min(case_limit, kShrinkPatience), nullptr);
    if (!other) return std::nullopt;
    if (!other->error.empty()) continue;  // it does not serve so few
    if (!other->end.slow.empty()) break;  // larger ones are no faster
    if (other->end.failure && other->end.failure->kind == CheckError::Kind::endless) {
      reply->end.failure = {CheckError::Kind::endless, fmt::format("{}, but a smaller case never ends: {}",
                                                                   std::exchange(reply->end.slow, ""), smaller.text())};
      return std::move(reply->end);
    }
    if (!other->end.failure) bounds.learn(row_of(what), other->end.length);
  }
  if (reply->end.length.slices > bounds.bound(what).slices)
    reply->end.failure = {CheckError::Kind::endless,
                          std::exchange(reply->end.slow, "") + ", but that smaller cases of the row end far earlier"};
  return std::move(reply->end);
}

namespace {

/// The line that repeats it in the program that has called fuzz().
std::string in_the_test(const FuzzFinding& finding, std::uint64_t seed) {
  const std::string name = finding.saved_as.empty() ? fmt::format("case {} of seed {}", finding.index, seed) : finding.saved_as;
  return fmt::format("{}, in the test that has found it: heddle::check_case{}({}, …)", name,
                     is_seen_from_outside(finding.failure.kind) ? "_apart" : "", cpp_string(finding.smallest.text()));
}

std::string origin_of(const FuzzFinding& finding, std::uint64_t seed) {
  const std::string name = finding.saved_as.empty() ? fmt::format("case {} of seed {}", finding.index, seed) : finding.saved_as;
  if (finding.met_in) return fmt::format("met when {}, {}, was looked at", name, to_string(*finding.met_in));
  return (finding.saved_as.empty() ? "drawn as " : "saved as ") + name;
}

}  // namespace

std::string repeating_line(const FuzzFinding& finding, std::uint64_t seed, std::string_view command) {
  const std::string text = finding.smallest.text();
  if (command.empty() && finding.is_own) return in_the_test(finding, seed);
  if (command.empty()) command = is_seen_by_run(finding.failure.kind) ? "heddle run" : "heddle fuzz --case";
  return fmt::format("{} {}", command, command.ends_with("--case") ? shell_word(text) : text);
}

std::string to_text(const FuzzFinding& finding, std::uint64_t seed, std::string_view command) {
  const Experiment& what = finding.smallest;
  std::string text = fmt::format("{} {}: {}\n{}\n", to_string(what.collective), what.algorithm, to_string(finding.failure.kind),
                                 indented(finding.failure.explanation));
  text += fmt::format("  {}: {}\n", origin_of(finding, seed), finding.drawn.text());
  if (finding.depends_on.empty())
    text += fmt::format("  made smaller in {} runs{}{}", finding.shrink_attempts, finding.shrunk_until.empty() ? "" : ", ",
                        finding.shrunk_until);
  else
    text += fmt::format("  not smaller, for it does not fail each time; it depends on {}", finding.depends_on);
  if (finding.repeats > 0) text += fmt::format("; {} more cases of this row failed so", finding.repeats);
  const char* const what_it_does = finding.depends_on.empty() ? "repeat" : "the case, which need not fail so by itself";
  return text + fmt::format("\n  {}: {}\n", what_it_does, repeating_line(finding, seed, command));
}

std::string cpp_string(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

std::string FuzzOutcome::text() const {
  std::string all;
  for (const SlowCase& one : first_slow)
    all += fmt::format("{} {}: slow, and not judged\n  {}\n  case {} of seed {}: {}\n", to_string(one.what.collective),
                       one.what.algorithm, one.words, one.index, seed, one.what.text());
  if (passed()) return all + fmt::format("{} cases right", coverage.cases() - slow - refused);
  for (const FuzzFinding& finding : findings) all += to_text(finding, seed);
  return all;
}

}  // namespace heddle
