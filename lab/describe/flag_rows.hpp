// SPDX-License-Identifier: Apache-2.0
// What the rows of the table of flags share (lab/describe/flag_table.hpp), and the groups of rows.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/read_number.hpp"
#include "heddle/units.hpp"
#include "lab/describe/flag_table.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/tier_values.hpp"

namespace heddle::flag_rows {

using E = Experiment;
using Json = nlohmann::ordered_json;
using Value = std::string_view;
using Texts = std::vector<std::string>;  ///< none: as usual, the flag is left out
using Takes = ExperimentFlag::Takes;
using Flags = std::vector<ExperimentFlag>;

inline constexpr std::int64_t kMostInt = std::numeric_limits<std::int32_t>::max();

// Values as texts, which parse back to them.

inline std::string as_text(const std::string& value) { return value; }
inline std::string as_text(double value) { return fmt::format("{}", value); }
template <class Integer>
requires std::is_integral_v<Integer> std::string as_text(Integer value) { return std::to_string(value); }
inline std::string as_text(Bytes value) { return std::to_string(value.count()); }
inline std::string as_text(Threads threads) { return threads == Threads::user ? "user" : "kernel"; }
inline std::string as_text(DataValues values) {
  return values == DataValues::usual ? "usual" : values == DataValues::special ? "special" : "runs";
}
template <class T>
requires requires(const T& value) { to_string(value); }
std::string as_text(const T& value) { return to_string(value); }
template <class T>
std::string as_text(const std::optional<T>& value) {
  return as_text(*value);
}
template <class T>
std::string as_text(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ",") + as_text(value);
  return text;
}

template <class T>
std::string as_text(const TierValues<T>& tiers) {
  if (!tiers.by_dimension) return as_text(tiers.values);
  std::string text;
  for (std::size_t d = 0; d < tiers.values.size(); ++d)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", dimension_name(d), as_text(tiers.values[d]));
  return text;
}

template <class T>
Texts if_differs(const T& value, const T& usual) {
  if (value == usual) return {};
  return {as_text(value)};
}

// Parsers of values.

/// A text is read where the rest of the experiment is known.
inline std::string as_is(Value text) { return std::string(text); }

template <class Integer>
auto integer(std::int64_t least, std::int64_t most = kMostInt) {
  return [=](Value text) { return static_cast<Integer>(parse_integer(text, least, most)); };
}

/// Numbers out of the fabric's range are refused where the fabric is known.
inline int read_int(Value text, std::int64_t least) {
  const auto value = read_number<std::int32_t>(text);
  return value ? *value : integer<int>(least)(text);
}

// What a row's value is.

/// A new one. It is asked for by every flag of every text.
inline const E& usual_experiment() {
  static const E kUsual;
  return kUsual;
}

/// What an experiment has of an owner of members.
template <class Owner, class Whole>
auto& part_of(Whole& experiment) {
  if constexpr (std::is_same_v<Owner, FabricSpec>)
    return experiment.fabric;
  else if constexpr (std::is_same_v<Owner, ClockChoice>)
    return experiment.clock;
  else
    return experiment;
}

/// A member that parse() reads; as usual while it is as in a new experiment. `unit` stands behind its text.
template <class Owner, class T, class Parse>
FlagValue member(T Owner::*member, Parse parse, std::string_view unit = "") {
  return {[=](E& e, Value text) { part_of<Owner>(e).*member = parse(text); },
          [=](const E& e) {
            Texts texts = if_differs(part_of<Owner>(e).*member, part_of<Owner>(usual_experiment()).*member);
            for (std::string& text : texts) text += unit;
            return texts;
          }};
}

/// One more text each time.
inline FlagValue texts_member(Texts E::*texts) {
  return {[=](E& e, Value value) { (e.*texts).emplace_back(value); }, [=](const E& e) { return e.*texts; }};
}

inline Json null_if_empty(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

// Each group's rows, in the order of help.

Flags fabric_rows();
Flags call_rows();
Flags rank_rows();
Flags order_rows();
Flags clock_rows();
Flags fault_rows();
Flags data_rows();
Flags nccl_rows();

}  // namespace heddle::flag_rows
