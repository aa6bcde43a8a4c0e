// SPDX-License-Identifier: Apache-2.0
#include "show/reports/run_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

#include "core/printable.hpp"
#include "emu/record/report.hpp"
#include "heddle/version.hpp"
#include "lab/documents/context.hpp"
#include "show/reports/explanation.hpp"
#include "show/reports/packets_report.hpp"

namespace heddle {

std::string gigabytes_per_second(std::optional<double> rate) { return rate ? fmt::format("{:.2f}", *rate / 1e9) : "-"; }

std::string microseconds(Time time) { return fmt::format("{:.3f}", static_cast<double>(time.ps()) / 1e6); }

std::string free_messages_hint(std::span<const RunInBrief> runs, int ranks) {
  const auto best = std::ranges::min_element(runs, {}, &RunInBrief::time);
  if (best == runs.end() || ranks < 3 || best->time == Time() || best->startup > Time()) return "";
  if (best->rounds != 1 || best->messages < ranks - 1) return "";
  if (std::ranges::none_of(runs, [](const RunInBrief& run) { return run.rounds > 1; })) return "";
  return fmt::format(
      "# hint: {} sends all its messages at once, which costs nothing here: alpha and overheads are 0; --alpha and "
      "--send-overhead set them\n",
      best->algorithm);
}

std::string first_of(std::span<const std::string> texts, std::size_t most, std::string_view separator) {
  const std::string more = texts.size() > most ? fmt::format(" and {} more", texts.size() - most) : "";
  return fmt::format("{}{}", fmt::join(texts.first(std::min(most, texts.size())), separator), more);
}

std::string gone_round_text(const std::string& fault) {
  // No routing takes a link that is down.
  if (fault.find(",down") != std::string::npos)
    return fmt::format("adaptive routing goes round {}: links and ways beside carry all", fault);
  return fmt::format(
      "adaptive routing goes round {} (--routing ecmp:SEED does not): links and ways beside take what it cannot carry", fault);
}

namespace {

/// Of the first of the table's columns (run_document).
enum RunTableColumn : std::size_t { kSize, kCount, kType, kOp, kRoot };

std::size_t column_of(const Document& document, std::string_view key) {
  return static_cast<std::size_t>(std::ranges::find(document.columns, key, &Document::Column::key) - document.columns.begin());
}
constexpr std::string_view kScale = "payload_scale";

/// Bytes on the wire for each byte that ranks hold, of each algorithm.
std::vector<double> payload_scales(const Setup& setup) {
  const std::vector<Shape> shapes = setup.shapes();
  std::vector<double> scales;
  for (const Algorithm& algorithm : setup.algorithms.chosen) {
    const std::int64_t held = setup.sampled(algorithm, shapes);
    scales.push_back(held == 0 ? 1 : static_cast<double>(setup.count) / static_cast<double>(held));
  }
  return scales;
}

Table make_table(const Setup& setup) {
  const Document document = run_document(setup);
  Table table = table_of(document);
  table.fit(kSize, fmt::format("{}", setup.bytes()));
  table.fit(kCount, fmt::format("{}", setup.count));
  // Less than ten vectors: few algorithms have a rank send more.
  table.fit(column_of(document, "sent_bytes_max"), fmt::format("{}0", setup.bytes()));
  for (const double scale : payload_scales(setup)) table.fit(column_of(document, kScale), fmt::format("{:g}", scale));
  return table;
}

/// If it is the same for all algorithms.
std::optional<double> common_scale(const Setup& setup) {
  const std::vector<double> scales = payload_scales(setup);
  if (scales.empty() || std::ranges::adjacent_find(scales, std::not_equal_to<>()) != scales.end()) return std::nullopt;
  return scales.front();
}

/// A matrix that is written out may be long.
std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 60;
  return text.size() <= kMost ? std::string(text) : fmt::format("{}…", text.substr(0, kMost));
}

/// Whether all elements were followed, of which a part was held.
std::string left_over_line(const Outcome& outcome) {
  return outcome.left_over.empty() ? "" : fmt::format("# note: {}\n", outcome.left_over);
}

std::string positions_line(const Outcome& outcome) {
  const std::string& why_not = outcome.positions->why_not;
  const std::int64_t count = outcome.setup->count;
  if (why_not.empty())
    return fmt::format("# {}: each of {} elements goes where it belongs (without data)\n", outcome.algorithm->name, count);
  return fmt::format("# {}: where each of {} elements goes was NOT checked: {}\n", outcome.algorithm->name, count, why_not);
}

/// "4 groups of 4 ranks (rows)", "3 groups of 2 to 5 ranks (0-4;1-2;3-5)"
std::string groups_text(const Setup& setup) {
  const std::vector<int> sizes = setup.group_sizes();
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  const std::string size = *least == *most ? counted(*most, "rank") : fmt::format("{} to {} ranks", *least, *most);
  return fmt::format("{} of {} ({})", counted(std::ssize(sizes), "group"), size, setup.asked.groups);
}

std::string clock_line(const Setup& setup) {
  if (setup.asked.over)
    return fmt::format("# over {}: time is that of the slowest rank, the median of {} after {} to warm up\n",
                       setup.asked.over->description(), counted(*setup.asked.iterations, "run"), *setup.asked.warmup);
  if (setup.in_memory)
    return fmt::format(
        "# wall clock, no limits: ranks copy straight from each other's memory; time is the median of {} after {} "
        "to warm up\n",
        counted(*setup.asked.iterations, "run"), *setup.asked.warmup);
  const std::string dilation =
      setup.asked.clock.dilation ? fmt::format("dilated {:g} times", *setup.asked.clock.dilation)
                                 : fmt::format("dilated so that lateness and computing add about {:g} %", 100 * kDilationError);
  return fmt::format("# wall clock, {}: times are measured, and differ from run to run\n", dilation);
}

/// Of a dilation that had to stay below what was aimed at: "# ring: threads go on 52ms late here: …"; else nothing.
std::string remark_line(const Setup& setup, const Algorithm& algorithm) {
  const std::string remark = remark_on(setup, algorithm);
  return remark.empty() ? "" : fmt::format("# {}: {}\n", algorithm.name, remark);
}

std::string lateness_line(const Outcome& outcome) {
  const WallClockOutcome& wall = *outcome.wall;
  if (wall.expected_error <= kDilationError * 1.001) return "";
  return fmt::format(
      "# {}: threads go on {} late here, and auto stretches to {:g} s at most: expect {:+.1f} %, not {:g} %; --time-scale sets "
      "more\n",
      outcome.algorithm->name, to_string(Time::from_seconds(wall.lateness)), kLongestDilated, 100 * wall.expected_error,
      100 * kDilationError);
}

/// "# ring: 12.3us in 0.0741 s of wall time, dilated 6022 times; the virtual clock says 12.1us: +1.7 %"
std::string wall_line(const Outcome& outcome) {
  const Setup& setup = *outcome.setup;
  const Report& measured = *outcome.report();
  if (const std::vector<double>& runs = outcome.wall->over; !runs.empty()) {
    const auto [least, most] = std::ranges::minmax(runs);
    std::string line = fmt::format("# {}: {} to {}", outcome.algorithm->name, to_string(Time::from_seconds(least)),
                                   to_string(Time::from_seconds(most)));
    const double beside = outcome.wall->virtually.completion.seconds();
    if (setup.is_beside && beside > 0)
      line += fmt::format("; {} takes {}: {:.3g} times as long here", setup.fabric.topology().spec(),
                          to_string(outcome.wall->virtually.completion), measured.completion.seconds() / beside);
    return line + '\n';
  }
  if (const std::vector<double>& runs = outcome.wall->in_memory; !runs.empty()) {
    const auto [least, most] = std::minmax_element(runs.begin(), runs.end());
    return fmt::format("# {}: {} in memory, {} to {}\n", outcome.algorithm->name, counted(std::ssize(runs), "run"),
                       to_string(Time::from_seconds(*least)), to_string(Time::from_seconds(*most)));
  }
  const std::optional<double> error = outcome.wall->error(measured);
  return fmt::format("# {}: {} in {:.3g} s of wall time, dilated {:.4g} times; the virtual clock says {}{}\n",
                     outcome.algorithm->name, to_string(measured.completion),
                     measured.completion.seconds() * measured.host.dilation, measured.host.dilation,
                     to_string(outcome.wall->virtually.completion), error ? fmt::format(": {:+.1f} %", 100 * *error) : "");
}

// What the table says of groups: lines that begin with #, below the rows.

constexpr std::size_t kMostGroups = 16;

/// Groups one after another that have one name.
struct Set {
  std::size_t first;
  std::size_t end;
  std::string name;
};

/// "allgather by ring, 64MiB"
std::string family_text(const Setup& setup, std::size_t group, const Algorithm& algorithm) {
  const Setup& own = setup_of_group(setup, group);
  const std::string size = own.asked.collective == Collective::barrier ? "" : ", " + to_string(Bytes(own.bytes()));
  return fmt::format("{} by {}{}", to_string(own.asked.collective), algorithm_of_group(setup, group, algorithm).name, size);
}

/// Families apart, though they have one name.
std::vector<Set> sets_of(const Setup& setup, const Algorithm& algorithm) {
  std::vector<Set> families;
  for (const GroupFamily& family : setup.families) {
    const std::string& name = setup.groups.names[family.first];
    families.push_back({family.first, family.end,
                        fmt::format("{}{}", name.empty() ? "" : name + ", ", family_text(setup, family.first, algorithm))});
  }
  if (!families.empty()) return families;
  const RankGroups& groups = setup.groups;
  std::vector<Set> sets;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (sets.empty() || sets.back().name != groups.names[g]) sets.push_back({g, g, groups.names[g]});
    sets.back().end = g + 1;
  }
  return sets;
}

