// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/traffic_command.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "cli/flags/run_flags.hpp"
#include "cli/process/exit_status.hpp"
#include "core/errors.hpp"
#include "core/nearest_name.hpp"
#include "core/version.hpp"
#include "lab/experiment/algorithm_choice.hpp"
#include "lab/grammar/flag_value.hpp"
#include "lab/plugin/load_plugins.hpp"
#include "lab/plugin/schedule_files.hpp"
#include "lab/studies/traffic_study.hpp"
#include "show/terminal/progress.hpp"
#include "show/terminal/terminal_stream.hpp"
#include "show/text/table.hpp"
#include "topo/placement/fragmented_placement.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

constexpr std::int64_t kMostPlaced = 65'536;

/// "16,48,64", or "16:1024:x2": from 16, doubling, to 1024.
std::vector<int> read_rank_counts(std::string_view text) {
  std::vector<int> counts;
  const auto number = [&](std::string_view part) { return static_cast<int>(parse_integer(part, 1, kMostPlaced)); };
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
      counts.push_back(number(text.substr(0, comma)));
      text.remove_prefix(comma + 1);
    }
    counts.push_back(number(text));
    return counts;
  }
  const std::size_t factor = text.find(":x");
  if (factor == std::string_view::npos || factor <= colon)
    throw InputError(fmt::format("'{}': not a range of rank counts; try 16:1024:x2 or 16,48,64", text));
  const std::int64_t times = parse_integer(text.substr(factor + 2), 2, kMostPlaced);
  const int last = number(text.substr(colon + 1, factor - colon - 1));
  for (std::int64_t count = number(text.substr(0, colon)); count <= last; count *= times)
    counts.push_back(static_cast<int>(count));
  if (counts.empty()) throw InputError(fmt::format("'{}': the first count is above the last", text));
  return counts;
}

constexpr std::string_view kJobs = "jobs:";

SeededPlacement read_placement(std::string_view text) {
  if (text == "fragmented") return fragmented_placement;
  if (text == "random") return random_placement;
  constexpr std::array<std::string_view, 3> kNames = {"fragmented", "random", kJobs};
  throw InputError(unknown_name_message("placement", text, kNames));
}

/// The largest groups that are not all of the fabric, unless a tier is asked for.
int read_tier(const std::optional<std::string>& text, const Topology& topology) {
  const int tiers = topology.group_tiers() - 1;
  if (tiers < 1)
    throw InputError(fmt::format("{} has no groups of endpoints; try fattree:k=16 or dragonfly:groups=9,routers=4,hosts=2",
                                 topology.spec()));
  if (!text) return tiers - 1;
  return static_cast<int>(
      read_flag("--tier", *text, [&](std::string_view number) { return parse_integer(number, 0, tiers - 1); }));
}

void require_given(const TrafficOptions& options) {
  constexpr std::string_view kExample =
      "try: heddle traffic allreduce --algo recursive_doubling,bine_small --topo fattree:k=16";
  const auto require = [&](const std::string& text, std::string_view what) {
    if (text.empty()) throw InputError(fmt::format("{} is missing; {}", what, kExample));
  };
  require(options.collective, "the collective");
  require(options.algorithms, "--algo");
  const bool is_of_jobs = options.placement.starts_with(kJobs);
  if (!is_of_jobs) return require(options.topology, "--topo");
  if (!options.topology.empty() || options.tier)
    throw InputError(
        fmt::format("--placement {}: the groups are the machine's; leave --topo and --tier out", options.placement));
}

std::string percent(double part) {
  const double tenths = std::round(1000 * part);
  return fmt::format("{:.1f}", tenths == 0 ? 0 : tenths / 10);  // not -0.0
}

/// least |-----[  first  median | third ]------| most, on a scale from -50 % to 50 %.
std::string box_plot(const Quartiles& of) {
  static constexpr int kHalf = 25;  // characters each side of 0: 2 % each
  const auto place = [](double part) { return std::clamp(static_cast<int>(std::lround(part * 50)), -kHalf, kHalf) + kHalf; };
  std::string line(2 * kHalf + 1, ' ');
  line[kHalf] = ':';
  const auto at = [&](double part) -> char& { return line[static_cast<std::size_t>(place(part))]; };
  for (int x = place(of.least); x <= place(of.most); ++x) line[static_cast<std::size_t>(x)] = '-';
  for (int x = place(of.first); x <= place(of.third); ++x) line[static_cast<std::size_t>(x)] = '=';
  at(of.least) = at(of.most) = '|';
  at(of.median) = 'M';
  return line;
}

