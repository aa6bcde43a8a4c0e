// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/heatmap.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <ostream>
#include <set>
#include <tuple>

#include "core/printable.hpp"
#include "heddle/errors.hpp"
#include "heddle/version.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/documents/context.hpp"
#include "lab/documents/packets_brief.hpp"
#include "lab/run/links.hpp"
#include "show/document/run_output.hpp"
#include "show/drawing/picture_file.hpp"
#include "show/drawing/svg.hpp"

namespace heddle::pictures {

namespace {

std::vector<double> bytes_of(const Report& report) {
  std::vector<double> bytes;
  for (const LinkReport& link : report.links) bytes.push_back(static_cast<double>(link.bytes.count()));
  return bytes;
}

}  // namespace

const HeatmapWords& words_of(HeatmapOf of) {
  static constexpr std::array<HeatmapWords, 5> kWords = {
      {{"bytes", "Bytes over a link, one way", "carried", "over a link, one way"},
       {"utilisation", "Utilisation of a link, one way", "are used", "of a link's capacity used, one way"},
       {"contention", "Time lost by sharing a link, one way", "cost", "lost by messages that shared a link, one way"},
       {"queue", "Packets that wait for a link, on average", "have", "waiting for a link on average, one way"},
       {"stalled", "Time that a link stands still for want of room, one way", "stand still",
        "of the time that a link stands still for want of room, one way"}}};
  return kWords.at(static_cast<std::size_t>(of));
}

HeatmapOf parse_heatmap_of(std::string_view text) {
  for (const HeatmapOf of :
       {HeatmapOf::bytes, HeatmapOf::utilisation, HeatmapOf::contention, HeatmapOf::queue, HeatmapOf::stalled})
    if (words_of(of).name == text) return of;
  throw InputError(fmt::format("'{}': bytes, utilisation, contention or, with --model packets, queue or stalled", text));
}

LinkLoads::LinkLoads(HeatmapOf of, std::vector<double> loads, const Report& report) : of_(of), loads_(std::move(loads)) {
  for (const LinkReport& link : report.links) bytes_.push_back(link.bytes.count());
  for (const double load : loads_) {
    most_ = std::max(most_, load);
    total_ += load;
    loaded_ += load > 0 ? 1 : 0;
  }
  scale_ = most_;
}

LinkLoads::LinkLoads(const Report& report) : LinkLoads(HeatmapOf::bytes, bytes_of(report), report) {}

double LinkLoads::most_of(const std::vector<LinkId>& links) const {
  double most = 0;
  for (const LinkId link : links) most = std::max(most, load(link));
  return most;
}

std::vector<LinkId> LinkLoads::busiest(std::size_t count) const {
  std::vector<LinkId> order(loads_.size());
  std::iota(order.begin(), order.end(), 0);
  count = std::min(count, static_cast<std::size_t>(loaded_));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), [&](LinkId a, LinkId b) {
    return std::tuple(-load(a), -bytes(a), a) < std::tuple(-load(b), -bytes(b), b);
  });
  order.resize(count);
  return order;
}

LinkLoads LinkLoads::on_scale(double end) const {
  LinkLoads scaled = *this;
  scaled.scale_ = std::max(end, most_);
  return scaled;
}

LinkLoads LinkLoads::times(double factor) const {
  LinkLoads scaled = *this;
  for (double& load : scaled.loads_) load *= factor;
  scaled.most_ *= factor;
  scaled.total_ *= factor;
  scaled.scale_ *= factor;
  return scaled;
}

std::string LinkLoads::fault_text(LinkId link) const {
  std::string text;
  for (const LinkFault& fault : faults_)
    if (fault.link == link) text += (text.empty() ? "" : " ") + state_text(fault);
  return text;
}

bool LinkLoads::is_down(LinkId link) const {
  return std::ranges::any_of(faults_, [link](const LinkFault& fault) { return fault.link == link && fault.down; });
}

int LinkLoads::step(double load, int steps) const {
  if (load <= 0) return 0;
  // What is a whole number of steps but for the rounding of a division is that many.
  return std::clamp(static_cast<int>(std::ceil(load / scale_ * steps * (1 - 1e-12))), 1, steps);
}