/// Several that are the same are told once: "0.180 (all 8)".
std::string told_once(const std::vector<std::string>& texts) {
  const bool are_equal = texts.size() > 1 && std::ranges::count(texts, texts.front()) == std::ssize(texts);
  if (are_equal) return fmt::format("{} (all {})", texts.front(), texts.size());
  const std::size_t shown = std::min(texts.size(), kMostGroups);
  return fmt::format("{}{}", fmt::join(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(shown), " "),
                     shown < texts.size() ? " …" : "");
}

/// "0.180 0.360 …, all from 0.180 to 0.720"
std::string times_text(const std::vector<Time>& completion, const Set& set) {
  const auto begin = completion.begin() + static_cast<std::ptrdiff_t>(set.first);
  const auto end = completion.begin() + static_cast<std::ptrdiff_t>(set.end);
  const auto [least, most] = std::minmax_element(begin, end);
  const std::size_t groups = set.end - set.first;
  if (groups > 1 && *least == *most) return fmt::format("{} (all {})", microseconds(*least), groups);
  std::vector<std::string> times;
  for (auto time = begin; time != end && times.size() < kMostGroups; ++time) times.push_back(microseconds(*time));
  const std::string rest =
      groups <= kMostGroups ? "" : fmt::format(" …, all from {} to {}", microseconds(*least), microseconds(*most));
  return fmt::format("{}{}", fmt::join(times, " "), rest);
}