Table make_table(std::span<const Algorithm> algorithms) {
  std::vector<Table::Column> columns = {{"ranks", ""},
                                        {"placed", "times"},
                                        {"groups", "mean", Table::Align::right, 0, 1},
                                        {"algorithm", "", Table::Align::left},
                                        {"between", "vectors"}};
  for (const char* title : {"least", "q1", "median", "q3", "most"})
    columns.push_back({title, "% less", Table::Align::right, 6, title == std::string_view("median") ? 0 : 2});
  columns.push_back({"more", "times"});
  columns.push_back(
      {"50% more" + std::string(17, ' ') + ":" + std::string(17, ' ') + "50% less", "", Table::Align::left, 0, 3});
  Table table(std::move(columns));
  for (const Algorithm& algorithm : algorithms) table.fit(3, algorithm.name);
  table.fit(4, "123456.78");
  return table;
}

void print_study(const TrafficStudy& study, std::span<const Algorithm> algorithms, const Table& table, std::ostream& out) {
  for (std::size_t a = 0; a < algorithms.size(); ++a) {
    const TrafficComparison& comparison = study.comparisons[a];
    std::vector<std::string> cells = {a == 0 ? fmt::to_string(study.ranks) : "", a == 0 ? fmt::to_string(study.placements) : "",
                                      a == 0 ? fmt::format("{:.1f}", study.mean_groups) : "", algorithms[a].name,
                                      fmt::format("{:.2f}", comparison.mean_vectors)};
    if (a > 0 && comparison.reduction) {
      const Quartiles& of = *comparison.reduction;
      for (const double part : {of.least, of.first, of.median, of.third, of.most}) cells.push_back(percent(part));
      cells.push_back(fmt::to_string(comparison.more));
      cells.push_back(box_plot(of));
    }
    out << table.row(cells) << '\n';
  }
}

nlohmann::ordered_json json_of(const TrafficStudy& study, std::span<const Algorithm> algorithms) {
  nlohmann::ordered_json json = {{"ranks", study.ranks},
                                 {"mean_groups", study.mean_groups},
                                 {"placements", study.placements},
                                 {"placements_in_one_group", study.inside},
                                 {"algorithms", nlohmann::ordered_json::array()}};
  for (std::size_t a = 0; a < algorithms.size(); ++a) {
    const TrafficComparison& comparison = study.comparisons[a];
    nlohmann::ordered_json row = {{"algorithm", algorithms[a].name}, {"mean_vectors_between_groups", comparison.mean_vectors}};
    if (a > 0) {
      row["reduction"] = nullptr;
      if (const auto& of = comparison.reduction)
        row["reduction"] = {
            {"least", of->least}, {"q1", of->first}, {"median", of->median}, {"q3", of->third}, {"most", of->most}};
      row["placements_with_more"] = comparison.more;
    }
    json["algorithms"].push_back(row);
  }
  return json;
}

}  // namespace

void add_traffic_command(CLI::App& app, TrafficOptions& options) {
  CLI::App* command =
      app.add_subcommand("traffic", "Count what algorithms send between a fabric's groups, over many placements");
  command->add_option("COLLECTIVE", options.collective, "broadcast, reduce, allreduce, …")->type_name("");
  command
      ->add_option("--algo", options.algorithms,
                   "Algorithms with commas, msccl:FILE.xml among them; the others are compared with the first")
      ->type_name("NAMES");
  add_plugin_flag(*command, options.plugins);
  command->add_option("--topo", options.topology, "A fabric with groups, e.g. fattree:k=16")->type_name("SPEC");
  command->add_option("--tier", options.tier, "Groups of which tier, 0 the smallest (the largest that are not all)")
      ->type_name("N");
  command->add_option("--ranks", options.ranks, "Rank counts: 16:1024:x2 (doubling, the default) or 16,48,64")
      ->type_name("LIST");
  command
      ->add_option("--placement", options.placement,
                   "fragmented (in order, on what a busy machine has free; the default), random, or jobs:leonardo, jobs:lumi: "
                   "as real jobs' nodes were, whose groups those of the machine are (no --topo); "
                   "jobs:leonardo,groups=3-20: those in so many groups; jobs:lumi,on=100-123: those on these")
      ->type_name("HOW");
  command->add_option("--placements", options.placements, "How many placements of each rank count (500)")->type_name("N");
  command->add_option("--seed", options.seed, "Of the first placement; the others follow (1)")->type_name("SEED");
  command->add_flag("--json", options.json, "As JSON");
  command->add_flag("--wide", options.wide, "All columns on a terminal, and lines as long as they are");
  command->footer(
      "Vectors between groups are what ranks of one group send to ranks of another, each message once, in whole vectors; they\n"
      "do not depend on the size. Each algorithm's result is checked at each rank count.\n"
      "\nExample:\n  heddle traffic allreduce --algo recursive_doubling,bine_small --topo fattree:k=16\n"
      "  heddle traffic allreduce --algo rabenseifner,bine_large --placement jobs:leonardo --ranks 4:256:x2");
}