std::string_view LinkLoads::why_none() const {
  if (of_ == HeatmapOf::contention) return "No message lost time by sharing a link.";
  if (of_ == HeatmapOf::queue) return "No packet waited for a link.";
  if (of_ == HeatmapOf::stalled) return "No link stood still for want of room.";
  const bool carried = std::ranges::any_of(bytes_, [](std::int64_t bytes) { return bytes > 0; });
  return carried ? "No link has a limit that could be used up." : "No link carried a byte.";
}

std::string LinkLoads::text(double load) const {
  switch (of_) {
    case HeatmapOf::bytes:
      return to_string(Bytes(std::llround(load)));
    case HeatmapOf::utilisation:
    case HeatmapOf::stalled:
      return fmt::format("{:.3g}%", 100 * load);
    case HeatmapOf::queue:
      return fmt::format("{:.3g} packets", load);
    case HeatmapOf::contention:
      break;
  }
  return to_string(Time::ps(std::llround(load * 1e12)));
}

namespace {

constexpr double kLeast = 1e-12;  // seconds that a link can cost: times are whole picoseconds

}  // namespace

std::vector<double> contention_of_links(const Timeline& timeline, const Setup& setup) {
  const std::vector<LinkHold> holds = find_link_holds(timeline, setup);
  std::vector<double> of_message(timeline.messages.size(), 0);
  for (const LinkHold& each : holds) of_message[each.message] += each.lost;
  const Topology& topology = setup.fabric.topology();
  std::vector<double> seconds(static_cast<std::size_t>(topology.links()), 0);
  for (const LinkHold& each : holds) {
    const MessageRecord& message = timeline.messages[each.message];
    const Time lost = message.drained - message.entered - message.full_rate;
    if (lost <= Time::ps(1)) continue;  // rounding
    const double part = lost.seconds() * each.lost / of_message[each.message];
    if (each.link < topology.links()) {
      seconds[static_cast<std::size_t>(each.link)] += part;
      continue;
    }
    const Trunk trunk = topology.trunk(each.link);
    for (int i = 0; i < trunk.count; ++i) seconds[static_cast<std::size_t>(trunk[i])] += part / trunk.count;
  }
  for (double& of_link : seconds)
    if (of_link < kLeast) of_link = 0;
  return seconds;
}

namespace {

LinkLoads unmarked_loads(HeatmapOf of, const Outcome& outcome) {
  const Setup& setup = *outcome.setup;
  const Report& report = *outcome.report();
  if (of == HeatmapOf::bytes) return LinkLoads(report);
  if (of == HeatmapOf::contention) return {of, contention_of_links(*outcome.timeline, setup), report};
  if (is_of_packets(of)) {
    std::vector<double> loads;
    for (const PacketLinkReport& link : report.packets->links)
      loads.push_back(of == HeatmapOf::queue ? link.queue_mean : part_of_time(link.stalled, report.completion));
    return {of, std::move(loads), report};
  }
  std::vector<double> parts;
  for (const LinkReport& link : report.links) parts.push_back(utilisation(link, setup.fabric, report.completion));
  return {of, std::move(parts), report};
}

}  // namespace

LinkLoads measured_loads(HeatmapOf of, const Outcome& outcome) {
  LinkLoads loads = unmarked_loads(of, outcome);
  loads.mark(link_faults_of(outcome));
  return loads;
}

std::vector<std::string> faulty_links(const LinkLoads& loads, const Topology& topology, std::size_t count) {
  std::set<LinkId> links;
  for (const LinkFault& fault : loads.faults()) links.insert(fault.link);
  std::vector<std::string> texts;
  for (const LinkId link : links) {
    if (texts.size() == count) {
      texts.push_back(fmt::format("and {} more", links.size() - count));
      break;
    }
    const std::string load = loads.load(link) > 0 ? loads.text(loads.load(link)) : "nothing";
    texts.push_back(fmt::format("{}: {}; {}", topology.link_name(link), loads.fault_text(link), load));
  }
  return texts;
}

std::vector<BusyLink> busiest_links(const LinkLoads& loads, const Fabric& fabric, std::size_t count) {
  const Topology& topology = fabric.topology();
  const std::vector<NamedSpeed> tiers = speeds_by_tier(fabric);
  std::vector<BusyLink> busiest;
  for (const LinkId link : loads.busiest(count)) {
    const std::string load =
        loads.of() == HeatmapOf::bytes ? fmt::format("{} B", loads.bytes(link)) : loads.text(loads.load(link));
    busiest.push_back({topology.link_name(link), load, tier_name(tiers, topology, link), fabric.bandwidth(link)});
  }
  return busiest;
}

