// SPDX-License-Identifier: Apache-2.0
#include "show/page/page_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "lab/documents/context.hpp"
#include "lab/documents/packets_brief.hpp"
#include "show/trace/trace.hpp"

namespace heddle::pages {

namespace {

using Json = nlohmann::ordered_json;
using pictures::DrawnBar;
using pictures::DrawnLink;
using pictures::DrawnText;
using pictures::DrawnVertex;

/// Tenths of a pixel are enough.
double place(double length) { return std::round(length * 10) / 10; }

const char* text_of(DrawnBar::Growth growth) {
  if (growth == DrawnBar::Growth::left) return "left";
  return growth == DrawnBar::Growth::right ? "right" : "filled";
}

const char* text_of(DrawnText::Anchor anchor) {
  if (anchor == DrawnText::Anchor::start) return "start";
  return anchor == DrawnText::Anchor::end ? "end" : "middle";
}

Json json_of(const DrawnLink& link) {
  return {{"links", link.links},
          {"from", {place(link.from.x), place(link.from.y)}},
          {"to", {place(link.to.x), place(link.to.y)}},
          {"arrow", link.arrow},
          {"slender", link.slender}};
}

Json json_of(const DrawnBar& bar) {
  return {{"link", bar.link},
          {"at", {place(bar.corner.x), place(bar.corner.y)}},
          {"size", {place(bar.width), place(bar.height)}},
          {"growth", text_of(bar.growth)}};
}

Json json_of(const DrawnVertex& vertex) {
  return {{"at", {place(vertex.center.x), place(vertex.center.y)}},
          {"size", {place(vertex.width), place(vertex.height)}},
          {"box", vertex.shape == DrawnVertex::Shape::box},
          {"rank", vertex.rank},
          {"label", vertex.label},
          {"font", place(vertex.font)},
          {"upright", vertex.upright},
          {"about", vertex.about}};
}

Json json_of(const DrawnText& text) {
  return {{"at", {place(text.at.x), place(text.at.y)}},
          {"text", text.text},
          {"font", place(text.font)},
          {"anchor", text_of(text.anchor)},
          {"upright", text.upright}};
}

template <class Drawn>
Json json_of_all(const std::vector<Drawn>& all) {
  Json array = Json::array();
  for (const Drawn& each : all) array.push_back(json_of(each));
  return array;
}

}  // namespace

std::vector<LinkId> links_of(const pictures::Drawing& drawing) {
  std::vector<LinkId> links;
  for (const DrawnLink& line : drawing.links) links.insert(links.end(), line.links.begin(), line.links.end());
  for (const DrawnBar& bar : drawing.bars) links.push_back(bar.link);
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

Json json_of_drawing(const pictures::Drawing& drawing, const Fabric& fabric) {
  Json ids = Json::array();
  Json names = Json::array();
  Json bandwidths = Json::array();
  for (const LinkId link : links_of(drawing)) {
    ids.push_back(link);
    names.push_back(fabric.topology().link_name(link));
    bandwidths.push_back(bandwidth_for_json(fabric.bandwidth(link)));
  }
  return {{"width", place(drawing.width)},
          {"height", place(drawing.height)},
          {"widest", drawing.widest},
          {"links", json_of_all(drawing.links)},
          {"bars", json_of_all(drawing.bars)},
          {"vertices", json_of_all(drawing.vertices)},
          {"texts", json_of_all(drawing.texts)},
          {"notes", drawing.notes},
          {"ids", std::move(ids)},
          {"names", std::move(names)},
          {"bandwidth_Bps", std::move(bandwidths)}};
}

namespace {

constexpr int kMostRows = 64;

struct Rows {
  std::vector<int> ranks;
  std::vector<int> classes;  ///< ranks that each stands for; empty: itself
  int left_out = 0;          ///< classes that there is no row for
};

/// What a rank does in each step: messages and blocks, sent and received.
using Doings = std::vector<std::array<std::size_t, 4>>;

Rows rows_of(const BlockSteps& steps) {
  Rows rows;
  if (steps.ranks <= kMostRows) {
    for (int r = 0; r < steps.ranks; ++r) rows.ranks.push_back(r);
    return rows;
  }
  std::vector<Doings> doings(static_cast<std::size_t>(steps.ranks), Doings(steps.steps.size()));
  for (std::size_t s = 0; s < steps.steps.size(); ++s) {
    for (const BlockSteps::Move& move : steps.steps[s].moves) {
      const auto note = [&](int rank, std::size_t messages, std::size_t blocks) {
        if (rank < 0) return;
        std::array<std::size_t, 4>& done = doings[static_cast<std::size_t>(rank)][s];
        ++done[messages];
        done[blocks] += move.blocks.size();
      };
      note(move.source, 0, 1);
      note(move.dest, 2, 3);
    }
  }
  std::map<Doings, std::size_t> known;  // to its row
  for (int r = 0; r < steps.ranks; ++r) {
    const auto [found, is_new] = known.try_emplace(doings[static_cast<std::size_t>(r)], rows.ranks.size());
    if (!is_new) {
      if (found->second < rows.classes.size()) ++rows.classes[found->second];
    } else if (rows.ranks.size() < kMostRows) {
      rows.ranks.push_back(r);
      rows.classes.push_back(1);
    } else {
      found->second = kMostRows;
      ++rows.left_out;
    }
  }
  return rows;
}

/// [first, last, …] of numbers that ascend.
Json ranges_of(const std::vector<int>& numbers) {
  Json ranges = Json::array();
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    ranges.push_back(numbers[i]);
    ranges.push_back(numbers[end - 1]);
    i = end;
  }
  return ranges;
}

}  // namespace

Json json_of_steps(const BlockSteps& steps) {
  const Rows rows = rows_of(steps);
  std::vector<int> row(static_cast<std::size_t>(steps.ranks), -1);
  for (std::size_t i = 0; i < rows.ranks.size(); ++i) row[static_cast<std::size_t>(rows.ranks[i])] = static_cast<int>(i);
  const auto row_of = [&](int rank) { return rank < 0 ? -1 : row[static_cast<std::size_t>(rank)]; };
  const auto gains_of = [&](const std::vector<BlockSteps::Gain>& gains) {
    Json flat = Json::array();
    for (const BlockSteps::Gain& gain : gains) {
      if (row_of(gain.rank) < 0) continue;
      for (const int number : {row_of(gain.rank), gain.block, gain.terms}) flat.push_back(number);
    }
    return flat;
  };

  Json needed = Json::array();
  for (const int rank : rows.ranks) {
    const BlockSteps::Needed& of_rank = steps.needed[static_cast<std::size_t>(rank)];
    needed.push_back(of_rank.first);
    needed.push_back(of_rank.count);
  }
  Json all = Json::array();
  for (const BlockSteps::Step& step : steps.steps) {
    Json moves = Json::array();
    for (const BlockSteps::Move& move : step.moves)
      if (row_of(move.source) >= 0 || row_of(move.dest) >= 0) moves.push_back({move.source, move.dest, ranges_of(move.blocks)});
    all.push_back({{"moves", std::move(moves)}, {"messages", step.moves.size()}, {"gains", gains_of(step.gains)}});
  }
  return {{"ranks", steps.ranks},
          {"rows", rows.ranks},
          {"classes", rows.classes.empty() ? Json(nullptr) : Json(rows.classes)},
          {"classes_left_out", rows.left_out},
          {"blocks", steps.blocks},
          {"whole", steps.whole},
          {"by_source", steps.by_source},
          {"needed", std::move(needed)},
          {"before", gains_of(steps.before)},
          {"steps", std::move(all)}};
}

namespace {

/// Of `size`, evenly: the i-th of `most`.
std::size_t evenly(std::size_t i, std::size_t size, std::size_t most) { return size <= most ? i : i * size / most; }

/// Of the bytes, the lower of each number first.
std::string base64(const std::vector<std::uint16_t>& numbers) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t bytes = 2 * numbers.size();
  const auto byte = [&](std::size_t k) -> std::uint32_t {
    if (k >= bytes) return 0;
    const std::uint32_t number = numbers[k / 2];
    return k % 2 == 0 ? number & 0xffU : number >> 8U;
  };
  std::string text((bytes + 2) / 3 * 4, '=');
  for (std::size_t i = 0, at = 0; i < bytes; i += 3, at += 4) {
    const std::uint32_t three = byte(i) << 16U | byte(i + 1) << 8U | byte(i + 2);
    text[at] = kLetters[three >> 18U];
    text[at + 1] = kLetters[three >> 12U & 63U];
    if (i + 1 < bytes) text[at + 2] = kLetters[three >> 6U & 63U];
    if (i + 2 < bytes) text[at + 3] = kLetters[three & 63U];
  }
  return text;
}

/// As parts of the most.
std::string quantised(const std::vector<double>& values, double most) {
  constexpr double kWhole = 65535;
  std::vector<std::uint16_t> parts;
  parts.reserve(values.size());
  for (const double value : values)
    parts.push_back(static_cast<std::uint16_t>(most > 0 ? std::lround(std::clamp(value / most, 0.0, 1.0) * kWhole) : 0));
  return base64(parts);
}

/// Loads of links, each with its part of its trunk's.
class LoadTable {
 public:
  LoadTable(const LoadHistory& loads, const Report& report, const Topology& topology, std::span<const LinkId> links,
            std::size_t most_cells)
      : loads_(loads) {
    const auto joined_spans = [&] { return (loads.spans() + joined_ - 1) / joined_; };
    while (loads.spans() > joined_ * kFewestSpans && links.size() * joined_spans() > most_cells) joined_ *= 2;
    spans_ = joined_spans();
    bytes_.resize(links.size() * spans_);
    lost_.resize(bytes_.size());
    std::unordered_map<LinkId, std::size_t> place;
    for (std::size_t i = 0; i < links.size(); ++i) {
      place[links[i]] = i;
      add(links[i], i, 1);
    }
    for (LinkId id = topology.links(); id < topology.links() + topology.trunks(); ++id) {
      const Trunk trunk = topology.trunk(id);
      const auto bytes_of = [&](int k) {
        return static_cast<double>(report.links[static_cast<std::size_t>(trunk[k])].bytes.count());
      };
      double bytes = 0;
      for (int k = 0; k < trunk.count; ++k) bytes += bytes_of(k);
      for (int k = 0; k < trunk.count; ++k)
        if (const auto found = place.find(trunk[k]); found != place.end())
          add(id, found->second, bytes > 0 ? bytes_of(k) / bytes : 1.0 / trunk.count);
    }
  }

