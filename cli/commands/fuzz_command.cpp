// SPDX-License-Identifier: Apache-2.0
// `heddle fuzz`: drawn calls of algorithms, each checked, until one fails; what fails is made small.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <ostream>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/flags/experiment_flags.hpp"
#include "cli/process/interrupt.hpp"
#include "cli/process/process.hpp"
#include "core/printable.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/reports/fuzz_reports.hpp"
#include "heddle/errors.hpp"
#include "heddle/units.hpp"
#include "heddle/version.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/value_lists.hpp"
#include "lab/run/tasks_ahead.hpp"
#include "show/document/document.hpp"
#include "show/document/output_file.hpp"
#include "show/page/page.hpp"
#include "show/terminal/progress.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

/// The flags, as written.
struct FuzzOptions {
  std::string collective = "all";
  std::string algorithms = "all";
  std::vector<std::string> plugins = {};

  std::optional<std::string> seconds = {};
  std::optional<std::string> cases = {};
  std::string case_seconds = "60";
  std::optional<std::string> one_case = {};
  std::string seed = "1";
  std::optional<std::string> explore = {};
  std::optional<std::string> most_ranks = {};
  std::optional<std::string> topology = {};
  std::optional<std::string> ranks = {};
  std::optional<std::string> types = {};
  std::optional<std::string> ops = {};
  bool in_place = false;
  bool out_of_place = false;
  std::optional<std::string> jobs = {};
  std::optional<std::string> stack = {};
  std::optional<std::string> twice = {};
  std::optional<std::string> faults = {};
  std::optional<std::string> large = {};
  std::optional<std::string> tags = {};
  std::optional<std::string> junit = {};
  std::optional<std::string> json = {};
  std::optional<std::string> html = {};
  std::optional<std::string> findings = {};
  std::optional<std::string> corpus = {};
  std::string test_style = "catch2-v2";
  bool keep_going = false;
  bool strict = false;
  bool rows = false;
};

using Usual = UsualFuzzing;

constexpr int kExitInterrupted = 3;

std::chrono::duration<double> read_case_limit(const FuzzOptions& options) {
  return std::chrono::duration<double>(read_flag("--case-seconds", options.case_seconds, parse_number_of_seconds));
}

std::vector<Algorithm> read_rows(const FuzzOptions& options) {
  const FuzzedEntries which{options.collective, options.algorithms, options.tags, options.plugins};
  return options.plugins.empty() ? fuzzed_entries(which) : fuzzed_entries(which, read_case_limit(options));
}

/// By the flags of `heddle run`, of which some take several values here.
DrawOnly read_only(const FuzzOptions& options) {
  DrawOnly only;
  const auto read_each = [](std::string_view flag, const std::optional<std::string>& values, auto take) {
    if (!values) return;
    for (const std::string_view value : split_list(*values)) {
      Experiment one;
      set_flag(one, flag, value);
      take(one);
    }
  };
  read_each("--datatype", options.types, [&](const Experiment& one) { only.types.push_back(*one.type); });
  read_each("--op", options.ops, [&](const Experiment& one) { only.ops.push_back(one.op); });
  if (options.ranks) only.ranks = read_flag("--ranks", *options.ranks, parse_rank_counts);
  if (options.topology) {
    only.topology = *options.topology;
    const int endpoints =
        read_flag("--topo", only.topology, [](std::string_view text) { return parse_topology(text)->endpoints(); });
    const auto more = std::ranges::find_if(only.ranks, [&](int ranks) { return ranks > endpoints; });
    if (more != only.ranks.end())
      throw InputError(fmt::format("--ranks {}: {} has {} endpoints", *more, only.topology, endpoints));
  }
  if (options.in_place && options.out_of_place) throw InputError("--in-place and --out-of-place: one or the other");
  if (options.in_place || options.out_of_place) only.in_place = options.in_place;
  return only;
}

