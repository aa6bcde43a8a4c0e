// SPDX-License-Identifier: Apache-2.0
#include "claims/claim_data.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "heddle/errors.hpp"

namespace heddle::claims {

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
  if (!json.is_array()) return json.get<std::string>();
  std::string text;
  for (const Json& line : json) text += (text.empty() ? "" : " ") + line.get<std::string>();
  return text;
}

std::string text_or_none(const Json& json, const char* name) { return json.contains(name) ? text_of(json.at(name)) : ""; }

Printed printed_of(const Json& json) {
  if (json.is_array()) return {json[0].get<double>(), json[1].get<int>()};
  const auto text = json.get<std::string>();
  const std::size_t exponent = std::min(text.find('e'), text.size());
  const std::size_t point = std::min(text.find('.'), exponent);
  const auto decimals = static_cast<int>(exponent - std::min(point + 1, exponent));
  return {std::stod(text), decimals - (exponent < text.size() ? std::stoi(text.substr(exponent + 1)) : 0)};
}

/// What one check of a claim calls, with what.
struct Step {
  std::function<void(Lab&, const ClaimData&, Findings&)> check;
  ClaimData data;
};

/// The functions of one source's claims and those of rows. Names of other sources do not meet.
Vocabulary vocabulary_of(std::string_view source) {
  static const std::map<std::string_view, std::vector<Vocabulary (*)()>> parts = {
      {"traeff", {traeff_vocabulary}},
      {"trivance", {trivance_pattern_vocabulary, trivance_table_vocabulary, trivance_figure_vocabulary}},
      {"swing", {swing_pattern_vocabulary, swing_deficiency_vocabulary, swing_figure_vocabulary}},
      {"bine", {bine_tree_vocabulary, bine_traffic_vocabulary, bine_butterfly_vocabulary, bine_size_vocabulary}},
      {"explainer", {explainer_vocabulary}},
  };
  Vocabulary all = row_vocabulary();
  if (const auto found = parts.find(source); found != parts.end())
    for (const auto part : found->second) {
      Vocabulary more = part();
      all.rows.merge(more.rows);
      all.checks.merge(more.checks);
      all.charts.merge(more.charts);
    }
  return all;
}

template <class Functions>
auto function_called(const Functions& functions, const std::string& name) {
  const auto found = functions.find(name);
  if (found == functions.end()) throw UsageError(fmt::format("no function of the claims is called '{}'", name));
  return found->second;
}

Findings findings_of(Lab& lab, const std::vector<ClaimData>& rows, Finding (*of_row)(Lab&, const ClaimData&)) {
  std::vector<std::optional<Finding>> found(rows.size());
  lab.side_by_side(std::ssize(rows), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    found[at] = of_row(lab, rows[at]);
  });
  Findings findings;
  for (std::optional<Finding>& finding : found) findings.push_back(std::move(*finding));
  return findings;
}

std::vector<Step> steps_of(const Vocabulary& vocabulary, const Json& claim, const Json& source) {
  const Json& checks = claim.at("check");
  std::vector<Step> steps;
  const auto add = [&](const Json& check) {
    const std::string name = check.is_string() ? check.get<std::string>() : check.begin().key();
    const ClaimData data(check, check, claim, source);
    if (const auto of_row = vocabulary.rows.find(name); of_row != vocabulary.rows.end())
      steps.push_back({[row_function = of_row->second](Lab& lab, const ClaimData& all, Findings& findings) {
                         findings = findings_of(lab, all.rows(), row_function);
                       },
                       data});
    else
      steps.push_back({function_called(vocabulary.checks, name), data});
  };
  if (checks.is_array())
    for (const Json& check : checks) add(check);
  else
    add(checks);
  return steps;
}

}  // namespace

const Json* ClaimData::find(Field field) const {
  if (const int* index = std::get_if<int>(&field)) {
    const auto at = static_cast<std::size_t>(*index);
    return json_->is_array() && at < json_->size() && !(*json_)[at].is_null() ? &(*json_)[at] : nullptr;
  }
  const char* name = std::get<const char*>(field);
  return shared_->is_object() && shared_->contains(name) ? &shared_->at(name) : nullptr;
}

const Json& ClaimData::get(Field field) const {
  if (const Json* found = find(field)) return *found;
  throw UsageError(fmt::format("a claim's data has nothing where it should: {}", json_->dump()));
}

