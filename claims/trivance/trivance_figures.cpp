// SPDX-License-Identifier: Apache-2.0
// Figures 6 to 10: who is first at which size, where it turns, by how much.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>

#include "claims/trivance/trivance_claims.hpp"
#include "claims/trivance/trivance_comparison.hpp"

namespace heddle::claims::trivance_parts {

namespace {

/// Shapes are read off figures: leads agree within so many percentage points, and who is not first by less is level.
constexpr double kPoints = 5;

const std::vector<std::string> kAllFamilies = {"Trivance", "Bruck", "Swing", "recursive doubling", "bucket"};

double percent(double part) { return 100 * part; }

/// One figure's statements, checked one by one, sizes growing.
class Figure {
 public:
  Figure(Lab& lab, std::string topology, std::vector<std::string> families = kAllFamilies,
         std::string speeds = "--preset trivance", std::string subject = {})
      : comparison_(lab, std::move(topology), std::move(families), std::move(speeds)), subject_(std::move(subject)) {}

  /// Who is fastest. `family`: or "another", which is any but Trivance.
  void first(std::string_view size, const std::string& family, std::string_view why = {}) {
    const std::vector<Standing>& standings = at(size);
    const std::string measured = winner(standings);
    const bool is_so = family == "another" ? measured != "Trivance" : measured == family;
    Finding finding = begin(size, fmt::format("{} first", family), is_so, why);
    const double behind = family == "another" ? percent(lead_over_best(standings)) : percent(behind_first(standings, family));
    if (!is_so && behind <= kPoints) accept(finding, fmt::format("{:g} % of the first", kPoints), why);
    add(std::move(finding));
  }

  /// Another is as fast as Trivance.
  void level(std::string_view size, const std::string& family, std::string_view why = {}) {
    const double lead = percent(lead_over(at(size), family));
    Finding finding = begin(size, fmt::format("{} level with Trivance", family), false, why);
    if (std::abs(lead) <= kPoints) accept(finding, fmt::format("{:g} %", kPoints), "");
    add(std::move(finding));
  }

  /// By how many per cent another takes longer ("all": the best of them).
  void lead(std::string_view size, const std::string& over, double printed, std::string_view why = {}) {
    const double measured = percent(lead_of(size, over));
    Finding finding = begin(size, fmt::format("{:+g} % over {}", printed, over), std::abs(measured - printed) <= 0.5, why);
    if (finding.verdict != Verdict::holds && std::abs(measured - printed) <= kPoints)
      accept(finding, fmt::format("{:g} percentage points", kPoints), "");
    add(std::move(finding));
  }

  void lead_above(std::string_view size, const std::string& over, double printed, std::string_view why = {}) {
    const bool is_so = percent(lead_of(size, over)) >= printed;
    Finding finding = begin(size, fmt::format("more than {:+g} % over {}", printed, over), is_so, why);
    if (!is_so && percent(lead_of(size, over)) >= printed - kPoints)
      accept(finding, fmt::format("{:g} percentage points", kPoints), why);
    add(std::move(finding));
  }

  void lead_between(std::string_view size, double least, double most, std::string_view why = {}) {
    const double measured = percent(lead_of(size, "all others"));
    Finding finding = begin(size, fmt::format("{:g} to {:g} % over all others", least, most),
                            measured >= least - 0.5 && measured <= most + 0.5, why);
    if (finding.verdict != Verdict::holds && measured >= least - kPoints && measured <= most + kPoints)
      accept(finding, fmt::format("{:g} percentage points", kPoints), "");
    add(std::move(finding));
  }

