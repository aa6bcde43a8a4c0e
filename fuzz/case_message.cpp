// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fuzz/case_process.hpp"
#include "heddle/errors.hpp"
#include "lab/documents/failure_facts.hpp"
#include "lab/documents/json_members.hpp"

namespace heddle {

template <IsA<CaseRequest> Request, class Visit>
void visit_members(Request& request, const Visit& visit) {
  visit.always("index", request.index);
  visit.always("text", request.text);
  visit.always("twice", request.twice);
  visit.always("layout", request.layout);
  visit.always("with_text", request.with_text);
}

template <IsA<RunLength> Length, class Visit>
void visit_members(Length& length, const Visit& visit) {
  visit.always("ranks", length.ranks);
  visit.always("count", length.count);
  visit.always("slices", length.slices);
  double seconds = length.seconds.count();
  visit.always("seconds", seconds);
  if constexpr (!std::is_const_v<Length>) length.seconds = std::chrono::duration<double>(seconds);
}

template <IsA<CaseReply> Reply, class Visit>
void visit_members(Reply& reply, const Visit& visit) {
  visit.always("collective", reply.row.first);
  visit.always("algorithm", reply.row.second);
  visit.always("failure", reply.end.failure);
  visit.always("ranks", reply.end.ranks);
  visit.always("fault_kind", reply.end.fault_kind);
  visit.always("fault_end", reply.end.fault_end);
  visit.always("length", reply.end.length);
  visit.always("text", reply.text);
  visit.always("error", reply.error);
  visit.always("is_refusal", reply.is_refusal);
}

namespace {

using Json = nlohmann::ordered_json;

/// Binary, which takes every text as it is: what a program has thrown need not be UTF-8.
std::string bytes_of(const Json& message) {
  std::string bytes;
  Json::to_cbor(message, bytes);
  return bytes;
}

template <class Message>
Message read_message(std::string_view bytes) {
  try {
    return Json::from_cbor(bytes).get<Message>();
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("no message between processes: {}", error.what()));
  }
}

}  // namespace

void CaseReply::require_no_error(std::string_view before) const {
  if (error.empty()) return;
  const std::string words = std::string(before) + error;
  if (is_refusal) throw ResourceError(words);
  throw InputError(words);
}

std::string pack(const CaseRequest& request) { return bytes_of(request); }

CaseRequest unpack_request(std::string_view bytes) { return read_message<CaseRequest>(bytes); }

std::string pack(const CaseReply& reply) { return bytes_of(reply); }

CaseReply unpack_reply(std::string_view bytes) { return read_message<CaseReply>(bytes); }

}  // namespace heddle
