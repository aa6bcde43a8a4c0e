// SPDX-License-Identifier: Apache-2.0
// Trivance's Figures 6 to 10: families of allreduces beside each other on one fabric, each by its better variant; who is first at
// which size, where it turns, by how much. Only the sizes that were simulated: 32 B and four times as much each.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "claims/compared_rows.hpp"
#include "core/errors.hpp"
#include "core/grid.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::claims {

namespace trivance {

namespace {

/// One family's better variant at one size.
struct Standing {
  std::string family;   ///< "Trivance"
  char variant;         ///< 'L', 'B', or ' ' where there is only one
  double microseconds;  ///< of an allreduce
  bool at_least;        ///< not run at this size: it took so long at a smaller one already, where the first took a third of it
};

class Comparison {
 public:
  /// `speeds`: flags of the run, "--preset trivance". Families: of "Trivance", "Bruck", "Swing", "recursive doubling",
  /// "bucket".
  Comparison(Lab& lab, std::string topology, std::vector<std::string> families, std::string speeds = "--preset trivance");

  /// Sizes must be asked for from small to large: what cannot win any more is not run again. Trivance first, the others as
  /// given.
  std::vector<Standing> at(std::string_view size);

  /// "heddle run allreduce --algo … --size 1MiB …": all variants at one size.
  std::string command(std::string_view size) const;

 private:
  struct Variant {
    std::string algorithm;
    double last = 0;         ///< at the last size that it ran at
    bool is_beaten = false;  ///< by the family's other variant, from some size on
  };
  struct Family {
    std::string name;
    std::vector<Variant> variants;  ///< L before B

    const Variant& best() const;
  };

  std::string arguments(const std::string& algorithm, std::string_view size) const;
  /// Runs what may still be the better of each.
  void run(std::span<Family*> families, std::string_view size);