  /// The largest lead over all others at these sizes.
  void greatest_lead(std::initializer_list<std::string_view> sizes, double printed, std::string_view why = {}) {
    std::string_view where;
    double greatest = -100;
    for (const std::string_view size : sizes)
      if (const double lead = percent(lead_over_best(at(size))); lead > greatest) {
        greatest = lead;
        where = size;
      }
    Finding finding =
        begin(where, fmt::format("up to {:+g} % over all others", printed), std::abs(greatest - printed) <= 0.5, why);
    finding.subject = fmt::format("{}{} to {}", subject_, *sizes.begin(), *(sizes.end() - 1));
    finding.measured = fmt::format("up to {:+.1f} %, at {}", greatest, where);
    if (finding.verdict != Verdict::holds && std::abs(greatest - printed) <= kPoints)
      accept(finding, fmt::format("{:g} percentage points", kPoints), "");
    add(std::move(finding));
  }

  std::vector<Finding> findings() { return std::move(findings_); }

 private:
  const std::vector<Standing>& at(std::string_view size) {
    auto known = standings_.find(std::string(size));
    if (known == standings_.end()) known = standings_.emplace(std::string(size), comparison_.at(size)).first;
    return known->second;
  }

  double lead_of(std::string_view size, const std::string& over) {
    return over == "all others" ? lead_over_best(at(size)) : lead_over(at(size), over);
  }

  static double behind_first(const std::vector<Standing>& standings, const std::string& family) {
    const double first = std::ranges::min(standings, {}, &Standing::microseconds).microseconds;
    return std::ranges::find(standings, family, &Standing::family)->microseconds / first - 1;
  }

  Finding begin(std::string_view size, std::string printed, bool holds, std::string_view why) {
    return compare_words(fmt::format("{}{}", subject_, size), std::move(printed), describe(at(size)), holds,
                         comparison_.command(size), std::string(why));
  }

  static void accept(Finding& finding, std::string within, std::string_view why) {
    finding.verdict = Verdict::holds_within;
    finding.within = std::move(within);
    finding.why = why;
  }

  void add(Finding finding) { findings_.push_back(std::move(finding)); }