std::string ratio_text(std::optional<double> ratio) { return ratio ? fmt::format("{:.3g}", *ratio) : "-"; }

/// The measured groups of a set as one line each of numbers.
std::string contention_lines(const std::vector<std::optional<Contention>>& contention, const Set& set) {
  std::vector<std::string> alone, slowdown, etas;
  std::size_t measured = 0;
  for (std::size_t g = set.first; g < set.end; ++g) {
    if (!contention[g]) continue;
    ++measured;
    alone.push_back(microseconds(contention[g]->alone));
    slowdown.push_back(ratio_text(contention[g]->slowdown()));
    etas.push_back(fmt::format("({}, {})", ratio_text(contention[g]->eta_alpha()), ratio_text(contention[g]->eta_beta())));
  }
  if (measured == 0) return "";
  const std::size_t groups = set.end - set.first;
  const std::string some = measured == groups ? "" : fmt::format(", {} of {} groups", measured, groups);
  return fmt::format("#   alone (us{}): {}\n#   slowdown: {}\n#   (eta_alpha, eta_beta): {}\n", some, told_once(alone),
                     told_once(slowdown), told_once(etas));
}

/// Below a row: when each group was done, how long it takes alone, and what that amounts to; sets of different names apart.
std::string group_lines(const Outcome& outcome) {
  if (outcome.group_completion.empty())
    return outcome.contention.empty() ? "" : contention_lines(outcome.contention, {0, 1, ""});
  std::string lines;
  for (const Set& set : sets_of(*outcome.setup, *outcome.algorithm)) {
    lines +=
        fmt::format("#   {} (us): {}\n", set.name.empty() ? "by group" : set.name, times_text(outcome.group_completion, set));
    if (!outcome.contention.empty()) lines += contention_lines(outcome.contention, set);
  }
  return lines;
}