  Lab& lab_;
  std::string topology_;
  std::string speeds_;
  std::vector<Family> families_;
};

struct KnownFamily {
  std::string_view name;
  std::vector<std::string> algorithms;  ///< L, then B
};

const std::vector<KnownFamily>& known_families() {
  static const std::vector<KnownFamily> families = {{"Trivance", {"trivance_latency", "trivance_bandwidth"}},
                                                    {"Bruck", {"bruck_latency", "bruck_bandwidth"}},
                                                    {"Swing", {"swing_latency", "swing_bandwidth"}},
                                                    {"recursive doubling", {"torus_recursive_doubling", "torus_rabenseifner"}},
                                                    {"bucket", {"bucket"}}};
  return families;
}

/// A family that took so many times as long at a smaller size as the first does at this one is not first: times grow with size.
constexpr double kBeyond = 3;

/// An L variant that takes so many times as long as the B variant stays behind: it sends more, the larger the more.
constexpr double kBeaten = 1.2;

Comparison::Comparison(Lab& lab, std::string topology, std::vector<std::string> families, std::string speeds)
    : lab_(lab), topology_(std::move(topology)), speeds_(std::move(speeds)) {
  for (const std::string& name : families) {
    Family family{.name = name, .variants = {}};
    for (const std::string& algorithm : std::ranges::find(known_families(), name, &KnownFamily::name)->algorithms)
      family.variants.push_back({.algorithm = algorithm});
    families_.push_back(std::move(family));
  }
}

std::string Comparison::arguments(const std::string& algorithm, std::string_view size) const {
  return fmt::format("allreduce --algo {} --topo {} --size {} {} --payload 4MiB", algorithm, topology_, size, speeds_);
}

std::string Comparison::command(std::string_view size) const {
  std::vector<std::string> algorithms;
  for (const Family& family : families_)
    for (const Variant& variant : family.variants) algorithms.push_back(variant.algorithm);
  return "heddle run " + arguments(fmt::format("{}", fmt::join(algorithms, ",")), size);
}

const Comparison::Variant& Comparison::Family::best() const {
  const Variant* best = &variants.back();
  for (const Variant& variant : variants)
    if (!variant.is_beaten && variant.last < best->last) best = &variant;
  return *best;
}

void Comparison::run(std::span<Family*> families, std::string_view size) {
  std::vector<std::string> runs;
  for (const Family* family : families)
    for (const Variant& variant : family->variants)
      if (!variant.is_beaten) runs.push_back(arguments(variant.algorithm, size));
  lab_.prepare(runs);
  for (Family* family : families) {
    for (Variant& variant : family->variants)
      if (!variant.is_beaten) variant.last = lab_.microseconds(arguments(variant.algorithm, size));
    Variant& latency = family->variants.front();
    if (latency.last > kBeaten * family->variants.back().last) latency.is_beaten = true;
  }
}

std::vector<Standing> Comparison::at(std::string_view size) {
  std::vector<Family*> first = {&families_.front()};
  run(first, size);
  const double shortest = families_.front().best().last;
  std::vector<Family*> others;
  for (std::size_t f = 1; f < families_.size(); ++f)
    if (families_[f].best().last <= kBeyond * shortest) others.push_back(&families_[f]);
  run(others, size);
  std::vector<Standing> standings;
  for (const Family& family : families_) {
    const bool has_two = family.variants.size() > 1;
    const bool has_run = &family == first.front() || std::ranges::find(others, &family) != others.end();
    standings.push_back({.family = family.name,
                         .variant = !has_two                                     ? ' '
                                    : &family.best() == &family.variants.front() ? 'L'
                                                                                 : 'B',
                         .microseconds = family.best().last,
                         .at_least = !has_run});
  }
  return standings;
}

/// How much longer another takes than Trivance: 0.05 for 5 %.
double lead_over(const std::vector<Standing>& standings, std::string_view family) {
  return std::ranges::find(standings, family, &Standing::family)->microseconds / standings.front().microseconds - 1;
}

/// Over the best of all others.
double lead_over_best(const std::vector<Standing>& standings) {
  double best = standings.at(1).microseconds;
  for (std::size_t i = 2; i < standings.size(); ++i) best = std::min(best, standings[i].microseconds);
  return best / standings.front().microseconds - 1;
}

/// Who is first.
std::string winner(const std::vector<Standing>& standings) {
  return std::ranges::min(standings, {}, &Standing::microseconds).family;
}

/// "Trivance 22.57 us (B); Swing +22.5 % (B), Bruck +31.9 % (B), …", the fastest first.
std::string describe(const std::vector<Standing>& standings) {
  std::vector<Standing> sorted(standings.begin() + 1, standings.end());
  std::ranges::stable_sort(sorted, {}, &Standing::microseconds);
  const auto variant = [](const Standing& standing) {
    return standing.variant == ' ' || standing.at_least ? std::string() : fmt::format(" ({})", standing.variant);
  };
  const Standing& first = standings.front();
  std::vector<std::string> others;
  for (const Standing& other : sorted)
    others.push_back(fmt::format("{} {}{:+.1f} %{}", other.family, other.at_least ? "> " : "",
                                 100 * (other.microseconds / first.microseconds - 1), variant(other)));
  return fmt::format("{} {:.2f} us{}; {}", first.family, first.microseconds, variant(first), fmt::join(others, ", "));
}

// ---- the program ----

// The published times hold more than the allreduce: their plots read the simulated time of a whole program, which ends with a
// barrier.

/// Hops between two ranks of a torus.
int distance(const Grid& grid, int from, int to) {
  int hops = 0;
  for (int d = 0; d < grid.dimensions(); ++d) {
    const int size = grid.dims()[static_cast<std::size_t>(d)];
    const int ahead = (grid.coordinate(Rank(to), d) - grid.coordinate(Rank(from), d) + size) % size;
    hops += std::min(ahead, size - ahead);
  }
  return hops;
}

/// Of a barrier along a binary tree of the ranks (rank r below rank (r-1)/2), up and down: each message takes 0.3 us for its
/// host links and 0.2 us for each hop of the ring or torus.
double barrier_microseconds(std::string_view topology) {
  constexpr double kHosts = 0.3;
  constexpr double kHop = 0.2;
  const auto fabric = parse_topology(topology);
  const Grid* grid = fabric->grid();
  if (grid == nullptr) throw UsageError("the barrier's distances are those of a grid");
  std::vector<double> below(static_cast<std::size_t>(fabric->endpoints()));  // the longest way up to each rank
  for (int rank = fabric->endpoints() - 1; rank > 0; --rank) {
    const int parent = (rank - 1) / 2;
    double& longest = below[static_cast<std::size_t>(parent)];
    longest = std::max(longest, below[static_cast<std::size_t>(rank)] + kHosts + kHop * distance(*grid, rank, parent));
  }
  return 2 * below.front();
}

/// The same standings with so much added to every time.
std::vector<Standing> with_barrier(std::vector<Standing> standings, double microseconds) {
  for (Standing& standing : standings) standing.microseconds += microseconds;
  return standings;
}

// ---- a figure ----

/// Every statement is looked at twice: of the allreduce by itself and with the program's final barrier. It holds if it does so
/// both times; once, it holds under other assumptions, with the figures of both. Leads are read off figures: they agree within
/// five percentage points.
class Figure {
 public:
  /// `speeds`: flags of the run. `subject` stands before each size.
  Figure(Lab& lab, std::string topology, std::vector<std::string> families, std::string speeds = "--preset trivance",
         std::string subject = {});

  /// Who is fastest. `family`: or "another", which is any but Trivance.
  void first(std::string_view size, const std::string& family, const Unless& unless = {});
  /// Trivance is not behind `family` at one simulated size, and is so at the next: they cross in between.
  void overtaken(std::string_view size, std::string_view next, const std::string& family, const std::string& printed,
                 const Unless& unless = {});
  /// Another is as fast as Trivance.
  void level(std::string_view size, const std::string& family, const Unless& unless = {});
  /// By how many per cent another takes longer ("all others": the best of them).
  void lead(std::string_view size, const std::string& over, double printed, const Unless& unless = {});
  void lead_above(std::string_view size, const std::string& over, double printed, const Unless& unless = {});
  void lead_between(std::string_view size, double least, double most, const Unless& unless = {});
  /// The largest lead over all others at these sizes.
  void greatest_lead(const std::vector<std::string>& sizes, double printed, const Unless& unless = {});

