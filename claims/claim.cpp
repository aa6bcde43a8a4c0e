// SPDX-License-Identifier: Apache-2.0
#include "claims/claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heddle::claims {

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::holds_within:
      return "holds within";
    case Verdict::does_not_hold:
      return "does not hold";
  }
  return "";
}

std::string citation(const Source& source, const Claim& claim) {
  return claim.section.starts_with('[') ? claim.section : fmt::format("[{}] {}", source.name, claim.section);
}

std::vector<Source> all_sources() { return {traeff(), trivance(), swing(), bine(), explainer()}; }

Finding compare(std::string subject, double printed, int decimals, double measured, std::string unit, double tolerance,
                std::string command, std::string why) {
  const double half_a_unit = 0.5 * std::pow(10.0, -decimals);
  const double difference = measured / printed - 1;
  const int shown = std::max(decimals, 0);
  Finding finding{.subject = std::move(subject),
                  .printed = fmt::format("{:.{}f}{}{}", printed, shown, unit.empty() ? "" : " ", unit),
                  .measured = fmt::format("{:.{}f}{}{}", measured, shown + 1, unit.empty() ? "" : " ", unit),
                  .difference = printed == 0 ? std::nullopt : std::optional(difference),
                  .verdict = Verdict::does_not_hold,
                  .command = std::move(command)};
  if (std::abs(measured - printed) <= half_a_unit * (1 + 1e-9)) {
    finding.verdict = Verdict::holds;
  } else if (std::abs(difference) <= tolerance) {
    finding.verdict = Verdict::holds_within;
    finding.tolerance = tolerance;
  } else {
    finding.why = std::move(why);
  }
  return finding;
}

Finding compare_exactly(std::string subject, std::int64_t printed, std::int64_t measured, std::string command,
                        std::string why) {
  const bool holds = printed == measured;
  return {.subject = std::move(subject),
          .printed = fmt::format("{}", printed),
          .measured = fmt::format("{}", measured),
          .difference =
              printed == 0 ? std::nullopt : std::optional(static_cast<double>(measured) / static_cast<double>(printed) - 1),
          .verdict = holds ? Verdict::holds : Verdict::does_not_hold,
          .why = holds ? "" : std::move(why),
          .command = std::move(command)};
}

Finding compare_words(std::string subject, std::string printed, std::string measured, bool holds, std::string command,
                      std::string why) {
  return {.subject = std::move(subject),
          .printed = std::move(printed),
          .measured = std::move(measured),
          .difference = std::nullopt,
          .verdict = holds ? Verdict::holds : Verdict::does_not_hold,
          .why = holds ? "" : std::move(why),
          .command = std::move(command)};
}

}  // namespace heddle::claims