  std::size_t spans() const { return spans_; }
  std::int64_t span_ps() const { return loads_.width().ps() * static_cast<std::int64_t>(joined_); }
  const std::vector<double>& bytes() const { return bytes_; }
  const std::vector<double>& lost() const { return lost_; }

 private:
  static constexpr std::size_t kFewestSpans = 8;

  void add(LinkId from, std::size_t row, double part) {
    const std::size_t spans = loads_.spans();
    for (std::size_t i = 0; i < spans; ++i) {
      const std::size_t cell = row * spans_ + i / joined_;
      const LoadHistory::Load load = loads_.of(from, i);
      bytes_[cell] += part * load.bytes;
      lost_[cell] += part * load.lost_ps;
    }
  }

  const LoadHistory& loads_;
  std::size_t joined_ = 1;
  std::size_t spans_ = 0;
  std::vector<double> bytes_;
  std::vector<double> lost_;
};

/// Stretches in outermost phases, those of a rank's tasks that touch as one.
std::vector<PhaseRecord> joined_stretches(const RunSample& sample) {
  std::vector<PhaseRecord> records = sample.phase_records();
  for (PhaseRecord& record : records) record.phase = outermost_phase(sample.phases(), record.phase);
  std::ranges::sort(records, {}, [](const PhaseRecord& of) { return std::tuple(of.rank, of.phase, of.begin, of.end); });
  std::vector<PhaseRecord> joined;
  for (const PhaseRecord& record : records) {
    PhaseRecord* last = joined.empty() ? nullptr : &joined.back();
    if (last != nullptr && last->rank == record.rank && last->phase == record.phase && record.begin <= last->end)
      last->end = std::max(last->end, record.end);
    else
      joined.push_back(record);
  }
  return joined;
}

double most_of(const std::vector<double>& values) { return values.empty() ? 0 : *std::ranges::max_element(values); }

}  // namespace

