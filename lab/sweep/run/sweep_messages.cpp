// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/run/sweep_messages.hpp"

#include <fmt/format.h>

#include "core/checksum.hpp"
#include "core/errors.hpp"
#include "lab/documents/seal.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

template <class Read>
auto read_message(const std::string& text, const Read& read) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("no message of a spread sweep: {}", error.what()));
  }
}

}  // namespace

std::string plan_checksum_of(const SweepDocument& document) { return checksum_of(line_of(json_of_header(document))); }

std::string text_of(const SweepCall& call) {
  return line_of({{"words", call.words}, {"shard", call.shard ? Json(to_string(*call.shard)) : Json(nullptr)}});
}

std::string text_of(const SweepOffer& offer) {
  return line_of(
      {{"refusal", offer.refusal}, {"plan", offer.plan}, {"workers", offer.workers}, {"memory", offer.memory.count()}});
}

std::string text_of_run(std::size_t run) { return line_of({{"run", run}}); }

std::string text_of_no_more() { return line_of({{"run", nullptr}}); }

std::string text_of(const SweepAnswer& answer, const SweepDocument& document) {
  Json json = {{"run", answer.run}, {"seconds", answer.seconds}};
  if (answer.result)
    json["result"] = json_of(*answer.result, fabric_of(document, *answer.result));
  else
    json["stop"] = {{"text", answer.stop.text}, {"is_refused", answer.stop.is_refused}};
  return line_of(json);
}

std::optional<SweepCall> read_call(const std::string& text) {
  return read_message(text, [](const Json& json) -> std::optional<SweepCall> {
    if (json.contains("run")) return std::nullopt;
    SweepCall call;
    call.words = json.at("words").get<std::vector<std::string>>();
    if (!json.at("shard").is_null()) call.shard = parse_shard(json.at("shard").get<std::string>());
    return call;
  });
}

SweepOffer read_offer(const std::string& text) {
  return read_message(text, [](const Json& json) {
    SweepOffer offer;
    offer.refusal = json.at("refusal");
    offer.plan = json.at("plan");
    offer.workers = json.at("workers");
    offer.memory = Bytes(json.at("memory").get<std::int64_t>());
    return offer;
  });
}

std::optional<std::size_t> read_order(const std::string& text) {
  return read_message(text, [](const Json& json) {
    return json.at("run").is_null() ? std::nullopt : std::optional<std::size_t>(json.at("run").get<std::size_t>());
  });
}

SweepAnswer read_answer(const std::string& text) {
  return read_message(text, [](const Json& json) {
    SweepAnswer answer;
    answer.run = json.at("run");
    answer.seconds = json.at("seconds");
    if (json.contains("result"))
      answer.result = result_from_json(json.at("result"));
    else
      answer.stop = {json.at("stop").at("text"), json.at("stop").at("is_refused")};
    return answer;
  });
}

}  // namespace heddle