FuzzSettings read_settings(const FuzzOptions& options) {
  constexpr std::int64_t kMostInt = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto between = [](std::int64_t least, std::int64_t most) {
    return [least, most](std::string_view text) { return parse_integer(text, least, most); };
  };
  const auto read_count = [&](std::string_view flag, const std::optional<std::string>& text, int least, int& count) {
    if (text) count = static_cast<int>(read_flag(flag, *text, between(least, kMostInt)));
  };
  std::vector<Algorithm> rows = read_rows(options);
  const std::uint64_t seed = read_flag("--seed", options.seed, parse_seed);
  std::optional<int> delays;
  if (options.explore) delays = static_cast<int>(read_flag("--explore", *options.explore, between(0, 100)));
  FuzzSettings settings = usual_settings(!options.plugins.empty(), delays);
  settings.rows = std::move(rows);
  settings.only = read_only(options);
  if (!settings.only.ranks.empty()) settings.most_ranks = std::ranges::max(settings.only.ranks);
  settings.seed = seed;
  if (options.most_ranks) {
    settings.most_ranks = static_cast<int>(read_flag("--max-ranks", *options.most_ranks, between(1, 100'000)));
    settings.most_large_ranks = std::min(settings.most_large_ranks, settings.most_ranks);
    for (const int ranks : settings.only.ranks)
      if (ranks > settings.most_ranks)
        throw InputError(fmt::format("--ranks {}: --max-ranks is {}; leave one of the two out", ranks, settings.most_ranks));
  }
  if (options.seconds) {
    settings.time = std::chrono::duration<double>(read_flag("--seconds", *options.seconds, parse_number_of_seconds));
    settings.cases = kMost;
    settings.shrink_time = std::chrono::seconds(10);
  }
  if (options.cases) settings.cases = read_flag("--cases", *options.cases, between(1, kMost));
  if (options.jobs) settings.workers = read_flag("--jobs", *options.jobs, parse_jobs);
  settings.workers = workers_to_be_had(settings.workers);
  read_count("--faults", options.faults, 0, settings.fault_once_in);
  read_count("--large", options.large, 0, settings.large_once_in);
  if (options.large) settings.positions_once_in = settings.large_once_in;
  settings.keep_going = options.keep_going;
  settings.strict = options.strict;
  settings.in_processes = true;
  settings.case_limit = read_case_limit(options);
  read_count("--twice", options.twice, 0, settings.twice_once_in);
  if (options.stack) settings.stack = read_flag("--stack", *options.stack, parse_stack);
  if (options.corpus) settings.saved = read_corpus(*options.corpus);
  settings.is_stopped = [] { return InterruptGuard::count() > 0; };
  return settings;
}

/// The words before a case that repeats it and watches it: one that ends its process, or never ends, is no case for heddle run.
std::string watched_command(const FuzzOptions& options) {
  std::string text = "heddle fuzz";
  for (const std::string& plugin : options.plugins) text += " --plugin " + shell_word(plugin);
  if (options.case_seconds != FuzzOptions().case_seconds) text += " --case-seconds " + shell_word(options.case_seconds);
  return text + " --case";
}

bool is_interrupted() { return InterruptGuard::count() > 0; }

void print_interrupted(const std::vector<Experiment>& running, const FuzzOptions& options, std::ostream& err) {
  for (const Experiment& what : running)
    err << fmt::format("heddle: interrupted in a case that goes on: {} {}\n", watched_command(options),
                       shell_word(what.text()));
}

int run_one_case(const FuzzOptions& options, std::ostream& out, std::ostream& err) {
  if (options.explore) throw InputError("--case is one run; leave --explore out, or give 'heddle run' --explore");
  Experiment what = read_flag("--case", *options.one_case, Experiment::parse);
  what.own = std::make_shared<const std::vector<Algorithm>>(read_rows(options));
  if (options.stack) what.stack = read_flag("--stack", *options.stack, parse_stack);
  const ReportOutput json("--json", options.json);
  const InterruptGuard guard;
  std::string output;
  const auto end = read_flag("--case", *options.one_case, [&](std::string_view) {
    return end_in_process(what, read_case_limit(options), is_interrupted, output);
  });
  err << output;
  if (json.is_wanted()) json.write(json_text(json_of(case_report(what, end))), out);
  if (!end) {
    print_interrupted({what}, options, err);
    return kExitInterrupted;
  }
  if (!end->slow.empty()) {
    err << fmt::format("heddle: slow, and not judged: {}\n", end->slow);
    return kExitInterrupted;
  }
  if (const auto& failure = end->failure) {
    err << fmt::format("heddle: {}: {}\n", to_string(failure->kind), failure->explanation);
    return kExitCheckFailed;
  }
  if (!json.is_standard_output()) out << fmt::format("# right: {}\n", what.text());
  return kExitOk;
}

FindingTexts texts_of(const FuzzOptions& options) {
  const auto command = [&options](const FuzzFinding& finding) {
    return options.plugins.empty() && is_seen_by_run(finding.failure.kind) ? "heddle run" : watched_command(options);
  };
  return {command, watched_command(options), options.plugins.empty() ? RowSource::registry : RowSource::plugin,
          read_flag("--test-style", options.test_style, parse_test_style)};
}

/// What draws the same cases.
std::string command_of(const FuzzOptions& options) {
  std::string command = "heddle fuzz";
  if (options.collective != "all") command += ' ' + shell_word(options.collective);
  const auto add = [&](const char* flag, const std::optional<std::string>& value) {
    if (value) command += fmt::format(" {} {}", flag, shell_word(*value));
  };
  if (options.algorithms != "all") add("--algo", options.algorithms);
  add("--tag", options.tags);
  for (const std::string& plugin : options.plugins) add("--plugin", plugin);
  add("--corpus", options.corpus);
  add("--stack", options.stack);
  if (options.case_seconds != FuzzOptions().case_seconds) add("--case-seconds", options.case_seconds);
  add("--seconds", options.seconds);
  add("--cases", options.cases);
  add("--seed", options.seed);
  add("--explore", options.explore);
  add("--topo", options.topology);
  add("--ranks", options.ranks);
  add("--datatype", options.types);
  add("--op", options.ops);
  if (options.in_place) command += " --in-place";
  if (options.out_of_place) command += " --out-of-place";
  add("--max-ranks", options.most_ranks);
  add("--faults", options.faults);
  add("--large", options.large);
  add("--twice", options.twice);
  if (options.strict) command += " --strict";
  return options.keep_going ? command + " --keep-going" : command;
}

/// The files that are asked for, refused before anything is run.
class FuzzFiles {
 public:
  explicit FuzzFiles(const FuzzOptions& options) : options_(options), json_("--json", options.json) {
    require_apart(names_of(options));
    const auto open = [](std::string_view flag, const std::optional<std::string>& path, std::optional<OutputFile>& file) {
      if (path) file = read_flag(flag, *path, [](std::string_view text) { return OutputFile(std::string(text)); });
    };
    open("--junit", options.junit, junit_);
    open("--html", options.html, html_);
    if (options.findings)
      read_flag("--findings", *options.findings, [](std::string_view folder) {
        require_writable_folder(std::string(folder));
        return true;
      });
  }

  /// Whether standard output takes the text; else it takes the JSON report.
  bool has_text() const { return !json_.is_standard_output(); }

  void write(const FuzzOutcome& outcome, const std::vector<SavedCase>& saved, std::ostream& out) const {
    const FindingTexts texts = texts_of(options_);
    if (junit_) junit_->write(junit_text(outcome, texts));
    const Document report = fuzz_report(outcome, texts);
    if (json_.is_wanted()) json_.write(json_text(json_of(report)), out);
    if (html_) html_->write(pages::page_of(report, "findings", "What heddle fuzz found", command_of(options_)));
    if (options_.findings) write_findings(outcome, texts, *options_.findings);
    if (options_.corpus) append_to_corpus(*options_.corpus, outcome, saved);
  }

 private:
  static std::vector<NamedOutput> names_of(const FuzzOptions& options) {
    std::vector<NamedOutput> names;
    const auto add = [&](const char* flag, const std::optional<std::string>& path) {
      if (path) names.push_back({flag, *path});
    };
    add("--junit", options.junit);
    add("--json", options.json);
    add("--html", options.html);
    add("--corpus", options.corpus);
    return names;
  }

  const FuzzOptions& options_;
  ReportOutput json_;
  std::optional<OutputFile> junit_;
  std::optional<OutputFile> html_;
};

/// kExitCheckFailed if a case failed, kExitInterrupted if a signal came before one did. Findings go to `err`.
int fuzz_rows(const FuzzOptions& options, std::ostream& out, std::ostream& err) {
  if (options.one_case) return run_one_case(options, out, err);
  FuzzSettings settings = read_settings(options);
  const FindingTexts texts = texts_of(options);
  const FuzzFiles files(options);
  if (files.has_text())
    out << fmt::format("# heddle {}: fuzz, seed {}, up to {}{}\n", version(), settings.seed,
                       counted(settings.most_ranks, "rank"),
                       settings.large_once_in > 0 && settings.most_large_ranks > settings.most_ranks
                           ? fmt::format(", large cases up to {}", settings.most_large_ranks)
                           : "")
        << std::flush;
  const InterruptGuard guard;
  WorkProgress progress(err, "cases", settings.cases, settings.time ? std::optional(settings.time->count()) : std::nullopt,
                        WorkProgress::ShownBy::workers);
  settings.ended_one = [&] { progress.finish_one(); };
  const FuzzOutcome outcome = fuzz(settings);
  progress.pause();
  err << findings_text(outcome, texts);
  if (files.has_text()) out << summary_text(outcome, options.rows, is_interrupted(), texts);
  files.write(outcome, settings.saved, out);
  print_interrupted(outcome.given_up, options, err);
  if (!outcome.refusal.empty()) err << fmt::format("heddle: {}\n", outcome.refusal);
  if (!outcome.passed()) return kExitCheckFailed;
  if (!outcome.refusal.empty()) return kExitBadInput;
  return is_interrupted() ? kExitInterrupted : kExitOk;
}

}  // namespace

Command add_fuzz_command(CLI::App* command) {
  const auto options = std::make_shared<FuzzOptions>();
  const FlagGroup flags(*command);
  flags.add("COLLECTIVE", options->collective, "", "Only this one (all)");
  flags.add("--algo", options->algorithms, "NAMES", "Only these algorithms, with commas (all)");
  flags.add("--tag", options->tags, "TAGS",
            "Only algorithms with one of these tags: a collective's name; grid, in_network, equal_blocks, commutative "
            "(what they need); hierarchical; options, formulas, credits (what they have); a plugin's own");
  add_plugin_flag(flags, options->plugins)
      ->description(
          "Fuzz the algorithms of this shared library instead (docs/fuzzing.md), e.g. libmine.so; several with commas, or each "
          "with a --plugin");
  flags.add("--seconds", options->seconds, "S", "Begin cases for so long");
  flags.add(
      "--cases", options->cases, "N",
      fmt::format("Or so many cases ({} unless --seconds is given; {} with --explore)", Usual::kCases, Usual::kExploredCases));
  flags.add_with_default(
      "--case-seconds", options->case_seconds, "S",
      "A case that takes longer is judged by smaller ones: endless, a failure as others are; or slow, and given up");
  flags.add_with_default("--seed", options->seed, "SEED",
                         "Case i of a seed is the same on every machine and any number of cores");
  flags.add("--case", options->one_case, "TEXT", "Run this one case, as a finding names it");
  flags.add("--explore", options->explore, "D",
            fmt::format("Run each case under every order with at most D delays of ranks and messages (the first {}), "
                        "then under {} at random",
                        Usual::kMostOrders, Usual::kOrderSeeds));
  flags.add("--max-ranks", options->most_ranks, "P",
            fmt::format("The most ranks of a case ({}; {} with --explore)", Usual::kMostRanks, Usual::kExploredRanks));
  flags.add("--topo", options->topology, "SPEC", "Only on this fabric (any)");
  flags.add("--ranks", options->ranks, "LIST", "Only so many ranks, as 2:9 or 3,5,8 (any)");
  flags.add("--datatype", options->types, "TYPES", "Only elements of these types, with commas (any)");
  flags.add("--op", options->ops, "OPS", "Only these operations, with commas (any)");
  flags.add_switch("--in-place", options->in_place, "Only calls in place");
  flags.add_switch("--out-of-place", options->out_of_place, "Only calls out of place");
  flags.add("--twice", options->twice, "N",
            fmt::format("One case in N is run twice and must go the same way; 1: each, 0: none ({} with --plugin, else none)",
                        Usual::kTwiceOnceIn));
  flags.add("--stack", options->stack, "SIZE", "Stack of each rank");
  flags.add("--jobs", options->jobs, "N", "How many cases at once (as many as there are cores)");
  flags.add("--faults", options->faults, "N",
            fmt::format("One case in N has faults (docs/faults.md): links, ranks, messages, switches. It must end right, or "
                        "with an error that names them. 1: each, 0: none ({}; none with --explore)",
                        Usual::kFaultOnceIn));
  flags.add("--large", options->large, "N",
            fmt::format("One case in N is large: 5,000 to 70,000 elements, or 65 to {} ranks unless --max-ranks says less. "
                        "1: each, 0: none ({}; {} with --plugin, none with --explore)",
                        Usual::kMostLargeRanks, Usual::kLargeOnceIn, Usual::kLargeOnceInOfPlugins));
  flags.add("--corpus", options->corpus, "FILE", "Saved cases, one on each line, run before any is drawn; findings are added");
  flags.add("--findings", options->findings, "DIR", "A folder in it for each finding: its text, its line, its test, its trace");
  flags.add_with_default(
      "--test-style", options->test_style, "NAME",
      "The test that comes with a finding: catch2-v2, catch2-v3, googletest or plain (a program of its own)");
  flags.add("--junit", options->junit, "FILE", "Also write the rows as tests, in JUnit's XML");
  flags.add_json(options->json);
  flags.add("--html", options->html, "FILE", "Also write it as one page that a browser opens (docs/page.md)");
  flags.add_switch("--strict", options->strict,
                   "A call that an MPI function refuses, by an error code on all ranks, is a failure");
  flags.add_switch("--keep-going", options->keep_going, "Do not stop at the first failure: one finding for each row and kind");
  flags.add_switch("--rows", options->rows, "Coverage row by row");
  command->footer(
      "A case is a call of one algorithm with everything drawn: fabric, placement, speeds, ranks, count, blocks, type,\n"
      "operation, root, buffering, order of events, options. What fails is made as small as it goes and explained, with the\n"
      "line that repeats it and a test to paste. Exit status 1 if a case failed,\n"
      "2 if nothing could be run, 3 if a signal ended it before a case failed, or the one case of --case is slow.\n"
      "\nExamples:\n  heddle fuzz --seconds 60\n  heddle fuzz allreduce --algo ring,swing_bandwidth --cases 100000 --seed 7\n"
      "  heddle fuzz --plugin ./libmine.so --keep-going");
  return {command, [options](std::ostream& out, std::ostream& err) { return fuzz_rows(*options, out, err); }, true};
}

}  // namespace heddle