namespace {

constexpr int kSteps = 24;                 // of colour and width
constexpr std::size_t kMostHints = 5'000;  // links that each are an element with their numbers; more are one per step
constexpr double kListsWidth = 300;        // width of legend and lists
constexpr std::size_t kPanelLetters = 46;  // in a line of the panel
constexpr std::size_t kNamed = 8;          // most loaded links

constexpr double kNameSpace = 260;  // of the list, to the right edge of the loads

class Heatmap {
 public:
  Heatmap(const Drawing& drawing, const LinkLoads& loads, const Fabric& fabric, const PictureTitle& title)
      : drawing_(drawing),
        loads_(loads),
        topology_(fabric.topology()),
        title_(title),
        busiest_(busiest_links(loads, fabric, kNamed)),
        faulty_(faulty_links(loads, fabric.topology(), kNamed)),
        head_(title_height(title.details.size())),
        width_(std::max(drawing.width + kListsWidth, kLeastWidth)),
        svg_(width_, head_ + std::max(drawing.height, panel_height()) + kPictureMargin, title.headline) {}

  std::string draw() {
    add_title(svg_.root(), width_, title_.headline, title_.details);
    add_links();
    add_bars();
    add_fault_marks();
    add_vertices(svg_.root(), drawing_, head_);
    add_panel();
    return svg_.text();
  }

 private:
  static constexpr double kLeastWidth = 860;

  /// Of legend, notes and list.
  double panel_height() const {
    std::size_t lines = 4 + 2 * busiest_.size() + (faulty_.empty() ? 0 : 1 + 2 * faulty_.size());
    for (const std::vector<std::string>& texts : {drawing_.notes, title_.scale})
      for (const std::string& text : texts) lines += wrapped(text, kPanelLetters).size();
    return 110 + 2 * drawing_.widest + kLineHeight * static_cast<double>(lines);
  }

  double line_width(int step) const { return step == 0 ? 1 : drawing_.widest * (0.16 + 0.84 * step / kSteps); }
  static std::string color(int step) {
    return step == 0 ? std::string(kNoLoadColor) : heat_color(static_cast<double>(step - 1) / (kSteps - 1));
  }

  /// ", 38.4%" where the picture is not of the bytes themselves.
  std::string besides_bytes(double load) const {
    return loads_.of() == HeatmapOf::bytes ? std::string() : ", " + loads_.text(load);
  }

  std::string hint(LinkId link) const {
    return fmt::format("{}: {} B{}", topology_.link_name(link), loads_.bytes(link), besides_bytes(loads_.load(link)));
  }

  std::string hint(const std::vector<LinkId>& links) const {
    if (links.size() == 1) return hint(links.front());
    std::int64_t total = 0;
    std::int64_t most = 0;
    for (const LinkId link : links) {
      total += loads_.bytes(link);
      most = std::max(most, loads_.bytes(link));
    }
    return fmt::format("{}, {}: {} B together, at most {} B{}", topology_.link_name(links.front()),
                       counted(std::ssize(links), "cable"), total, most, besides_bytes(loads_.most_of(links)));
  }

  // ---- links ----

  /// The least loaded first, so that the others lie above them.
  void add_links() {
    std::map<std::pair<int, double>, std::vector<const DrawnLink*>> alike;
    for (const DrawnLink& link : drawing_.links)
      alike[{loads_.step(loads_.most_of(link.links), kSteps), link.slender}].push_back(&link);
    const bool each = drawing_.links.size() <= kMostHints;
    pugi::xml_node group = add_group(svg_.root(), "links", head_);
    for (const auto& [look, links] : alike) {
      const int step = look.first;
      pugi::xml_node of_step = SvgDocument::add(
          group, "g",
          {{"stroke", color(step)}, {"fill", color(step)}, {"stroke-width", std::max(line_width(step) * look.second, 0.5)}});
      if (step == 0) of_step.append_attribute("stroke-dasharray") = "3 2";
      const double width = line_width(step);
      std::vector<const DrawnLink*> plain;
      for (const DrawnLink* link : links)
        if (each)
          SvgDocument::add_hint(add_lines(of_step, {link}, width, step > 0), hint(link->links));
        else
          plain.push_back(link);
      if (!each) add_lines(of_step, plain, width, step > 0);
      if (step > 0) add_arrows(of_step, links, width);
    }
  }