/// Below a row of a run that is skewed, or has given counts: the link that carried most, beside the mean of those that carried anything.
std::string hottest_link_line(const Setup& setup, const Report& report) {
  const Topology& topology = setup.fabric.topology();
  std::vector<LinkReport> links = most_utilised_links(report, setup.fabric, report.links.size());
  if (links.empty()) return "";
  // Links of other tiers have other work.
  const int tier = topology.tier(links.front().link);
  std::erase_if(links, [&](const LinkReport& link) { return topology.tier(link.link) != tier; });
  double sum = 0;
  for (const LinkReport& link : links) sum += static_cast<double>(link.bytes.count());
  const auto most = static_cast<double>(links.front().bytes.count());
  const std::vector<NamedSpeed> tiers = speeds_by_tier(setup.fabric);
  const std::string of_tier = tiers.size() > 1 ? fmt::format(" of {}", tier_name(tiers, topology, links.front().link)) : "";
  return fmt::format("#   hottest link: {}, {} B, {:.3g} times the mean of {}{}\n", topology.link_name(links.front().link),
                     links.front().bytes.count(), most * static_cast<double>(links.size()) / sum, links.size(), of_tier);
}

/// Above the rows, of a run with background flows.
std::string background_line(const Setup& setup) {
  return fmt::format("# background: {}\n", fmt::join(setup.asked.background, ","));
}

}  // namespace

void TableReporter::write_comments(std::string_view lines) { out_ << break_comments(lines, columns_); }

/// What each row has been called with, and what the table has no column for.
void TableReporter::write_call(const Setup& setup) {
  std::string line = "# ";
  if (setup.asked.collective != Collective::barrier) {
    line += fmt::format("{} x {}", setup.count, type_name(setup.asked));
    if (reduces(setup.asked.collective)) line += fmt::format(", redop {}", op_name(setup.asked));
    if (has_root(setup.asked.collective)) line += fmt::format(", root {}", shown_root(setup.asked));
    line += *setup.asked.in_place ? ", in place; " : ", out of place; ";
  }
  if (setup.asked.blocks != "even") line += fmt::format("blocks {}; ", setup.asked.blocks);
  if (!setup.asked.skew.empty()) line += fmt::format("skew {}; ", setup.asked.skew);
  if (!setup.asked.counts.empty()) line += fmt::format("counts {}; ", shortened(setup.asked.counts));
  line += fmt::format("payload {}", setup.asked.payload ? to_string(*setup.asked.payload) : "full");
  const std::optional<double> scale = common_scale(setup);
  if (scale) line += fmt::format(", scale {:g}", *scale);
  line += fmt::format("; seed {}", setup.asked.seed);
  if (setup.settings.order_seed) line += fmt::format(", order seed {}", *setup.settings.order_seed);
  if (!setup.settings.order.is_usual()) line += fmt::format(", order {}", to_string(setup.settings.order));

  std::vector<std::string> no_room;
  if (columns_ != kWide) {
    for (const std::size_t said : {kCount, kType, kOp, kRoot}) table_->leave_out(said);
    if (scale) table_->leave_out(column_of(run_document(setup), kScale));
    no_room = table_->fit_into(columns_ - 1);  // behind the # of the titles
  }
  write_comments(line + '\n');
  if (setup.rounded_up_from)
    write_comments(fmt::format("# --size {}: rounded up to {}, one element{}\n", to_string(*setup.rounded_up_from),
                               to_string(Bytes(setup.bytes())),
                               setup.asked.collective == Collective::alltoall ? " in each block" : ""));
  const std::string rest = no_room.empty() ? "" : fmt::format("; not shown: {} (--wide)", fmt::join(no_room, ", "));
  write_comments(fmt::format("# a time is printed only if every check passed{}\n#\n", rest));
}

