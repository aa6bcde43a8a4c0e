// SPDX-License-Identifier: Apache-2.0
// A statement of a source that a run can check: what it says and where, and the function that looks whether it is so.
// docs/claims.md and docs/claims/ are made of these (`heddle claims --full --markdown docs/claims.md`). On a source's page its
// `setting` comes first, then each claim under a heading: its statement, its figure, the table of its findings, each reason
// once, the commands. A reason may span paragraphs; `measured` may say more than the verdict needs ("Trivance 22.57 us; Swing
// +23 %, Bruck +32 %").
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emu/record/report.hpp"
#include "heddle/units.hpp"
#include "show/drawing/chart.hpp"

namespace heddle::claims {

// Where claims are measured: checked runs by the command that repeats them, each made once however many claims ask for it.

/// Thread-safe. Runs go on the caller's thread; prepare() uses all cores.
class Lab {
 public:
  /// What `heddle run <arguments>` measures: "allreduce --algo ring --topo torus:8x8 --size 1MiB --preset trivance". One
  /// algorithm. Throws what run_checked throws, and InputError for arguments that the command refuses or that name several.
  const Report& run(const std::string& arguments);

  /// run(arguments).completion, in microseconds.
  double microseconds(const std::string& arguments);

  /// Makes all of these runs side by side, so that run() has them at once. Blocks until all are done.
  void prepare(const std::vector<std::string>& arguments);

  /// Calls it with 0 to count - 1, on all cores. What it calls may wait for runs that others of these make.
  static void side_by_side(std::int64_t count, const std::function<void(std::int64_t)>& one);

 private:
  using Result = std::shared_future<std::shared_ptr<const Report>>;

  std::mutex mutex_;
  std::unordered_map<std::string, Result> results_;
};

enum class Verdict : std::uint8_t {
  holds,               ///< exactly, or to the digits that are printed
  holds_within,        ///< the stated tolerance
  holds_otherwise,     ///< not in the setting as it is stated, but under other assumptions, which are named with their figure
  definition,          ///< nothing that a run could refute: the model's own definition, or values that a preset reads back
  not_tested,          ///< and why not
  contradicts_itself,  ///< does not hold: two statements of the source cannot both be true
  run_differs,         ///< does not hold: a run shows otherwise
};
inline constexpr int kVerdicts = 7;
std::string to_string(Verdict verdict);
/// Exactly, within a tolerance, or under other assumptions.
bool holds(Verdict verdict);
bool does_not_hold(Verdict verdict);

/// One printed value beside the measured one, or one printed order ("Swing, then bucket") beside the one that runs show.
struct Finding {
  std::string subject;               ///< of which case: "torus:8x8, 1 MiB", "p = 22"
  std::string printed;               ///< what the source says, with its unit: "18.8 us", "Trivance first"
  std::string measured;              ///< in the same words: "18.78 us"
  std::optional<double> difference;  ///< measured / printed − 1, where both are numbers
  Verdict verdict;
  std::optional<double> tolerance = {};  ///< relative; that `verdict` means where it is holds_within
  std::string within = {};               ///< the same in words, where it is no relative number: "5 percentage points"
  /// The reason, in words that a reader can check (numbers, a command). Empty only where it holds, or holds within a tolerance
  /// that is a number. May be long, several paragraphs even; Markdown. The same reason for several findings is shown once.
  std::string why = {};
  /// The words of the source that a finding contradicts, or that contradict each other. Never empty where it does not hold.
  std::string quote = {};
  /// Where it holds under other assumptions: what is measured under them, "8.83 us with host links".
  std::string otherwise = {};
  std::string command = {};  ///< that repeats the measurement: "heddle run allreduce …"; empty where none does
};

/// A figure of a source, drawn of heddle's runs, with what the source prints as marks.
struct Figure {
  std::string shows;  ///< in a sentence, for who cannot see it: "Goodput of allreduces on a torus of 64 x 64, by size"
  std::function<pictures::Chart(Lab&)> chart;  ///< of the same runs as the findings, and more sizes
};

struct Claim {
  std::string name;  ///< "trivance/lemma-4.1": the source's file, then what its own text calls it; unique, lower case
  /// "§4.2, Lemma 4.1"; with keys where the source is several documents: "[explainer-05] §3.2; [explainer-02] §5.2".
  std::string section;
  std::string statement;  ///< in our own words, one or two sentences
  bool full = false;      ///< measured on 4,096 ranks and more: runs with --full only
  std::function<std::vector<Finding>(Lab&)> check;
  std::optional<Figure> figure = {};
  /// What its authors would want to know, for the first page: a heading, a line feed, then Markdown. Only where a run shows
  /// otherwise. Empty: nothing.
  std::string for_authors = {};
  int place_for_authors = 0;  ///< on the first page, from 1
};

/// What one source claims, in the order of its sections.
struct Source {
  std::string name;   ///< "trivance"; its key in docs/sources.md
  std::string title;  ///< "Trivance (Jürß, Addanki, Schmid)"
  /// Shown above its claims: the setting that its figures share, and what is known of the published experiments. Markdown.
  std::string setting;
  std::vector<Claim> claims;
};

/// "swing-figure-6.svg"
std::string figure_file(const Claim& claim);

/// Where a claim stands, as docs/sources.md has it: "[trivance] §4.2, Lemma 4.1".
std::string citation(const Source& source, const Claim& claim);

/// All sources, in the order of docs/claims.md.
std::vector<Source> all_sources();
/// One of them, by its name: what docs/claims/<name>.json says.
Source known_source(std::string_view name);

// ---- what checks are made of ----

/// What a finding is if the values differ.
struct Unless {
  Unless() = default;
  /// A run shows otherwise.
  Unless(std::string reason) : why(std::move(reason)) {}
  Unless(const char* reason) : why(reason) {}

  Verdict verdict = Verdict::run_differs;
  std::string why = {};
  std::string quote = {};
  std::string otherwise = {};
};
/// The source contradicts itself: `quote` has the words that cannot both be true.
Unless contradiction(std::string quote, std::string why);
/// A run shows otherwise than `quote`.
Unless refuted(std::string quote, std::string why);
/// It holds under other assumptions, which `why` names: there `otherwise` is measured.
Unless assumed(std::string otherwise, std::string why);
/// This is no fair test, and `why` says what would be one.
Unless untested(std::string why);

/// What nothing can refute, listed apart: `printed` is the definition, `why` says whose.
Finding define(std::string subject, std::string printed, std::string why);
/// What no run has tested.
Finding leave_untested(std::string subject, std::string printed, std::string why);

/// A value that the source prints as `printed` `unit` and a run measured: holds if it agrees to the digits that are printed (to
/// half a unit of the last), holds within `tolerance` (relative) if it is that near; else it is what `unless` says.
/// `decimals` of the printed value: 18.8 has 1; of 1,460 that is rounded to tens, -1.
Finding compare(std::string subject, double printed, int decimals, double measured, std::string unit, double tolerance,
                std::string command, Unless unless = {});

/// Two integers that must be the same.
Finding compare_exactly(std::string subject, std::int64_t printed, std::int64_t measured, std::string command = {},
                        Unless unless = {});

/// An order, a winner, a property: `printed` and `measured` in words, the same where it holds.
Finding compare_words(std::string subject, std::string printed, std::string measured, bool holds, std::string command = {},
                      Unless unless = {});

}  // namespace heddle::claims
