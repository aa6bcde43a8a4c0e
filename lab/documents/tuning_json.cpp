// SPDX-License-Identifier: Apache-2.0
#include "lab/documents/tuning_json.hpp"

#include <nlohmann/json.hpp>

namespace heddle {

nlohmann::ordered_json json_of_tuning(const VariantCount& count, const Tuning& tuning) {
  nlohmann::ordered_json left_out = nlohmann::ordered_json::object();
  for (const auto& [row, number] : count.left_out) left_out[row] = number;
  return {{"tune", "options"},
          {"budget", tuning.budget},
          {"points", count.points},
          {"rows", count.rows},
          {"combinations", count.combinations},
          {"tried", count.tried},
          {"unfit", count.unfit},
          {"left_out", std::move(left_out)}};
}

std::string tuning_text(const nlohmann::ordered_json& json) {
  VariantCount count{.points = json.at("points"),
                     .rows = json.at("rows"),
                     .combinations = json.at("combinations"),
                     .tried = json.at("tried"),
                     .unfit = json.at("unfit")};
  for (const auto& [row, number] : json.at("left_out").items()) count.left_out.emplace_back(row, number);
  return tuning_text(count, Tuning{.budget = json.at("budget")});
}

}  // namespace heddle