  std::vector<Finding> findings() { return std::move(findings_); }

 private:
  enum class Agreement { none, within, exact };
  struct Judged {
    Agreement agreement;
    std::string measured;
  };
  /// Of the standings at one size, with or without the barrier.
  using Judge = std::function<Judged(const std::vector<Standing>&)>;

  static Agreement near(double measured, double least, double most);
  const std::vector<Standing>& at(std::string_view size);
  void add(std::string_view size, std::string printed, const Judge& judge, const Unless& unless);
  void add(std::string subject, std::string_view size, std::string printed, const Judged& alone, const Judged& program,
           const Unless& unless);

  Comparison comparison_;
  std::string subject_;
  double barrier_;
  std::map<std::string, std::vector<Standing>, std::less<>> standings_;
  std::vector<Finding> findings_;
};

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

void Figure::greatest_lead(const std::vector<std::string>& sizes, double printed, const Unless& unless) {
  const auto judge = [&](double barrier) {
    std::string where;
    double greatest = -100;
    for (const std::string& size : sizes)
      if (const double lead = percent(lead_over_best(with_barrier(at(size), barrier))); lead > greatest) {
        greatest = lead;
        where = size;
      }
    return Judged{near(greatest, printed, printed), fmt::format("up to {:+.1f} %, at {}", greatest, where)};
  };
  const Judged alone = judge(0);
  add(fmt::format("{}{} to {}", subject_, sizes.front(), sizes.back()), sizes.back(),
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

/// The statements of a figure: a row has what is stated, at which size, and what Figure's function of that name takes.
Findings figure(Lab& lab, const ClaimData& check) {
  Figure figure(lab, check.text("topology"), check.texts("families"), check.text("speeds", "--preset trivance"),
                check.text("subject", ""));
  for (const ClaimData& row : check.rows()) {
    const std::string stated = row.text(0);
    if (stated == "first") figure.first(row.text(1), row.text(2), row.unless(3));
    if (stated == "overtaken") figure.overtaken(row.text(1), row.text(2), row.text(3), row.text(4), row.unless(5));
    if (stated == "level") figure.level(row.text(1), row.text(2), row.unless(3));
    if (stated == "lead") figure.lead(row.text(1), row.text(2), row.number(3), row.unless(4));
    if (stated == "lead above") figure.lead_above(row.text(1), row.text(2), row.number(3), row.unless(4));
    if (stated == "lead between") figure.lead_between(row.text(1), row.number(2), row.number(3), row.unless(4));
    if (stated == "greatest lead") figure.greatest_lead(row.texts(1), row.number(2), row.unless(3));
  }
  return figure.findings();
}

// ---- pictures ----

/// How much longer each family takes, by its better variant, at each of `sizes`; what was too slow to be run again is left out. With
/// `bandwidths`, in Gb/s: the best of all but the first, a line for each.
pictures::Chart beyond_trivance(Lab& lab, const ClaimData& data) {
  const std::string topology = data.text("topology");
  const std::vector<std::string> families = data.texts("families");
  // Who takes longer than `highest` per cent is far behind.
  pictures::ChartPanel panel{.title = data.text("panel", topology.c_str()),
                             .x = axis_by_size(),
                             .y = {.title = "Time beyond Trivance's (%)", .most = data.number("highest", 70)},
                             .lines = {}};
  for (const ClaimData& bandwidth : data.parts("bandwidths")) {
    Comparison comparison(lab, topology, families, "--preset trivance --bw " + bandwidth.text(0) + "Gbps");
    pictures::ChartLine line{.name = bandwidth.text(0) + " Gb/s", .points = {}};
    for (const std::string& size : data.texts("sizes"))
      line.points.push_back({bytes_of(size), 100 * lead_over_best(comparison.at(size))});
    panel.lines.push_back(std::move(line));
  }
  if (!data.has("bandwidths")) {
    for (const std::string& family : families) panel.lines.push_back({.name = family, .points = {}});
    Comparison comparison(lab, topology, families);
    for (const std::string& size : data.texts("sizes")) {
      const std::vector<Standing> standings = comparison.at(size);
      for (std::size_t f = 0; f < families.size(); ++f)
        if (!standings[f].at_least)
          panel.lines[f].points.push_back({bytes_of(size), 100 * lead_over(standings, standings[f].family)});
    }
  }
  print_marks(panel, data);
  return {.title = data.text("title"), .panels = {panel}};
}

}  // namespace

}  // namespace trivance

Vocabulary trivance_figure_vocabulary() {
  return {.checks = {{"figure", trivance::figure}}, .charts = {{"beyond Trivance", trivance::beyond_trivance}}};
}

}  // namespace heddle::claims
