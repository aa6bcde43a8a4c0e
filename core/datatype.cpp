// SPDX-License-Identifier: Apache-2.0
#include "heddle/datatype.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/nearest_name.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

constexpr std::string_view kOpaque = "bytes";

/// "bytes12"; no value: it is no such name.
std::optional<Datatype> parse_opaque(std::string_view text) {
  if (!text.starts_with(kOpaque)) return std::nullopt;
  const auto size = read_number<std::uint32_t>(text.substr(kOpaque.size()));
  if (!size) return std::nullopt;
  if (*size == 0 || *size > Datatype::kMostBytes)
    throw InputError(fmt::format("'{}': elements have 1 to {} bytes", text, Datatype::kMostBytes));
  return Datatype::user(*size);
}

}  // namespace

std::string to_string(Datatype type) {
  return visit_element_type(
      type, []<class T>(std::type_identity<T>) { return std::string(kElementFacts<T>.name); },
      [type] { return std::string(kOpaque) + std::to_string(type.size()); });
}

const std::vector<Datatype>& builtin_datatypes() {
  static const std::vector<Datatype> all = [] {
    std::vector<Datatype> types;
    for_each_element_type([&types]<class T>(std::type_identity<T>) { types.push_back(kElementFacts<T>.type); });
    return types;
  }();
  return all;
}

Datatype parse_datatype(std::string_view text) {
  std::vector<std::string_view> names;
  std::vector<std::string_view> nccl_names;
  for_each_element_type([&]<class T>(std::type_identity<T>) {
    names.push_back(kElementFacts<T>.name);
    nccl_names.push_back(kElementFacts<T>.nccl_name);
  });
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text == names[i] || text == nccl_names[i]) return builtin_datatypes()[i];
  }
  if (const std::optional<Datatype> opaque = parse_opaque(text)) return *opaque;
  names.insert(names.end(), nccl_names.begin(), nccl_names.end());
  throw InputError(unknown_name_message("datatype", text, names));
}

}  // namespace heddle