  void add_bars() {
    if (drawing_.bars.empty()) return;
    pugi::xml_node group = add_group(svg_.root(), "bars", head_);
    for (const DrawnBar& bar : drawing_.bars) {
      const int step = loads_.step(loads_.load(bar.link), kSteps);
      const bool filled = bar.growth == DrawnBar::Growth::filled;
      const double width = filled ? bar.width : bar.width * (step == 0 ? 0.06 : 0.12 + 0.88 * step / kSteps);
      const double x = bar.growth == DrawnBar::Growth::left ? bar.corner.x + bar.width - width : bar.corner.x;
      pugi::xml_node box = SvgDocument::add_rect(group, {x, bar.corner.y}, width, bar.height,
                                                 {{"fill", step == 0 && filled ? "#f0f0f0" : color(step)}});
      if (drawing_.bars.size() <= kMostHints) SvgDocument::add_hint(box, hint(bar.link));
    }
  }

  // ---- legend and lists ----

  void add_panel() {
    panel_ = SvgDocument::add(svg_.root(), "g", {{"id", "legend"}});
    x_ = width_ - kListsWidth + 16;
    y_ = head_ + 14;
    add_line(words_of(loads_.of()).legend, true);
    add_wrapped(title_.scale);
    add_scale();
    add_line(carrying_text());
    add_line(fmt::format("{} on average, {} at most", loads_.text(loads_.mean()), loads_.text(loads_.most())));
    y_ += 6;
    add_wrapped(drawing_.notes);
    add_busiest();
    add_faulty();
  }

  std::string carrying_text() const {
    if (loads_.of() == HeatmapOf::contention)
      return fmt::format("Messages lost time on {} of {} links:", loads_.loaded(), loads_.links());
    return fmt::format("{} of {} links carried something:", loads_.loaded(), loads_.links());
  }

  void add_wrapped(const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
      for (const std::string& line : wrapped(text, kPanelLetters)) add_line(line);
  }

  void add_line(std::string_view text, bool bold = false) {
    pugi::xml_node node = SvgDocument::add_text(panel_, x_, y_, text);
    if (bold) node.append_attribute("font-weight") = "bold";
    y_ += kLineHeight;
  }

  /// A wedge: as wide as the lines are, in their colours, with numbers.
  void add_scale() {
    constexpr double kScale = 240;
    const double thickest = std::max(2 * drawing_.widest, 12.0);
    const double middle = y_ + thickest / 2 - 4;
    for (int step = 1; loads_.scale() > 0 && step <= kSteps; ++step) {
      const double height = thickest * (0.16 + 0.84 * step / kSteps);
      SvgDocument::add_rect(panel_, {x_ + kScale * (step - 1) / kSteps, middle - height / 2}, kScale / kSteps + 0.3, height,
                            {{"fill", color(step)}});
    }
    y_ = middle + thickest / 2 + 14;
    for (int quarter = 0; loads_.scale() > 0 && quarter <= 4; quarter += 2)
      SvgDocument::add_text(panel_, x_ + kScale * quarter / 4, y_, loads_.text(loads_.scale() * quarter / 4),
                            {{"text-anchor", quarter == 0 ? "start" : (quarter == 4 ? "end" : "middle")}});
    y_ += kLineHeight + 4;
    SvgDocument::add(panel_, "path",
                     {{"d", fmt::format("M{} {}h40", svg_number(x_), svg_number(y_ - 4))},
                      {"stroke", std::string(kNoLoadColor)},
                      {"stroke-dasharray", "3 2"}});
    SvgDocument::add_text(panel_, x_ + 48, y_, "nothing");
    y_ += kLineHeight + 8;
  }

  void add_busiest() {
    y_ += 10;
    if (busiest_.empty()) return add_line(loads_.why_none(), true);
    add_line("Most loaded", true);
    for (const BusyLink& link : busiest_) {
      SvgDocument::add_text(panel_, x_, y_, link.name);
      SvgDocument::add_text(panel_, x_ + kNameSpace, y_, link.load, {{"text-anchor", "end"}});
      y_ += 0.8 * kLineHeight;
      SvgDocument::add_text(panel_, x_ + 8, y_, fmt::format("{}, {}", link.tier, to_string(link.bandwidth)),
                            {{"font-size", "10"}, {"fill", "#555555"}});
      y_ += kLineHeight;
    }
    const std::ptrdiff_t as_much = loads_.links_with(loads_.most());
    if (as_much > 1) add_line(fmt::format("{} links {} the most.", as_much, words_of(loads_.of()).of_most));
  }

