// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

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
  visit.always("note", reply.end.note);
  visit.always("text", reply.text);
  visit.always("error", reply.error);
  visit.always("is_refusal", reply.is_refusal);
}

namespace {

using Json = nlohmann::ordered_json;

/// Members one behind the other, without their names: both ends are one program. JSON would take a thirtieth of a case.
class Packer {
 public:
  template <class T>
  void always(const char* /*key*/, const T& member) const {
    put(member);
  }

  std::string& bytes;

 private:
  template <class T>
  void put(const T& value) const {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    else
      visit_members(value, *this);
  }
  void put(const std::string& text) const {
    put(static_cast<std::uint32_t>(text.size()));
    bytes += text;
  }
  /// Rare, and of many members. CBOR takes every text as it is: what a program has thrown need not be UTF-8.
  void put(const Failure& failure) const {
    std::string cbor;
    Json::to_cbor(failure, cbor);
    put(cbor);
  }
  template <class T>
  void put(const std::optional<T>& value) const {
    put(value.has_value());
    if (value) put(*value);
  }
};

/// Throws InputError for less than there should be.
class Unpacker {
 public:
  template <class T>
  void always(const char* /*key*/, T& member) const {
    get(member);
  }

  std::string_view& bytes;

 private:
  std::string_view next(std::size_t count) const {
    if (bytes.size() < count) throw InputError("no message between processes: it is too short");
    const std::string_view taken = bytes.substr(0, count);
    bytes.remove_prefix(count);
    return taken;
  }
  template <class T>
  void get(T& value) const {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      std::memcpy(&value, next(sizeof value).data(), sizeof value);
    else
      visit_members(value, *this);
  }
  void get(bool& value) const { value = next(1).front() != 0; }
  void get(std::string& text) const {
    std::uint32_t length = 0;
    get(length);
    text = next(length);
  }
  void get(Failure& failure) const {
    std::string cbor;
    get(cbor);
    failure = Json::from_cbor(cbor).get<Failure>();
  }
  template <class T>
  void get(std::optional<T>& value) const {
    bool has_value = false;
    get(has_value);
    if (has_value) get(value.emplace());
  }
};

template <class Message>
std::string packed(const Message& message) {
  std::string bytes;
  visit_members(message, Packer{bytes});
  return bytes;
}

template <class Message>
Message unpacked(std::string_view bytes) {
  Message message;
  try {
    visit_members(message, Unpacker{bytes});
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("no message between processes: {}", error.what()));
  }
  if (!bytes.empty()) throw InputError("no message between processes: it is too long");
  return message;
}

}  // namespace

void CaseReply::require_no_error(std::string_view before) const {
  if (error.empty()) return;
  const std::string words = std::string(before) + error;
  if (is_refusal) throw ResourceError(words);
  throw InputError(words);
}

std::string pack(const CaseRequest& request) { return packed(request); }

CaseRequest unpack_request(std::string_view bytes) { return unpacked<CaseRequest>(bytes); }

std::string pack(const CaseReply& reply) { return packed(reply); }

CaseReply unpack_reply(std::string_view bytes) { return unpacked<CaseReply>(bytes); }

}  // namespace heddle
