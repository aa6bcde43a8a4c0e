// SPDX-License-Identifier: Apache-2.0
#include "claims/claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::claims {

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::holds_within:
      return "holds within";
    case Verdict::holds_otherwise:
      return "holds under other assumptions";
    case Verdict::definition:
      return "definition, not tested";
    case Verdict::not_tested:
      return "not tested";
    case Verdict::contradicts_itself:
      return "does not hold: the source contradicts itself";
    case Verdict::run_differs:
      return "does not hold: a run shows otherwise";
  }
  return "";
}

bool holds(Verdict verdict) {
  return verdict == Verdict::holds || verdict == Verdict::holds_within || verdict == Verdict::holds_otherwise;
}

bool does_not_hold(Verdict verdict) { return verdict == Verdict::contradicts_itself || verdict == Verdict::run_differs; }

std::string citation(const Source& source, const Claim& claim) {
  return claim.section.starts_with('[') ? claim.section : fmt::format("[{}] {}", source.name, claim.section);
}

std::string figure_file(const Claim& claim) {
  std::string name = claim.name;
  std::ranges::replace(name, '/', '-');
  return name + ".svg";
}

namespace {

Unless unless(Verdict verdict, std::string why) {
  Unless made(std::move(why));
  made.verdict = verdict;
  return made;
}

void differ(Finding& finding, Unless unless) {
  finding.verdict = unless.verdict;
  finding.why = std::move(unless.why);
  finding.quote = std::move(unless.quote);
  finding.otherwise = std::move(unless.otherwise);
}

}  // namespace

Unless contradiction(std::string quote, std::string why) {
  Unless made = unless(Verdict::contradicts_itself, std::move(why));
  made.quote = std::move(quote);
  return made;
}

Unless refuted(std::string quote, std::string why) {
  Unless made = unless(Verdict::run_differs, std::move(why));
  made.quote = std::move(quote);
  return made;
}

Unless assumed(std::string otherwise, std::string why) {
  Unless made = unless(Verdict::holds_otherwise, std::move(why));
  made.otherwise = std::move(otherwise);
  return made;
}

Unless untested(std::string why) { return unless(Verdict::not_tested, std::move(why)); }

Finding define(std::string subject, std::string printed, std::string why) {
  return {.subject = std::move(subject),
          .printed = std::move(printed),
          .measured = "",
          .difference = std::nullopt,
          .verdict = Verdict::definition,
          .why = std::move(why)};
}

Finding leave_untested(std::string subject, std::string printed, std::string why) {
  Finding finding = define(std::move(subject), std::move(printed), std::move(why));
  finding.verdict = Verdict::not_tested;
  return finding;
}

Finding compare(std::string subject, double printed, int decimals, double measured, std::string unit, double tolerance,
                std::string command, Unless unless) {
  const double half_a_unit = 0.5 * std::pow(10.0, -decimals);
  const double difference = measured / printed - 1;
  const int shown = std::max(decimals, 0);
  Finding finding{.subject = std::move(subject),
                  .printed = fmt::format("{:.{}f}{}{}", printed, shown, unit.empty() ? "" : " ", unit),
                  .measured = fmt::format("{:.{}f}{}{}", measured, shown + 1, unit.empty() ? "" : " ", unit),
                  .difference = printed == 0 ? std::nullopt : std::optional(difference),
                  .verdict = Verdict::run_differs,
                  .command = std::move(command)};
  if (std::abs(measured - printed) <= half_a_unit * (1 + 1e-9)) {
    finding.verdict = Verdict::holds;
  } else if (std::abs(difference) <= tolerance) {
    finding.verdict = Verdict::holds_within;
    finding.tolerance = tolerance;
  } else {
    differ(finding, std::move(unless));
  }
  return finding;
}

Finding compare_exactly(std::string subject, std::int64_t printed, std::int64_t measured, std::string command, Unless unless) {
  Finding finding{.subject = std::move(subject),
                  .printed = fmt::format("{}", printed),
                  .measured = fmt::format("{}", measured),
                  .difference = printed == 0 ? std::nullopt
                                             : std::optional(static_cast<double>(measured) / static_cast<double>(printed) - 1),
                  .verdict = Verdict::holds,
                  .command = std::move(command)};
  if (printed != measured) differ(finding, std::move(unless));
  return finding;
}

Finding compare_words(std::string subject, std::string printed, std::string measured, bool holds, std::string command,
                      Unless unless) {
  Finding finding{.subject = std::move(subject),
                  .printed = std::move(printed),
                  .measured = std::move(measured),
                  .difference = std::nullopt,
                  .verdict = Verdict::holds,
                  .command = std::move(command)};
  if (!holds) differ(finding, std::move(unless));
  return finding;
}

}  // namespace heddle::claims
