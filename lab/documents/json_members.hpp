// SPDX-License-Identifier: Apache-2.0
// Values that become JSON and come back. A type lists its members once, beside it, for whoever writes and whoever reads:
//
//   template <IsA<Measurement> Of, class Visit>
//   void visit_members(Of& of, const Visit& visit) {
//     visit.always("time_s", of.time);
//     visit.if_any("missing", of.missing);
//     visit.derived("late", [&] { return of.missing.size(); });
//   }
//
// Readers throw what nlohmann throws for what is no such object, and InputError for a time that there is not.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "emu/record/critical_path.hpp"
#include "heddle/units.hpp"
#include "lab/documents/context.hpp"

namespace heddle {

/// The object outlives it.
class MemberWriter {
 public:
  explicit MemberWriter(nlohmann::ordered_json& object) : object_(object) {}

  template <class T>
  void always(const char* key, const T& member) const {
    object_[key] = member;
  }
  /// No value is null.
  template <class T>
  void always(const char* key, const std::optional<T>& member) const {
    object_[key] = member ? nlohmann::ordered_json(*member) : nlohmann::ordered_json(nullptr);
  }
  /// Left out where it is as in a new value.
  template <class T>
  void if_any(const char* key, const T& member) const {
    if constexpr (requires { member.empty(); }) {
      if (!member.empty()) always(key, member);
    } else if (member != T()) {
      always(key, member);
    }
  }
  /// Not read back.
  template <class Value>
  void derived(const char* key, const Value& value) const {
    object_[key] = value();
  }

 private:
  nlohmann::ordered_json& object_;
};

/// The object outlives it.
class MemberReader {
 public:
  explicit MemberReader(const nlohmann::ordered_json& object) : object_(object) {}

  template <class T>
  void always(const char* key, T& member) const {
    member = object_.at(key).template get<T>();
  }
  template <class T>
  void always(const char* key, std::optional<T>& member) const {
    if (const auto& value = object_.at(key); !value.is_null()) member = value.template get<T>();
  }
  template <class T>
  void if_any(const char* key, T& member) const {
    if (object_.contains(key)) always(key, member);
  }
  template <class Value>
  void derived(const char* /*key*/, const Value& /*value*/) const {}

 private:
  const nlohmann::ordered_json& object_;
};

// How nlohmann's JSON takes and gives heddle's values.

inline void to_json(nlohmann::ordered_json& json, Time time) { json = seconds_for_json(time); }
inline void from_json(const nlohmann::ordered_json& json, Time& time) { time = time_from_json(json.get<double>()); }
inline void to_json(nlohmann::ordered_json& json, Bytes bytes) { json = bytes.count(); }
inline void from_json(const nlohmann::ordered_json& json, Bytes& bytes) { bytes = Bytes(json.get<std::int64_t>()); }

template <class T>
concept HasMembers = requires(const T& value, const MemberWriter& writer) {
  visit_members(value, writer);
};

template <HasMembers T>
void to_json(nlohmann::ordered_json& json, const T& value) {
  json = nlohmann::ordered_json::object();
  visit_members(value, MemberWriter(json));
}
template <HasMembers T>
void from_json(const nlohmann::ordered_json& json, T& value) {
  visit_members(value, MemberReader(json));
}

/// Who reads has what can be changed, who writes what cannot.
template <class Of, class T>
concept IsA = std::is_same_v<std::remove_const_t<Of>, T>;

template <IsA<PathParts> Parts, class Visit>
void visit_members(Parts& parts, const Visit& visit) {
  for (const auto& [name, part] : path_parts()) visit.always(name, parts.*part);
}

}  // namespace heddle
