// SPDX-License-Identifier: Apache-2.0
#include "show/page/fabric_data.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

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

}  // namespace heddle::pages