  void add_faulty() {
    if (faulty_.empty()) return;
    y_ += 10;
    add_line("At fault (cross: down, ring: slow)", true);
    add_wrapped(faulty_);
  }

  // ---- faults ----

  /// In the middle of a link that is down a cross, of one that is slow a ring.
  void add_fault_marks() {
    if (loads_.faults().empty()) return;
    pugi::xml_node group = add_group(svg_.root(), "faults", head_);
    group.append_attribute("stroke") = "#d00000";
    group.append_attribute("stroke-width") = "2.5";
    for (const DrawnLink& link : drawing_.links)
      for (const LinkId one : link.links)
        add_fault_mark(group, one, (link.from.x + link.to.x) / 2, (link.from.y + link.to.y) / 2);
    for (const DrawnBar& bar : drawing_.bars)
      add_fault_mark(group, bar.link, bar.corner.x + bar.width / 2, bar.corner.y + bar.height / 2);
  }

  void add_fault_mark(pugi::xml_node group, LinkId link, double x, double y) {
    const std::string fault = loads_.fault_text(link);
    if (fault.empty()) return;
    const std::string at = fmt::format("translate({} {})", svg_number(x), svg_number(y));
    pugi::xml_node mark =
        SvgDocument::add(group, "path",
                         {{"d", loads_.is_down(link) ? "M-5 -5L5 5M-5 5L5 -5" : "M5 0A5 5 0 1 1 -5 0A5 5 0 1 1 5 0"},
                          {"fill", loads_.is_down(link) ? "none" : "#ffffff"},
                          {"transform", at}});
    SvgDocument::add_hint(mark, fmt::format("{}, {}", hint(link), fault));
  }

  const Drawing& drawing_;
  const LinkLoads& loads_;
  const Topology& topology_;
  const PictureTitle& title_;
  std::vector<BusyLink> busiest_;
  std::vector<std::string> faulty_;
  double head_;  ///< height of the title
  double width_;
  SvgDocument svg_;
  pugi::xml_node panel_;
  double x_ = 0;
  double y_ = 0;
};

}  // namespace

std::string svg_heatmap(const Drawing& drawing, const LinkLoads& loads, const Fabric& fabric, const PictureTitle& title) {
  return Heatmap(drawing, loads, fabric, title).draw();
}

namespace {

std::string call_text(const Setup& setup) {
  if (setup.asked.collective == Collective::barrier) return counted(setup.ranks(), "rank");
  return fmt::format("{}, {} ({} {} {})", counted(setup.ranks(), "rank"), to_string(Bytes(setup.bytes())), setup.count,
                     type_name(setup.asked), op_name(setup.asked) == "none" ? "elements" : op_name(setup.asked));
}

PictureTitle title_of(const Outcome& outcome) {
  const Setup& setup = *outcome.setup;
  const Report& report = *outcome.report();
  PictureTitle title;
  title.headline = fmt::format("{} by {} on {}: {}", to_string(setup.asked.collective), outcome.algorithm->name,
                               setup.fabric.topology().spec(), to_string(report.completion));
  std::string call = fmt::format("{}; placement {}", call_text(setup), setup.asked.placement);
  if (!setup.groups.empty()) call += fmt::format("; groups {}", setup.asked.groups);
  if (!setup.background.empty())
    call += fmt::format("; background {} (its bytes are not counted)", fmt::join(setup.asked.background, ","));
  title.details = {call,
                   fmt::format("{}{}", setup.asked.fabric.preset.empty() ? "" : setup.asked.fabric.preset + ": ",
                               describe_speeds(setup.fabric)),
                   fmt::format("heddle {}; {}, {}, seed {}", version(), counted(report.rounds_max(), "round"),
                               counted(report.messages(), "message"), setup.asked.seed)};
  return title;
}

/// How a utilisation over the time of the slowest run is to be read.
std::vector<std::string> scale_text(const HeatmapOfRun& run, const HeatmapOfRun& slowest, bool alone) {
  std::vector<std::string> text;
  if (run.loads.of() == HeatmapOf::utilisation)
    text.push_back(fmt::format("Of what it could carry in {}{}.", to_string(slowest.completion),
                               alone ? "" : ", the time of the slowest run"));
  if (run.loads.of() == HeatmapOf::utilisation && run.completion < slowest.completion)
    text.push_back(fmt::format("In its own {}: at most {}.", to_string(run.completion), run.loads.text(run.loads.most())));
  if (!alone) text.emplace_back("All pictures of this command have this scale.");
  return text;
}

}  // namespace