/// What there is to say of its model.
void TableReporter::write_model(const Setup& setup) {
  const Model& model = setup.settings.model;
  if (!why_not(model, ModelNeed::contention).empty())
    write_comments(fmt::format("# model {}: no message is slowed by another\n", to_string(model)));
  if (model.name() == Model::packets.name()) write_comments(packets_head(setup.fabric, model.packet_settings()));
}

void TableReporter::begin(const Setup& setup) {
  table_ = make_table(setup);
  shown_ = &setup;
  to_first_model_.begin(setup);
  if (setup.asked.over)
    write_comments(
        fmt::format("# heddle {}: {}, {}\n", version(), to_string(setup.asked.collective), counted(setup.ranks(), "rank")));
  else
    write_comments(fmt::format("# heddle {}: {} on {}, {}, placement {}, buffering {}\n", version(),
                               to_string(setup.asked.collective), setup.fabric.topology().spec(),
                               counted(setup.ranks(), "rank"), setup.asked.placement, to_string(setup.settings.buffering)));
  write_model(setup);
  for (const auto& other : setup.under_models) write_model(*other);
  if (setup.asked.clock.is_wall) write_comments(clock_line(setup));
  if (!setup.groups.empty()) write_comments(fmt::format("# {} at once; time is that of the last\n", groups_text(setup)));
  if (!setup.background.empty()) write_comments(background_line(setup));
  if (!setup.asked.faults.empty()) write_comments(fmt::format("# faults: {}\n", fmt::join(setup.asked.faults, " ")));
  const std::string preset = setup.asked.fabric.preset.empty() ? "" : fmt::format("preset {}: ", setup.asked.fabric.preset);
  const std::string beside = setup.asked.over ? fmt::format("beside {}: ", setup.fabric.topology().spec()) : "";
  if (!setup.asked.over || setup.is_beside)
    write_comments(fmt::format("# {}{}{}\n", beside, preset, describe_speeds(setup.fabric)));
  write_call(setup);
  out_ << '#' << table_->titles() << '\n' << '#' << table_->units() << '\n' << std::flush;
}

std::string TableReporter::equivalent_of(const Outcome& outcome) {
  if (outcome.report() == nullptr || outcome.wall) return {};
  return equivalents_[outcome.setup.get()].add(outcome.algorithm->name, RunLikeness(*outcome.report()));
}