Json json_of_messages(const RunSample& sample, std::size_t most) {
  const std::vector<MessageRecord> messages = sample.messages();
  Json drawn = Json::array();
  for (std::size_t i = 0; i < std::min(messages.size(), most); ++i) {
    const MessageRecord& m = messages[evenly(i, messages.size(), most)];
    drawn.push_back({m.source, m.dest, m.round, m.bytes, m.posted.ps(), (m.started - m.posted).ps(),
                     (m.entered - m.started).ps(), (m.drained - m.entered).ps(), (m.arrived - m.drained).ps(),
                     m.full_rate.ps()});
  }
  return {{"seen", sample.messages_seen()}, {"drawn", std::move(drawn)}};
}

Json json_of_waits(const RunSample& sample, std::size_t most) {
  const std::vector<SpanRecord> spans = sample.spans();
  Json drawn = Json::array();
  for (std::size_t i = 0; i < std::min(spans.size(), most); ++i) {
    const SpanRecord& span = spans[evenly(i, spans.size(), most)];
    drawn.push_back({span.rank, pictures::kind_text(span.kind), span.begin.ps(), (span.end - span.begin).ps()});
  }
  return {{"seen", sample.spans_seen()}, {"every", sample.follows_every()}, {"drawn", std::move(drawn)}};
}

