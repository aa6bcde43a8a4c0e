// SPDX-License-Identifier: Apache-2.0
#include "show/reports/study_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/version.hpp"
#include "show/document/document.hpp"

namespace heddle {

namespace {

std::string percent_less(double part) {
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

Table traffic_table(std::span<const Algorithm> algorithms) {
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

nlohmann::ordered_json json_of_study(const TrafficStudy& study, std::span<const Algorithm> algorithms) {
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

TrafficTable::TrafficTable(const TrafficPlan& plan, std::size_t columns)
    : algorithms_(plan.algorithms), table_(traffic_table(plan.algorithms)) {
  std::vector<std::string> no_room = table_.fit_into(columns);
  std::ranges::replace_if(
      no_room, [](const std::string& title) { return title.find(':') != std::string::npos; }, "box plot");
  head_ = fmt::format("{}: {}\n% less than {}\n\n{}{}\n{}\n", to_string(plan.collective), plan.title, algorithms_.front().name,
                      left_out_text(no_room), table_.titles(), table_.units());
}

std::string TrafficTable::lines_of(const TrafficStudy& study) const {
  std::string lines;
  for (std::size_t a = 0; a < algorithms_.size(); ++a) {
    const TrafficComparison& comparison = study.comparisons[a];
    std::vector<std::string> cells = {a == 0 ? fmt::to_string(study.ranks) : "", a == 0 ? fmt::to_string(study.placements) : "",
                                      a == 0 ? fmt::format("{:.1f}", study.mean_groups) : "", algorithms_[a].name,
                                      fmt::format("{:.2f}", comparison.mean_vectors)};
    if (a > 0 && comparison.reduction) {
      const Quartiles& of = *comparison.reduction;
      for (const double part : {of.least, of.first, of.median, of.third, of.most}) cells.push_back(percent_less(part));
      cells.push_back(fmt::to_string(comparison.more));
      cells.push_back(box_plot(of));
    }
    lines += table_.row(cells) + '\n';
  }
  return lines;
}

std::string json_of_traffic(const TrafficPlan& plan, std::span<const TrafficStudy> studies) {
  nlohmann::ordered_json json;
  nlohmann::ordered_json& context = json["context"] = {{"version", version()}, {"collective", to_string(plan.collective)}};
  context.update(plan.parameters);
  json["studies"] = nlohmann::ordered_json::array();
  for (const TrafficStudy& study : studies) json["studies"].push_back(json_of_study(study, plan.algorithms));
  return json_text(json);
}

}  // namespace heddle