void TableReporter::add(const Outcome& outcome) {
  const Setup& setup = *outcome.setup;
  const std::optional<double> to_first_model = to_first_model_.add(outcome);
  if (const Report* measured = outcome.report(); measured != nullptr && !outcome.wall && !measured->switches_computed)
    in_brief_.push_back({outcome.algorithm->name, measured->completion, measured->critical_path.parts.startup,
                         measured->rounds_max(), measured->messages()});
  if (const std::string equivalent = equivalent_of(outcome); !equivalent.empty()) {
    ++right_;
    const std::string under = setup.is_one_of_models ? fmt::format(" under {}", to_string(setup.settings.model)) : "";
    std::string comments =
        fmt::format("# {} = {}{}: the same messages in the same time\n", outcome.algorithm->name, equivalent, under);
    if (outcome.exploration) comments += fmt::format("# {}: {}\n", outcome.algorithm->name, outcome.exploration->text());
    write_comments(comments + left_over_line(outcome) + remark_line(setup, *outcome.algorithm));
    out_ << std::flush;
    return;
  }
  const Report* report = outcome.report();
  const bool is_marked = report != nullptr && setup.assumes_scale(*outcome.algorithm, report->byte_scale);
  std::vector<std::string> cells = texts_of_run(*shown_, {&setup, outcome.algorithm.get(), report, to_first_model});
  if (outcome.failure() != nullptr) cells.push_back("FAILED " + to_string(outcome.failure()->kind));
  if (outcome.stopped() != nullptr) cells.emplace_back("STOPPED");
  ++(report != nullptr ? right_ : outcome.failure() != nullptr ? failed_ : stopped_);
  out_ << ' ' << table_->row(cells) << '\n';
  std::string comments;
  if (const RunStopped* stopped = outcome.stopped())
    comments = fmt::format("# {}: {}\n", outcome.algorithm->name, stopped->what());
  if (is_marked)
    comments += fmt::format("# {}\n", part_run_note(outcome.algorithm->name, {part_text(setup.bytes(), report->byte_scale)}));
  if (report != nullptr && outcome.wall) comments += wall_line(outcome) + lateness_line(outcome);
  if (outcome.exploration) comments += fmt::format("# {}: {}\n", outcome.algorithm->name, outcome.exploration->text());
  if (outcome.positions) comments += positions_line(outcome);
  comments += left_over_line(outcome);
  if (report != nullptr && report->switch_precision)
    comments += fmt::format("# {}: the switches took {} as {}\n", outcome.algorithm->name, type_name(setup.asked),
                            to_string(*report->switch_precision));
  if (report != nullptr && report->different_bits && !report->different_bits->empty())
    comments +=
        fmt::format("# {}: ranks hold different bits, as it may: of {}\n", outcome.algorithm->name, *report->different_bits);
  if (outcome.worst_link) comments += fmt::format("# {}: {}\n", outcome.algorithm->name, to_string(*outcome.worst_link));
  if (report != nullptr) comments += fault_lines(outcome.algorithm->name, *report);
  if (setup.explain && report != nullptr) comments += explanation(setup, *outcome.algorithm, *report, *outcome.timeline);
  if (outcome.stopped() == nullptr) comments += remark_line(setup, *outcome.algorithm);
  if (!setup.sends.empty() && report != nullptr) comments += hottest_link_line(setup, *report);
  write_comments(comments + group_lines(outcome));
  out_ << std::flush;
}

std::string TableReporter::fault_lines(const std::string& name, const Report& report) {
  std::string text;
  for (std::size_t i = 0; i < report.idle_faults.size(); ++i)
    text += fmt::format("# {}: never struck: {} ({})\n", name, report.idle_faults[i], report.idle_reasons[i]);
  ++with_faults_;
  for (const std::string& fault : report.faults_gone_round) {
    auto gone_round = std::ranges::find(gone_round_, fault, &GoneRound::fault);
    if (gone_round == gone_round_.end()) gone_round = gone_round_.insert(gone_round, {fault});
    gone_round->algorithms.push_back(name);
  }
  return text;
}

void TableReporter::end(const Setup& setup) {
  if (setup.explain && right_ > 0) write_comments(explanation_legend(setup));
  if (setup.groups.empty()) write_comments(free_messages_hint(in_brief_, setup.ranks()));
  for (const LeftOut& left : setup.algorithms.left_out)
    write_comments(fmt::format("# left out: {}: {}\n", left.algorithm, left.reason));
  if (const auto& tuning = setup.algorithms.tuning)
    write_comments(fmt::format("# {}\n", tuning_text(setup.algorithms.variants, *tuning)));
  for (const auto& [fault, algorithms] : gone_round_) {
    const bool is_of_all = algorithms.size() == with_faults_;
    write_comments(
        fmt::format("# {}{}\n", gone_round_text(fault), is_of_all ? "" : fmt::format(" ({})", first_of(algorithms, 4, ", "))));
  }
  out_ << fmt::format("# {} right", counted(right_, "result"));
  if (failed_ > 0) out_ << fmt::format(", {} FAILED", failed_);
  if (stopped_ > 0) out_ << fmt::format(", {} STOPPED", stopped_);
  out_ << '\n' << std::flush;
}

}  // namespace heddle