std::string ClaimData::text(Field field) const { return text_of(get(field)); }
double ClaimData::number(Field field) const { return get(field).get<double>(); }
int ClaimData::integer(Field field) const { return get(field).get<int>(); }

Printed ClaimData::printed(Field field) const { return printed_of(get(field)); }
Printed ClaimData::printed_in(Field array, int index) const {
  return printed_of(get(array).at(static_cast<std::size_t>(index)));
}
std::vector<std::string> ClaimData::texts(Field field) const { return get(field).get<std::vector<std::string>>(); }

std::vector<ClaimData> ClaimData::parts(Field field) const {
  std::vector<ClaimData> parts;
  if (const Json* array = find(field))
    for (const Json& part : *array) parts.emplace_back(part, part.is_object() ? part : *shared_, *claim_, *source_);
  return parts;
}

std::vector<ClaimData> ClaimData::rows() const { return parts(json_->begin().key().c_str()); }

std::string ClaimData::run(Field field) const {
  std::string run = text(field);
  const std::string with = text("with", "");
  constexpr std::string_view kPlace = "…";
  if (const std::size_t place = run.find(kPlace); place != std::string::npos) return run.replace(place, kPlace.size(), with);
  return with.empty() ? run : run + ' ' + with;
}

Unless ClaimData::unless(Field field) const {
  const Json* json = find(field);
  return json == nullptr ? Unless() : reason_of(*json);
}

Unless ClaimData::named_reason(std::string_view name) const {
  for (const Json* owner : {claim_, source_})
    if (const auto reasons = owner->find("reasons"); reasons != owner->end())
      if (const auto reason = reasons->find(std::string(name)); reason != reasons->end()) return reason_of(*reason);
  throw UsageError(fmt::format("no reason of the claims is called '{}'", name));
}

Unless ClaimData::reason_of(const Json& json) const {
  if (!json.is_object()) {
    const std::string text = text_of(json);
    return text.starts_with('@') ? named_reason(text.substr(1)) : Unless(text);
  }
  const std::string why = text_or_none(json, "why");
  if (json.contains("refuted")) return refuted(text_of(json.at("refuted")), why);
  if (json.contains("contradiction")) return contradiction(text_of(json.at("contradiction")), why);
  if (json.contains("assumed")) return assumed(text_of(json.at("assumed")), why);
  return untested(text_of(json.at("untested")));
}

Source read_source(std::string_view name, std::string_view text) {
  const auto file = std::make_shared<const Json>(Json::parse(text));
  const Vocabulary vocabulary = vocabulary_of(name);
  Source source{
      .name = std::string(name), .title = text_of(file->at("title")), .setting = text_of(file->at("setting")), .claims = {}};
  for (const Json& claim : file->at("claims")) {
    // The functions keep the file, which all that they read is part of.
    source.claims.push_back({.name = text_of(claim.at("name")),
                             .section = text_of(claim.at("section")),
                             .statement = text_of(claim.at("statement")),
                             .full = claim.contains("full"),
                             .check = [file, steps = steps_of(vocabulary, claim, *file)](Lab& lab) {
                               std::vector<Finding> all;
                               for (const Step& step : steps) {
                                 Findings findings;
                                 step.check(lab, step.data, findings);
                                 for (Finding& finding : findings) all.push_back(std::move(finding));
                               }
                               return all;
                             }});
    if (claim.contains("for_authors")) {
      const Json& finding = claim.at("for_authors");
      source.claims.back().for_authors = text_of(finding.at("title")) + '\n' + text_of(finding.at("text"));
      source.claims.back().place_for_authors = finding.at("place").get<int>();
    }
    if (!claim.contains("figure")) continue;
    const Json& figure = claim.at("figure");
    const auto chart = function_called(vocabulary.charts, figure.at("chart"));
    source.claims.back().figure =
        Figure{.shows = text_of(figure.at("shows")),
               .chart = [file, chart, data = ClaimData(figure, figure, claim, *file)](Lab& lab) { return chart(lab, data); }};
  }
  return source;
}

std::vector<Source> all_sources() {
  std::vector<Source> sources;
  for (const char* name : {"traeff", "trivance", "swing", "bine", "explainer"}) sources.push_back(known_source(name));
  return sources;
}

}  // namespace heddle::claims