namespace {

/// What is counted over, for the line above the table and for JSON, and the count.
struct Study {
  std::string title;
  nlohmann::ordered_json header;
  std::function<TrafficStudy(std::span<const Algorithm>, int ranks)> of;
};

/// Refuses a number of nodes that no job has.
void require_jobs(const JobSelection& selection, std::string_view text, std::span<const int> counts) {
  int nearest = 0;
  for (const int count : counts) {
    if (!selected_jobs(selection, count).empty()) continue;
    for (const RecordedJob& job : recorded_jobs()) {
      if (is_selected(job, selection) && (nearest == 0 || std::abs(job.nodes - count) < std::abs(nearest - count)))
        nearest = job.nodes;
    }
    throw InputError(fmt::format("--ranks: no recorded job of {} has {} nodes{}", text, count,
                                 nearest == 0 ? "" : fmt::format("; the nearest number is {}", nearest)));
  }
}

Study study_of_jobs(const TrafficOptions& options, std::span<const int> counts) {
  const JobSelection selection = read_flag(
      "--placement", options.placement, [](std::string_view text) { return parse_job_selection(text.substr(kJobs.size())); });
  require_jobs(selection, options.placement.substr(kJobs.size()), counts);
  return {fmt::format("vectors between groups of {}; recorded jobs of so many nodes", options.placement.substr(kJobs.size())),
          {{"placement", options.placement}},
          [selection](std::span<const Algorithm> algorithms, int ranks) {
            return study_job_traffic(algorithms, ranks, selected_jobs(selection, ranks));
          }};
}

Study study_of_seeds(const TrafficOptions& options, std::span<const int> counts) {
  const std::shared_ptr<const Topology> topology = read_flag("--topo", options.topology, parse_topology);
  const int tier = read_tier(options.tier, *topology);
  const SeededPlacement place = read_flag("--placement", options.placement, read_placement);
  const auto placements = static_cast<int>(
      read_flag("--placements", options.placements, [](std::string_view text) { return parse_integer(text, 1, 1'000'000); }));
  const std::uint64_t seed = read_flag("--seed", options.seed, parse_seed);
  linear_placement(*std::max_element(counts.begin(), counts.end()), *topology);  // refuses too many
  return {fmt::format("vectors between groups of {} (tier {}); {} {} placements, seeds from {}", topology->spec(), tier,
                      placements, options.placement, seed),
          {{"topology", topology->spec()},
           {"tier", tier},
           {"placement", options.placement},
           {"placements", placements},
           {"seed", seed}},
          [=](std::span<const Algorithm> algorithms, int ranks) {
            return study_traffic(
                algorithms, ranks,
                {.topology = *topology, .tier = tier, .place = place, .placements = placements, .first_seed = seed});
          }};
}

}  // namespace

int traffic_command(const TrafficOptions& options, std::ostream& out, std::ostream& err) {
  require_given(options);
  const Collective collective = parse_collective(options.collective);
  const std::vector<int> counts = read_flag("--ranks", options.ranks, read_rank_counts);
  const Study study = options.placement.starts_with(kJobs) ? study_of_jobs(options, counts) : study_of_seeds(options, counts);
  std::vector<Shape> shapes;
  for (const int ranks : counts) shapes.push_back({.ranks = ranks, .count = ranks});
  std::vector<Algorithm> own = load_plugins(options.plugins);
  std::ranges::move(
      read_flag("--algo", options.algorithms, [&](std::string_view names) { return load_schedules(names, collective, own); }),
      std::back_inserter(own));
  const AlgorithmChoice choice = read_flag("--algo", options.algorithms, [&](std::string_view names) {
    return choose_algorithms(collective, names, shapes, ReduceOp::sum(), Unfitting::refused, own);
  });
  if (choice.chosen.size() < 2)
    throw InputError(fmt::format("--algo '{}': name at least two, to compare the others with the first", options.algorithms));

  WorkProgress progress(err, "rank counts", std::ssize(counts));
  const auto study_of = [&](int ranks) {
    TrafficStudy done = study.of(choice.chosen, ranks);
    progress.finish_one();
    return done;
  };
  if (options.json) {
    nlohmann::ordered_json json = {{"version", version()}, {"collective", to_string(collective)}};
    json.update(study.header);
    json["studies"] = nlohmann::ordered_json::array();
    for (const int ranks : counts) json["studies"].push_back(json_of(study_of(ranks), choice.chosen));
    progress.pause();
    out << json.dump(2) << '\n';
    return kExitOk;
  }
  out << fmt::format("{}: {}\n% less than {}\n\n", to_string(collective), study.title, choice.chosen.front().name);
  Table table = make_table(choice.chosen);
  const std::size_t columns = options.wide ? Table::kAnyWidth : columns_of(out).value_or(Table::kAnyWidth);
  std::vector<std::string> no_room = table.fit_into(columns);
  std::ranges::replace_if(
      no_room, [](const std::string& title) { return title.find(':') != std::string::npos; }, "box plot");
  const std::string left_out = left_out_text(no_room);
  out << left_out << table.titles() << '\n' << table.units() << '\n';
  for (const int ranks : counts) {
    const TrafficStudy done = study_of(ranks);
    progress.pause();
    print_study(done, choice.chosen, table, out);
    out << std::flush;
    progress.resume();
  }
  return kExitOk;
}

}  // namespace heddle
