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
#include "heddle/errors.hpp"
#include "heddle/grid.hpp"
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
  return fmt::format("allreduce --algo {} --topo {} --size {} {} --data-memory 4MiB", algorithm, topology_, size, speeds_);
}

std::string Comparison::command(std::string_view size) const {
  std::vector<std::string> algorithms;
  for (const Family& family : families_)
    for (const Variant& variant : family.variants) algorithms.push_back(variant.algorithm);
  return "heddle run " + arguments(joined(algorithms, ","), size);
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

constexpr double kPoints = 5;

enum class Agreement { none, within, exact };
struct Judged {
  Agreement agreement;
  std::string measured;
};

double percent(double part) { return 100 * part; }

Agreement near(double measured, double least, double most) {
  if (measured >= least - 0.5 && measured <= most + 0.5) return Agreement::exact;
  return measured >= least - kPoints && measured <= most + kPoints ? Agreement::within : Agreement::none;
}

double lead_of(const std::vector<Standing>& standings, const std::string& over) {
  return percent(over == "all others" ? lead_over_best(standings) : lead_over(standings, over));
}

/// How far a family is behind the first; "another" is any but Trivance.
double behind_first(const std::vector<Standing>& standings, const std::string& family) {
  if (family == "another") return percent(lead_over_best(standings));
  const double first = std::ranges::min(standings, {}, &Standing::microseconds).microseconds;
  return percent(std::ranges::find(standings, family, &Standing::family)->microseconds / first - 1);
}

using StandingsAt = std::function<std::vector<Standing>(const std::string& size)>;

Judged judge(const ClaimData& row, const StandingsAt& at) {
  const std::string stated = row.text(0);
  if (stated == "greatest lead") {
    std::string where;
    double greatest = -100;
    for (const std::string& size : row.texts(1))
      if (const double lead = percent(lead_over_best(at(size))); lead > greatest) greatest = lead, where = size;
    return {near(greatest, row.number(2), row.number(2)), fmt::format("up to {:+.1f} %, at {}", greatest, where)};
  }
  const std::vector<Standing> standings = at(row.text(1));
  if (stated == "first") {
    const std::string measured = winner(standings);
    const bool is_so = row.text(2) == "another" ? measured != "Trivance" : measured == row.text(2);
    const bool is_near = behind_first(standings, row.text(2)) <= kPoints;
    return {is_so ? Agreement::exact : is_near ? Agreement::within : Agreement::none, measured + " first"};
  }
  const std::string over = stated == "overtaken" ? row.text(3) : stated == "lead between" ? "all others" : row.text(2);
  const double lead = lead_of(standings, over);
  if (stated == "overtaken") {
    const double there = lead_of(at(row.text(2)), over);
    return {lead >= -kPoints && there < 0 ? Agreement::exact : Agreement::none,
            fmt::format("{:+.1f} % over {} at {}, {:+.1f} % at {}", lead, over, row.text(1), there, row.text(2))};
  }
  const std::string measured = fmt::format("{:+.1f} % over {}", lead, over);
  if (stated == "level") return {near(lead, 0, 0), measured};
  if (stated == "lead") return {near(lead, row.number(3), row.number(3)), measured};
  if (stated == "lead between") return {near(lead, row.number(2), row.number(3)), measured};
  const double least = row.number(3);
  return {lead >= least ? Agreement::exact : lead >= least - kPoints ? Agreement::within : Agreement::none, measured};
}

/// What a row states, in words: "+15 % over all others".
std::string printed_of(const ClaimData& row) {
  const std::string stated = row.text(0);
  if (stated == "first") return row.text(2) + " first";
  if (stated == "overtaken") return row.text(4);
  if (stated == "level") return row.text(2) + " level with Trivance";
  if (stated == "lead") return fmt::format("{:+g} % over {}", row.number(3), row.text(2));
  if (stated == "lead above") return fmt::format("more than {:+g} % over {}", row.number(3), row.text(2));
  if (stated == "lead between") return fmt::format("{:g} to {:g} % over all others", row.number(2), row.number(3));
  return fmt::format("up to {:+g} % over all others", row.number(2));
}

/// The statements of a figure, sizes growing. Every one is looked at twice: of the allreduce by itself and with the program's final
/// barrier. It holds if it does so both times; once, it holds under other assumptions, with the figures of both. Leads are read off
/// figures: they agree within five percentage points. A row is one of
/// - first: size, family ("another": any but Trivance);
/// - overtaken: a simulated size at which Trivance is not behind a family, the next, at which it is, the family, what is printed;
/// - level, lead, lead above: size, family ("all others": the best of them), by how many per cent it takes longer;
/// - lead between: size, least and most per cent over all others;
/// - greatest lead: sizes, per cent over all others.
void figure(Lab& lab, const ClaimData& check, Findings& findings) {
  const std::string topology = check.text("topology");
  Comparison comparison(lab, topology, check.texts("families"), check.text("speeds", "--preset trivance"));
  const double barrier = barrier_microseconds(topology);
  std::map<std::string, std::vector<Standing>> known;
  const auto at = [&](const std::string& size) {
    if (!known.contains(size)) known[size] = comparison.at(size);
    return known[size];
  };
  for (const ClaimData& row : check.rows()) {
    const std::string stated = row.text(0);
    Judged alone = judge(row, at);
    const Judged program = judge(row, [&](const std::string& size) { return with_barrier(at(size), barrier); });
    const std::string subject = row.text("subject", "");
    const Unless unless = row.unless(stated == "overtaken"                    ? 5
                                     : stated == "first" || stated == "level" ? 3
                                     : stated == "greatest lead"              ? 3
                                                                              : 4);
    std::string of;
    std::string size = stated == "greatest lead" ? row.texts(1).back() : row.text(1);
    if (stated == "greatest lead") {
      of = fmt::format("{}{} to {}", subject, row.texts(1).front(), size);
    } else if (stated == "overtaken") {
      size = row.text(2);
      of = fmt::format("{}{} and {}, the next size that was simulated", subject, row.text(1), size);
    } else {
      of = subject + size;
      alone.measured += ": " + describe(at(size));
    }
    const std::string with = fmt::format("with the final barrier of {:.1f} us: {}", barrier, program.measured);
    const bool agrees = alone.agreement != Agreement::none;
    const bool agrees_with = program.agreement != Agreement::none;
    Finding finding = compare_words(of, printed_of(row), alone.measured + "; " + with, agrees && agrees_with,
                                    comparison.command(size), unless);
    if (agrees != agrees_with) {
      finding.verdict = Verdict::holds_otherwise;
      finding.quote.clear();
      finding.measured = agrees ? with : alone.measured;
      finding.otherwise = agrees ? "the allreduce alone: " + alone.measured : with;
      finding.why = row.reason("a whole program").why;
      if (!agrees_with && unless.verdict == Verdict::not_tested) finding.why += " " + unless.why;
    } else if (agrees && std::min(alone.agreement, program.agreement) == Agreement::within) {
      finding.verdict = Verdict::holds_within;
      finding.within = fmt::format("{:g} percentage points", kPoints);
    }
    findings.push_back(std::move(finding));
  }
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