  Comparison comparison_;
  std::string subject_;
  std::map<std::string, std::vector<Standing>> standings_;
  std::vector<Finding> findings_;
};

// ---- rings ----

const char* const kRing8 =
    "In runs all three are straight lines (m/B is the vector's time on one link): Trivance (B) takes 7.6 µs + 1.5·m/B, Swing "
    "(B) 11.0 µs + "
    "1.125·m/B, bucket 23.8 µs + 0.875·m/B. So Trivance and Swing cross at 0.86 MiB and Swing and bucket at 4.9 MiB.";

std::vector<Finding> figure_6a(Lab& lab) {
  Figure figure(lab, "ring:8");
  figure.first("32B", "Trivance");
  figure.lead_above("32B", "Swing", 20);
  figure.lead_above("32B", "recursive doubling", 20);
  figure.first("32KiB", "Trivance");
  figure.lead("128KiB", "all others", 15);
  figure.first("256KiB", "Trivance");
  figure.level("512KiB", "Swing", kRing8);
  figure.first("1MiB", "Swing");
  figure.first("2MiB", "Swing");
  figure.first("4MiB", "bucket", kRing8);
  for (const char* size : {"8MiB", "32MiB", "128MiB"}) figure.first(size, "bucket");
  return figure.findings();
}

std::vector<Finding> figure_6b(Lab& lab) {
  Figure figure(lab, "ring:64");
  figure.lead("32B", "all others", 10);
  figure.lead("8KiB", "all others", 10,
              "More than printed: Bruck's messages share links three times as much, which at 8 KiB already costs it 4.4 µs of "
              "its 19.0, "
              "Trivance 2.9 of 16.2, and Swing's fewer bytes do not yet make up for two steps more.");
  figure.level("32KiB", "Swing");
  for (const char* size : {"128KiB", "256KiB", "512KiB"}) figure.first(size, "Trivance");
  for (const char* size : {"2MiB", "8MiB", "128MiB"}) figure.first(size, "another");
  return figure.findings();
}

// ---- 2D ----

std::vector<Finding> figure_7a(Lab& lab) {
  Figure figure(lab, "torus:8x8");
  for (const char* size : {"32B", "8KiB", "32KiB", "128KiB", "256KiB", "512KiB", "1MiB", "2MiB"})
    figure.first(size, "Trivance");
  figure.greatest_lead({"32KiB", "128KiB", "256KiB", "512KiB", "1MiB", "2MiB"}, 25);
  figure.level("4MiB", "Swing");
  for (const char* size : {"8MiB", "128MiB"}) figure.first(size, "another");
  return figure.findings();
}

std::vector<Finding> figure_7b(Lab& lab) {
  Figure figure(lab, "torus:32x32");
  for (const char* size : {"32B", "32KiB", "128KiB", "512KiB", "1MiB", "2MiB", "4MiB"}) figure.first(size, "Trivance");
  figure.level("8MiB", "Swing");
  for (const char* size : {"16MiB", "128MiB"}) figure.first(size, "another");
  return figure.findings();
}

const char* const kMoreThan14 =
    "Trivance is further ahead than printed. Where all send their B variants the lead is latency alone: without a byte "
    "Trivance (B) takes "
    "36.8 µs (16 steps, and 64 hops of 0.2 µs) and Swing (B), the next, 46.8 (20 steps): 27 %. Any "
    "model with the stated α and hops has it; what is printed is half.";

const char* const kOverBandwidth =
    "Times depend on size over bandwidth alone; at 800 Gb/s the two cross between 8 and 16 MiB (figure 7b).";

std::vector<Finding> figure_8(Lab& lab) {
  std::vector<Finding> findings;
  const auto at = [&](int gigabits, auto check) {
    Figure figure(lab, "torus:32x32", {"Trivance", "Bruck", "Swing", "bucket"},
                  fmt::format("--preset trivance --bw {}Gbps", gigabits), fmt::format("{} Gb/s, ", gigabits));
    check(figure);
    for (Finding& finding : figure.findings()) findings.push_back(std::move(finding));
  };
  at(200, [](Figure& figure) {
    for (const char* size : {"32B", "512KiB", "2MiB"}) figure.lead_between(size, 6, 14, kMoreThan14);
    figure.level("4MiB", "Swing", kOverBandwidth);
    figure.first("8MiB", "another");
  });
  at(400, [](Figure& figure) {
    figure.lead_between("2MiB", 6, 14, kMoreThan14);
    figure.level("4MiB", "Swing", kOverBandwidth);
  });
  for (const int gigabits : {2400, 3200})
    at(gigabits, [](Figure& figure) {
      figure.lead_between("2MiB", 6, 14, kMoreThan14);
      figure.first("64MiB", "Trivance", kOverBandwidth);
      figure.first("128MiB", "another");
    });
  return findings;
}

const char* const kSmall27 =
    "6 steps of 1.5 µs and hops of 0.2 µs: Trivance's distances 1 + 3 + 9 in each dimension are 26 hops, 14.2 µs; Bruck's "
    "longer peers are "
    "2, 6 and, the shorter way, 9 away, 34 hops, 15.8 µs: 11 %. 5 % is the lead on rings of 8 and on 8x8 (5.3 %).";

std::vector<Finding> figure_9(Lab& lab) {
  Figure figure(lab, "torus:27x27", {"Trivance", "Bruck", "bucket"});
  figure.lead("32B", "Bruck", 5, kSmall27);
  for (const char* size : {"64KiB", "128KiB", "256KiB", "512KiB"}) figure.lead_above(size, "all others", 10);
  figure.lead_above("1MiB", "all others", 50, "50.76 µs of Bruck against 35.13: 0.5 is passed between 1 and 2 MiB.");
  for (const char* size : {"2MiB", "4MiB", "8MiB", "16MiB"}) figure.lead_above(size, "all others", 50);
  figure.lead_above("32MiB", "all others", 40);
  figure.first("64MiB", "Trivance");
  figure.level("128MiB", "bucket");
  return figure.findings();
}

// ---- 3D ----

const char* const kSixteen =
    "The published simulation set the sizes of its messages there to 0.33^(step+1) of the vector instead of following the "
    "block sets. "
    "Those sizes are of 27, not 16: with 16 ranks in a dimension the first step can send 4 blocks one way and 3 the other "
    "(`heddle list --collective allreduce --algo trivance_bandwidth --schedule ring:16`), so 9 of 16 stay for the other "
    "dimensions, "
    "where a third would at a power of three. Per direction and phase the busiest links then carry, in parts of a slice, "
    "¼(1 + 9/16 + 81/256) at distance 1, (9/16)³·⅓·3·(1 + ⅓ + 1/9) at distance 3 and (9/16)³/27·⅓·4·(1 + ⅓ + 1/9) at distance "
    "4: "
    "0.74 where ½ is the least, 1.48 times. A run without latency and α (`--bw 100GB/s --latency 0`) takes 661.695 µs for 128 "
    "MiB, 1.48 "
    "times 2·M/(6·B) = 447.4 µs. With sizes of 0.33^(step+1) it would be about 1.06. At powers of three runs agree with Table "
    "2.";

const char* const kSmallSixteen =
    "Trivance is further ahead than printed. Where both send their B variants the lead is latency: 18 steps of 1.5 µs and 48 "
    "hops of 0.2 "
    "µs against Swing's 24 and 60, 36.6 µs against 48.0 without a byte: 31 %.";

std::vector<Finding> figure_10(Lab& lab) {
  Figure figure(lab, "torus:16x16x16");
  for (const char* size : {"32B", "128KiB", "1MiB"}) figure.lead_between(size, 5, 15, kSmallSixteen);
  for (const char* size : {"8MiB", "32MiB"}) figure.first(size, "Trivance", kSixteen);
  figure.lead("128MiB", "Swing", 8, kSixteen);
  return figure.findings();
}

}  // namespace

std::vector<Claim> figure_claims() {
  return {
      {.name = "trivance/fig-6a",
       .section = "§6.1, Figure 6(a)",
       .statement = "Ring of 8: a little ahead of Bruck and more than 20 % ahead of Swing and recursive doubling for small "
                    "messages, up to 15 % "
                    "ahead of all at 128 KiB; Swing is level at 512 KiB and ahead beyond; bucket is fastest from 4 MiB on.",
       .check = figure_6a},
      {.name = "trivance/fig-6b",
       .section = "§6.1, Figure 6(b)",
       .statement = "Ring of 64: about 10 % ahead of all from 32 B to 8 KiB; Swing gains at 32 KiB; Trivance is ahead again at "
                    "128 and 256 KiB, "
                    "and on rings up to 512 KiB.",
       .check = figure_6b},
      {.name = "trivance/fig-7a",
       .section = "§6.2, Figure 7(a)",
       .statement = "Torus of 8x8: fastest until 4 MiB, by up to 25 % between 32 KiB and 2 MiB.",
       .check = figure_7a},
      {.name = "trivance/fig-7b",
       .section = "§6.2, Figure 7(b)",
       .statement = "Torus of 32x32: fastest until 8 MiB.",
       .check = figure_7b},
      {.name = "trivance/fig-8",
       .section = "§6.2, Figure 8",
       .statement = "Torus of 32x32 from 200 Gb/s to 3.2 Tb/s: 6 to 14 % ahead of the best other up to 2 MiB whatever the "
                    "bandwidth; overtaken "
                    "at about 4 MiB at low bandwidths, ahead up to 64 MiB at 2.4 and 3.2 Tb/s.",
       .check = figure_8},
      {.name = "trivance/fig-9",
       .section = "§6.2, Figure 9",
       .statement = "Torus of 27x27, against Bruck and bucket: 5 % ahead of Bruck for small messages, 10 % ahead of both above "
                    "32 KiB, more "
                    "than 50 % above 512 KiB, more than 40 % at 32 MiB; bucket is level only at 128 MiB.",
       .check = figure_9},
      {.name = "trivance/fig-10",
       .section = "§6.3, Figure 10",
       .statement = "Torus of 16x16x16: 5 to 15 % ahead of all from 32 B to 128 MiB, there 8 % ahead of Swing, the next.",
       .full = true,
       .check = figure_10},
  };
}

}  // namespace heddle::claims::trivance_parts