Json json_of_chain(const RunSample& sample, const CriticalPath& path) {
  const auto chain = sample.chain(path);
  if (!chain) return nullptr;
  Json links = Json::array();
  for (const RunSample::ChainLink& link : *chain)
    links.push_back(
        {link.source, link.dest, link.round, link.started.ps(), link.entered.ps(), link.arrived.ps(), link.contention.ps()});
  return links;
}

namespace {

Json json_of_faults(const std::vector<LinkFault>& faults, std::span<const LinkId> links) {
  Json all = Json::array();
  for (std::size_t place = 0; place < links.size(); ++place) {
    std::set<Time> times;
    std::string text;
    for (const LinkFault& fault : faults) {
      if (fault.link != links[place]) continue;
      times.insert(fault.at);
      text += (text.empty() ? "" : " ") + state_text(fault);
    }
    Json steps = Json::array();
    for (const Time at : times) {
      double left = 1;
      for (const LinkFault& fault : faults)
        if (fault.link == links[place] && fault.at <= at) left = fault.down ? 0 : std::min(left, 1 / fault.slower);
      steps.push_back({at.ps(), left});
    }
    if (!times.empty()) all.push_back({place, text, std::move(steps)});
  }
  return all;
}

}  // namespace

Json json_of_loads(const RunSample& sample, const Report& report, const Topology& topology, std::span<const LinkId> links,
                   const std::vector<LinkFault>& faults, std::size_t most_cells) {
  const LoadTable table(sample.loads(), report, topology, links, most_cells);
  Json totals = Json::array();
  for (const LinkId link : links) totals.push_back(report.links[static_cast<std::size_t>(link)].bytes.count());
  const double most_bytes = most_of(table.bytes());
  const double most_lost = most_of(table.lost());
  Json json = {{"span_ps", table.span_ps()},
               {"spans", table.spans()},
               {"most_bytes", most_bytes},
               {"most_lost_ps", most_lost},
               {"bytes", quantised(table.bytes(), most_bytes)},
               {"lost_ps", quantised(table.lost(), most_lost)},
               {"total_bytes", std::move(totals)},
               {"faults", json_of_faults(faults, links)}};
  if (report.packets) {
    // Of the whole run alone.
    for (const char* name : {"queue", "stalled"}) json[name] = Json::array();
    for (const LinkId link : links) {
      const PacketLinkReport& of = report.packets->links[static_cast<std::size_t>(link)];
      json["queue"].push_back(of.queue_mean);
      json["stalled"].push_back(part_of_time(of.stalled, report.completion));
    }
  }
  return json;
}

Json json_of_phases(const RunSample& sample, std::size_t most) {
  const std::vector<NamedPhase>& phases = sample.phases();
  Json names = Json::array();
  for (const NamedPhase& phase : phases) names.push_back(phase.name);
  const std::vector<PhaseRecord> stretches = joined_stretches(sample);
  Json drawn = Json::array();
  for (std::size_t i = 0; i < std::min(stretches.size(), most); ++i) {
    const PhaseRecord& stretch = stretches[evenly(i, stretches.size(), most)];
    drawn.push_back({stretch.rank, stretch.phase, stretch.begin.ps(), (stretch.end - stretch.begin).ps()});
  }
  return {{"names", std::move(names)}, {"drawn", std::move(drawn)}};
}

Timeline timeline_of(const RunSample& sample, const std::vector<RunSample::ChainLink>& chain) {
  Timeline timeline;
  timeline.phase_records = sample.phase_records();
  const bool has_phases = timeline.phase_records.size() == sample.phase_records_seen();
  if (has_phases)
    timeline.phases = sample.phases();
  else
    timeline.phase_records.clear();
  for (const RunSample::ChainLink& link : chain) {
    MessageRecord record;
    record.source = link.source;
    record.dest = link.dest;
    record.round = link.round;
    if (has_phases && link.phase != RunSample::ChainLink::kNoPhase) record.phase = link.phase;
    record.started = record.posted = link.started;
    record.entered = link.entered;
    record.drained = record.arrived = link.arrived;
    record.full_rate = link.arrived - link.entered - link.contention;
    record.previous =
        timeline.messages.empty() ? CriticalPath::kNoRecord : static_cast<std::uint32_t>(timeline.messages.size() - 1);
    timeline.messages.push_back(record);
  }
  return timeline;
}

}  // namespace heddle::pages