std::vector<HeatmapOfRun> on_one_scale(std::vector<HeatmapOfRun> runs) {
  if (runs.empty()) return runs;
  const HeatmapOfRun slowest = *std::ranges::max_element(runs, {}, &HeatmapOfRun::completion);
  double end = 0;
  for (HeatmapOfRun& run : runs) {
    run.title.scale = scale_text(run, slowest, runs.size() == 1);
    if (run.loads.of() == HeatmapOf::utilisation && run.completion < slowest.completion)
      run.loads = run.loads.times(run.completion.seconds() / slowest.completion.seconds());
    end = std::max(end, run.loads.most());
  }
  for (HeatmapOfRun& run : runs) run.loads = run.loads.on_scale(end);
  return runs;
}

void HeatmapReporter::add(const Outcome& outcome) {
  const std::size_t algorithm = next_++;
  if (outcome.report() == nullptr) return;
  runs_.push_back({algorithm, outcome.report()->completion, measured_loads(of_, outcome), title_of(outcome)});
}

void HeatmapReporter::end(const Setup& setup) {
  for (const HeatmapOfRun& run : on_one_scale(std::move(runs_))) show_(setup, run);
}

HeatmapReporter::Show heatmap_files(const Setup& setup, const std::string& path) {
  return [path, drawing = draw_loads(setup.fabric.topology(), setup.placement), files = files_of(setup, path)](
             const Setup& shown, const HeatmapOfRun& run) {
    files.at(run.algorithm).write(picture_for(path, svg_heatmap(drawing, run.loads, shown.fabric, run.title)));
  };
}

HeatmapReporter::Show text_heatmaps(std::ostream& out) {
  return [&out](const Setup& setup, const HeatmapOfRun& run) {
    out << fmt::format("\n{}\n{}\n", run.title.headline, run.title.details.front());
    for (const std::string& line : run.title.scale) out << fmt::format("{}\n", line);
    out << ascii_heatmap(run.loads, setup.fabric, setup.placement) << std::flush;
  };
}

void require_measured(const Setup& setup, HeatmapOf of) {
  for (const PlannedAlgorithm& run : setup.planned()) {
    const Model& model = run.setup->settings.model;
    if (of == HeatmapOf::contention && model.name() == Model::packets.name())
      throw InputError("--heatmap-of contention: under --model packets messages wait in queues; --heatmap-of queue");
    if (is_of_packets(of) && model.name() != Model::packets.name())
      throw InputError(fmt::format("--heatmap-of {}: model {} has no packets that wait; --model packets", words_of(of).name,
                                   to_string(model)));
  }
}

namespace {

std::unique_ptr<Reporter> make_heatmap_reporter(const RunOutputCall& call) {
  if (call.path == "-" && call.is_standard_output_taken)
    throw InputError("--heatmap -: standard output takes the JSON report of --json - already; name a file for one of them");
  const HeatmapOf of = read_flag("--heatmap-of", call.option, parse_heatmap_of);
  require_measured(call.setup, of);
  if (call.path == "-") return std::make_unique<HeatmapReporter>(of, text_heatmaps(call.out));
  return read_flag("--heatmap", call.path, [&](std::string_view name) -> std::unique_ptr<Reporter> {
    require_picture_file(name);
    return std::make_unique<HeatmapReporter>(of, heatmap_files(call.setup, call.path));
  });
}

}  // namespace

}  // namespace heddle::pictures

namespace heddle {

RunOutput heatmap_output() {
  return {.flag = "--heatmap",
          .help =
              "Draw the fabric with the load of each link as colour and width: to a file, out.svg or out.png (several "
              "algorithms: out-NAME.svg each, on one scale); - : as digits, below the table",
          .example = "-",
          .files = RunOutput::Files::of_each,
          .option =
              {"--heatmap-of",
               "What --heatmap shows of a link: utilisation (the share of its capacity that was used; the default), bytes, "
               "contention (the time that messages lost because they shared it) or, with --model packets, queue (packets that "
               "waited for it) or stalled (time without room ahead)",
               "utilisation"},
          .needs_timeline = [](std::string_view option) { return option == "contention"; },
          .make = pictures::make_heatmap_reporter};
}

}  // namespace heddle
