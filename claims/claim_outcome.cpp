// SPDX-License-Identifier: Apache-2.0
#include "claims/claims_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <string_view>

#include "core/nearest_name.hpp"
#include "emu/engine/parallel_for.hpp"
#include "heddle/errors.hpp"

namespace heddle::claims {

namespace {

bool is_called(const Claim& claim, std::string_view name, bool has_whole_name) {
  return has_whole_name ? claim.name == name : claim.name.starts_with(name);
}

/// What `text` was probably meant for: a claim or a source.
[[noreturn]] void refuse_name(std::span<const Source> sources, const std::string& text) {
  std::vector<std::string_view> known;
  for (const Source& source : sources) {
    known.push_back(source.name);
    for (const Claim& claim : source.claims) known.push_back(claim.name);
  }
  const std::string_view nearest = nearest_name(text, known);
  throw InputError(fmt::format("no claim is called '{}':{} 'heddle claims --list' names them all", text,
                               nearest.empty() ? "" : fmt::format(" did you mean '{}'?", nearest)));
}

/// A verdict that a reader cannot check is none.
std::string missing_reason(std::span<const Finding> findings) {
  if (findings.empty()) return "its check found nothing to compare";
  for (const Finding& finding : findings) {
    if (finding.verdict == Verdict::holds_otherwise && finding.otherwise.empty())
      return fmt::format("'{}' holds under other assumptions, and nothing says what is measured there", finding.subject);
    const bool is_explained = !finding.why.empty() || finding.verdict == Verdict::holds ||
                              (finding.verdict == Verdict::holds_within && (finding.tolerance || !finding.within.empty()));
    if (!is_explained)
      return fmt::format("'{}' {} (printed {}, measured {}) and nothing says why", finding.subject, to_string(finding.verdict),
                         finding.printed, finding.measured);
  }
  const auto lacks_quote = [](const Finding& finding) { return does_not_hold(finding.verdict) && finding.quote.empty(); };
  const auto unquoted = std::ranges::find_if(findings, lacks_quote);
  return unquoted == findings.end()
             ? ""
             : fmt::format("'{}' {}, and nothing quotes what it contradicts", unquoted->subject, to_string(unquoted->verdict));
}

Outcome measure(const Selected& selected, Lab& lab, Figures figures) {
  Outcome outcome{.selected = selected};
  const Claim& claim = *selected.claim;
  try {
    outcome.findings = claim.check(lab);
    outcome.error = missing_reason(outcome.findings);
    if (outcome.error.empty() && !claim.for_authors.empty() && outcome.count(Verdict::run_differs) == 0)
      outcome.error = "is a finding for authors, and no run shows otherwise (docs/claims)";
    if (figures == Figures::drawn && claim.figure) outcome.chart = claim.figure->chart(lab);
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  return outcome;
}

/// Reports outcomes in order, progress as it comes.
class OutcomeReporter {
 public:
  OutcomeReporter(std::vector<Outcome>& outcomes, const OutcomeObserver& observe, const ClaimProgress& progress)
      : outcomes_(outcomes), is_done_(outcomes.size()), observe_(observe), progress_(progress) {}

  void begun(const Claim& claim) {
    const std::lock_guard lock(mutex_);
    if (progress_) progress_(ended_, claim);
  }

  void ended(std::size_t i, Outcome outcome) {
    const std::lock_guard lock(mutex_);
    outcomes_[i] = std::move(outcome);
    is_done_[i] = true;
    ended_ += outcomes_[i].selected.runs ? 1 : 0;
    if (progress_) progress_(ended_, *outcomes_[i].selected.claim);
    for (; reported_ < outcomes_.size() && is_done_[reported_]; ++reported_)
      if (observe_) observe_(outcomes_[reported_]);
  }

 private:
  std::mutex mutex_;
  std::vector<Outcome>& outcomes_;
  std::vector<bool> is_done_;
  std::size_t reported_ = 0;
  std::size_t ended_ = 0;
  const OutcomeObserver& observe_;
  const ClaimProgress& progress_;
};

}  // namespace

std::string Outcome::verdict() const {
  const auto all = static_cast<int>(findings.size());
  int holding = 0;
  std::string others;
  for (int v = 0; v < kVerdicts; ++v) {
    const auto verdict = static_cast<Verdict>(v);
    const int these = count(verdict);
    if (these == all) return to_string(verdict);
    if (claims::holds(verdict))
      holding += these;
    else if (these > 0)
      others += fmt::format("; {} {}", these, to_string(verdict));
  }
  if (holding < all) return fmt::format("{} of {} hold{}", holding, all, others);
  const int otherwise = count(Verdict::holds_otherwise);
  if (otherwise > 0) return fmt::format("holds, {} of {} under other assumptions", otherwise, all);
  return "holds within";
}

int Outcome::count(Verdict verdict) const { return static_cast<int>(std::ranges::count(findings, verdict, &Finding::verdict)); }

std::vector<Selected> select_claims(std::span<const Source> sources, std::span<const std::string> names, bool full) {
  std::vector<bool> is_whole(names.size());
  for (std::size_t n = 0; n < names.size(); ++n) {
    bool is_known = false;
    for (const Source& source : sources)
      for (const Claim& claim : source.claims) {
        is_known = is_known || is_called(claim, names[n], false);
        is_whole[n] = is_whole[n] || claim.name == names[n];
      }
    if (!is_known) refuse_name(sources, names[n]);
  }
  std::vector<Selected> selected;
  for (const Source& source : sources)
    for (const Claim& claim : source.claims) {
      bool is_selected = names.empty();
      bool runs = full || !claim.full;
      for (std::size_t n = 0; n < names.size(); ++n) {
        if (!is_called(claim, names[n], is_whole[n])) continue;
        is_selected = true;
        runs = runs || is_whole[n];
      }
      if (is_selected) selected.push_back({.source = &source, .claim = &claim, .runs = runs});
    }
  return selected;
}

std::vector<Outcome> run_claims(std::span<const Selected> selected, Lab& lab, Figures figures, const OutcomeObserver& observe,
                                const ClaimProgress& progress) {
  std::vector<Outcome> outcomes(selected.size(), Outcome{.selected = {}});
  OutcomeReporter reporter(outcomes, observe, progress);
  std::vector<std::size_t> small;
  std::vector<std::size_t> large;
  for (std::size_t i = 0; i < selected.size(); ++i) {
    if (selected[i].runs)
      (selected[i].claim->full ? large : small).push_back(i);
    else
      reporter.ended(i, {.selected = selected[i]});
  }
  const auto run = [&](std::size_t i) {
    reporter.begun(*selected[i].claim);
    reporter.ended(i, measure(selected[i], lab, figures));
  };
  emu::parallel_for(std::ssize(small), [&](std::int64_t i) { run(small[static_cast<std::size_t>(i)]); });
  for (const std::size_t i : large) run(i);
  return outcomes;
}

}  // namespace heddle::claims
