// SPDX-License-Identifier: Apache-2.0
#include "claims/trivance/trivance_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "claims/trivance/trivance_program.hpp"

namespace heddle::claims::trivance_parts {

namespace {

constexpr double kPoints = 5;

double percent(double part) { return 100 * part; }

double lead_of(const std::vector<Standing>& standings, const std::string& over) {
  return percent(over == "all others" ? lead_over_best(standings) : lead_over(standings, over));
}

std::string text_of(double lead, const std::string& over) { return fmt::format("{:+.1f} % over {}", lead, over); }

/// How far a family is behind the first.
double behind_first(const std::vector<Standing>& standings, const std::string& family) {
  const double first = std::ranges::min(standings, {}, &Standing::microseconds).microseconds;
  return percent(std::ranges::find(standings, family, &Standing::family)->microseconds / first - 1);
}

}  // namespace

Figure::Figure(Lab& lab, std::string topology, std::vector<std::string> families, std::string speeds, std::string subject)
    : comparison_(lab, topology, std::move(families), std::move(speeds)),
      subject_(std::move(subject)),
      barrier_(barrier_microseconds(topology)) {}

Figure::Agreement Figure::near(double measured, double least, double most) {
  if (measured >= least - 0.5 && measured <= most + 0.5) return Agreement::exact;
  return measured >= least - kPoints && measured <= most + kPoints ? Agreement::within : Agreement::none;
}

const std::vector<Standing>& Figure::at(std::string_view size) {
  auto known = standings_.find(size);
  if (known == standings_.end()) known = standings_.emplace(std::string(size), comparison_.at(size)).first;
  return known->second;
}

void Figure::first(std::string_view size, const std::string& family, const Unless& unless) {
  add(
      size, fmt::format("{} first", family),
      [&](const std::vector<Standing>& standings) {
        const std::string measured = winner(standings);
        const bool is_so = family == "another" ? measured != "Trivance" : measured == family;
        const double behind = family == "another" ? percent(lead_over_best(standings)) : behind_first(standings, family);
        return Judged{is_so ? Agreement::exact : behind <= kPoints ? Agreement::within : Agreement::none, measured + " first"};
      },
      unless);
}

void Figure::overtaken(std::string_view size, std::string_view next, const std::string& family, const std::string& printed,
                       const Unless& unless) {
  const auto judge = [&](const std::vector<Standing>& before, const std::vector<Standing>& after) {
    const double here = lead_of(before, family);
    const double there = lead_of(after, family);
    return Judged{here >= -kPoints && there < 0 ? Agreement::exact : Agreement::none,
                  fmt::format("{:+.1f} % over {} at {}, {:+.1f} % at {}", here, family, size, there, next)};
  };
  const Judged alone = judge(at(size), at(next));
  const Judged program = judge(with_barrier(at(size), barrier_), with_barrier(at(next), barrier_));
  add(fmt::format("{}{} and {}, the next size that was simulated", subject_, size, next), next, printed, alone, program,
      unless);
}

void Figure::level(std::string_view size, const std::string& family, const Unless& unless) {
  add(
      size, fmt::format("{} level with Trivance", family),
      [&](const std::vector<Standing>& standings) {
        const double lead = lead_of(standings, family);
        return Judged{near(lead, 0, 0), text_of(lead, family)};
      },
      unless);
}

void Figure::lead(std::string_view size, const std::string& over, double printed, const Unless& unless) {
  add(
      size, fmt::format("{:+g} % over {}", printed, over),
      [&](const std::vector<Standing>& standings) {
        const double lead = lead_of(standings, over);
        return Judged{near(lead, printed, printed), text_of(lead, over)};
      },
      unless);
}

void Figure::lead_above(std::string_view size, const std::string& over, double printed, const Unless& unless) {
  add(
      size, fmt::format("more than {:+g} % over {}", printed, over),
      [&](const std::vector<Standing>& standings) {
        const double lead = lead_of(standings, over);
        return Judged{lead >= printed             ? Agreement::exact
                      : lead >= printed - kPoints ? Agreement::within
                                                  : Agreement::none,
                      text_of(lead, over)};
      },
      unless);
}

void Figure::lead_between(std::string_view size, double least, double most, const Unless& unless) {
  add(
      size, fmt::format("{:g} to {:g} % over all others", least, most),
      [&](const std::vector<Standing>& standings) {
        const double lead = lead_of(standings, "all others");
        return Judged{near(lead, least, most), text_of(lead, "all others")};
      },
      unless);
}

void Figure::greatest_lead(std::initializer_list<std::string_view> sizes, double printed, const Unless& unless) {
  const auto judge = [&](double barrier) {
    std::string_view where;
    double greatest = -100;
    for (const std::string_view size : sizes)
      if (const double lead = percent(lead_over_best(with_barrier(at(size), barrier))); lead > greatest) {
        greatest = lead;
        where = size;
      }
    return Judged{near(greatest, printed, printed), fmt::format("up to {:+.1f} %, at {}", greatest, where)};
  };
  const Judged alone = judge(0);
  add(fmt::format("{}{} to {}", subject_, *sizes.begin(), *(sizes.end() - 1)), *(sizes.end() - 1),
      fmt::format("up to {:+g} % over all others", printed), alone, judge(barrier_), unless);
}

void Figure::add(std::string_view size, std::string printed, const Judge& judge, const Unless& unless) {
  const std::vector<Standing>& alone = at(size);
  Judged of_allreduce = judge(alone);
  of_allreduce.measured += ": " + describe(alone);
  add(fmt::format("{}{}", subject_, size), size, std::move(printed), of_allreduce, judge(with_barrier(alone, barrier_)),
      unless);
}

void Figure::add(std::string subject, std::string_view size, std::string printed, const Judged& alone, const Judged& program,
                 const Unless& unless) {
  const std::string with = fmt::format("with the final barrier of {:.1f} us: {}", barrier_, program.measured);
  const bool agrees = alone.agreement != Agreement::none;
  const bool agrees_with = program.agreement != Agreement::none;
  Finding finding = compare_words(std::move(subject), std::move(printed), alone.measured + "; " + with, agrees && agrees_with,
                                  comparison_.command(size), unless);
  if (agrees != agrees_with) {
    finding.verdict = Verdict::holds_otherwise;
    finding.quote.clear();
    finding.measured = agrees ? with : alone.measured;
    finding.otherwise = agrees ? "the allreduce alone: " + alone.measured : with;
    finding.why =
        "The published plots read the simulated time of a whole program, which ends with a barrier: a binary tree over the "
        "ranks, 0.3 us and 0.2 us for each hop a message. It is added to all alike.";
    if (!agrees_with && unless.verdict == Verdict::not_tested) finding.why += " " + unless.why;
  } else if (agrees && std::min(alone.agreement, program.agreement) == Agreement::within) {
    finding.verdict = Verdict::holds_within;
    finding.within = fmt::format("{:g} percentage points", kPoints);
  }
  findings_.push_back(std::move(finding));
}

}  // namespace heddle::claims::trivance_parts
