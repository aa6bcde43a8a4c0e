// SPDX-License-Identifier: Apache-2.0
#include "show/page/page_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "lab/documents/fabric_report.hpp"

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

using Json = nlohmann::ordered_json;

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

}  // namespace heddle::pages
