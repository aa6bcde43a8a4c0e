// SPDX-License-Identifier: Apache-2.0
#include "topo/spec/spec_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"

namespace heddle {

SpecFields::SpecFields(std::string_view whole, std::string_view arguments, std::string_view example)
    : whole_(whole), example_(example) {
  constexpr std::size_t kUsual = 12;
  asked_.reserve(kUsual);
  for (std::string_view rest = arguments; !arguments.empty();) {
    const std::size_t comma = rest.find(',');
    const std::string_view field = rest.substr(0, comma);
    const std::size_t equals = field.find('=');
    const std::string_view name = field.substr(0, equals);
    if (name.empty()) refuse(field.empty() ? "a field is empty" : fmt::format("'{}' has no name", field));
    const bool is_number = std::ranges::all_of(field, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (is_number && !fields_.empty()) refuse(fmt::format("'{}' after a comma: sizes of dimensions are joined by x", field));
    const bool is_new = std::none_of(fields_.begin(), fields_.end(), [name](const Field& f) { return f.name == name; });
    if (!is_new) refuse(fmt::format("'{}' is given twice", name));
    const bool has_value = equals != std::string_view::npos;
    fields_.push_back({name, has_value ? field.substr(equals + 1) : std::string_view(), has_value});
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
}

std::string_view SpecFields::bare() {
  if (fields_.empty() || fields_.front().has_value) return {};
  fields_.front().known = true;
  return fields_.front().name;
}

std::optional<std::string_view> SpecFields::text(std::string_view name) {
  asked_.emplace_back(name);
  const auto field = std::find_if(fields_.begin(), fields_.end(), [name](const Field& f) { return f.name == name; });
  if (field == fields_.end()) return std::nullopt;
  field->known = true;
  return field->value;
}

std::optional<std::int64_t> SpecFields::number(std::string_view name) {
  const std::optional<std::string_view> value = text(name);
  if (!value) return std::nullopt;
  if (value->empty()) refuse(fmt::format("'{}' needs a number, as in {}=4", name, name));
  return size(*value);
}

std::int64_t SpecFields::size(std::string_view text) const {
  if (text.empty()) refuse("a size is missing");
  std::int64_t size = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, size);
  if (error == std::errc::result_out_of_range) refuse(fmt::format("size '{}' is too large", text));
  if (error != std::errc() || stop != end) refuse(fmt::format("size '{}' is not a whole number", text));
  if (size < 1) refuse(fmt::format("size '{}' is less than 1", text));
  return size;
}

std::vector<std::int64_t> SpecFields::sizes(std::string_view text) const {
  std::vector<std::int64_t> sizes;
  for (std::string_view rest = text;;) {
    const std::size_t x = rest.find('x');
    sizes.push_back(size(rest.substr(0, x)));
    if (x == std::string_view::npos) return sizes;
    rest.remove_prefix(x + 1);
  }
}

void SpecFields::require_all_known() const {
  const auto unknown = std::find_if(fields_.begin(), fields_.end(), [](const Field& field) { return !field.known; });
  if (unknown == fields_.end()) return;
  const std::vector<std::string_view> names(asked_.begin(), asked_.end());
  refuse(unknown_name_message("field", unknown->name, names));
}

void SpecFields::refuse(std::string_view reason) const {
  throw InputError(fmt::format("topology '{}': {}; try {}", whole_, reason, example_));
}

}  // namespace heddle
