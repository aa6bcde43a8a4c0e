// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "fuzz/case_process.hpp"
#include "heddle/errors.hpp"
#include "lab/documents/failure_facts.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

class Packer {
 public:
  Packer& add(std::uint64_t number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
  }
  Packer& add(std::string_view text) {
    add(std::uint64_t{text.size()});
    bytes_ += text;
    return *this;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t number = 0;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }
  std::string text() { return std::string(take(number())); }

 private:
  std::string_view take(std::uint64_t length) {
    if (length > rest_.size()) throw InputError("a message between processes is cut short");
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace

void CaseReply::require_no_error(std::string_view before) const {
  if (error.empty()) return;
  const std::string words = std::string(before) + error;
  if (is_refusal) throw ResourceError(words);
  throw InputError(words);
}

std::string pack(const CaseRequest& request) {
  return Packer()
      .add(request.index ? 1U : 0U)
      .add(request.index.value_or(0))
      .add(request.text)
      .add(request.twice ? 1U : 0U)
      .add(std::uint64_t{request.layout})
      .add(request.with_text ? 1U : 0U)
      .take();
}

CaseRequest unpack_request(std::string_view bytes) {
  Unpacker from(bytes);
  CaseRequest request;
  const bool has_index = from.number() != 0;
  const std::uint64_t index = from.number();
  if (has_index) request.index = index;
  request.text = from.text();
  request.twice = from.number() != 0;
  request.layout = static_cast<std::uint32_t>(from.number());
  request.with_text = from.number() != 0;
  return request;
}

std::string pack(const CaseReply& reply) {
  // What a program has thrown need not be UTF-8; the explanation goes as it is.
  const Json failure = json_of({.kind = {}, .explanation = {}, .facts = reply.end.failure.value_or(Failure()).facts});
  return Packer()
      .add(static_cast<std::uint64_t>(reply.row.first))
      .add(reply.row.second)
      .add(static_cast<std::uint64_t>(reply.end.ranks))
      .add(reply.end.fault_kind)
      .add(static_cast<std::uint64_t>(reply.end.fault_end))
      .add(reply.end.failure ? 1U : 0U)
      .add(reply.end.failure ? static_cast<std::uint64_t>(reply.end.failure->kind) : 0U)
      .add(reply.end.failure ? reply.end.failure->explanation : std::string())
      .add(failure.dump(-1, ' ', false, Json::error_handler_t::replace))
      .add(static_cast<std::uint64_t>(reply.end.length.ranks))
      .add(static_cast<std::uint64_t>(reply.end.length.count))
      .add(reply.end.length.slices)
      .add(std::bit_cast<std::uint64_t>(reply.end.length.seconds.count()))
      .add(reply.text)
      .add(reply.error)
      .add(reply.is_refusal ? 1U : 0U)
      .take();
}

CaseReply unpack_reply(std::string_view bytes) {
  Unpacker from(bytes);
  CaseReply reply;
  reply.row.first = static_cast<Collective>(from.number());
  reply.row.second = from.text();
  reply.end.ranks = static_cast<int>(from.number());
  reply.end.fault_kind = from.text();
  reply.end.fault_end = static_cast<FaultEnd>(from.number());
  const bool has_failed = from.number() != 0;
  Failure failure;
  failure.kind = static_cast<CheckError::Kind>(from.number());
  failure.explanation = from.text();
  failure.facts = failure_from_json(Json::parse(from.text())).facts;
  if (has_failed) reply.end.failure = std::move(failure);
  reply.end.length.ranks = static_cast<int>(from.number());
  reply.end.length.count = static_cast<std::int64_t>(from.number());
  reply.end.length.slices = from.number();
  reply.end.length.seconds = std::chrono::duration<double>(std::bit_cast<double>(from.number()));
  reply.text = from.text();
  reply.error = from.text();
  reply.is_refusal = from.number() != 0;
  return reply;
}

}  // namespace heddle
