// SPDX-License-Identifier: Apache-2.0
#include "lab/documents/failure_facts.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/documents/context.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

template <class Member>
void append(Json& json, const char* name, const Member& member) {
  if (!member.empty()) json[name] = member;
}

Json json_of(const FailureFacts& facts) {
  Json json = Json::object();
  if (facts.rank) json["rank"] = *facts.rank;
  if (facts.time) json["time_s"] = seconds_for_json(*facts.time);
  if (facts.element) json["element"] = *facts.element;
  append(json, "got", facts.got);
  append(json, "expected", facts.expected);
  append(json, "missing", facts.missing);
  append(json, "doubled", facts.doubled);
  for (const FailureFacts::Contribution& one : facts.foreign)
    json["foreign"].push_back({{"rank", one.rank}, {"element", one.element}});
  for (const FailureFacts::Blocked& one : facts.blocked) {
    Json blocked = {{"rank", one.rank}, {"task", one.task}};
    blocked["peer"] = one.peer < 0 ? Json(nullptr) : Json(one.peer);
    blocked["waits_for"] = one.waits_for;
    json["blocked"].push_back(std::move(blocked));
  }
  append(json, "cycle", facts.cycle);
  if (facts.left != 0) json["left"] = facts.left;
  append(json, "exception", facts.exception);
  return json;
}

template <class Member>
void read(const Json& json, const char* name, Member& member) {
  if (json.contains(name)) member = json.at(name).get<Member>();
}

FailureFacts facts_from_json(const Json& json) {
  FailureFacts facts;
  if (json.contains("rank")) facts.rank = json.at("rank").get<int>();
  if (json.contains("time_s")) facts.time = Time::from_seconds(json.at("time_s").get<double>());
  if (json.contains("element")) facts.element = json.at("element").get<std::int64_t>();
  read(json, "got", facts.got);
  read(json, "expected", facts.expected);
  read(json, "missing", facts.missing);
  read(json, "doubled", facts.doubled);
  for (const Json& one : json.value("foreign", Json::array()))
    facts.foreign.push_back({one.at("rank").get<int>(), one.at("element").get<std::int64_t>()});
  for (const Json& one : json.value("blocked", Json::array()))
    facts.blocked.push_back({.rank = one.at("rank").get<int>(),
                             .task = one.at("task").get<int>(),
                             .peer = one.at("peer").is_null() ? -1 : one.at("peer").get<int>(),
                             .waits_for = one.at("waits_for").get<std::string>()});
  read(json, "cycle", facts.cycle);
  read(json, "left", facts.left);
  read(json, "exception", facts.exception);
  return facts;
}

}  // namespace

Json json_of(const Failure& failure) {
  return {{"kind", to_string(failure.kind)}, {"explanation", failure.explanation}, {"facts", json_of(failure.facts)}};
}

Failure failure_from_json(const Json& json) {
  return {.kind = parse_check_kind(json.at("kind").get<std::string>()),
          .explanation = json.at("explanation"),
          .facts = json.contains("facts") ? facts_from_json(json.at("facts")) : FailureFacts()};
}

}  // namespace heddle
