// SPDX-License-Identifier: Apache-2.0
#include "heddle/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

/// The text before the first of the separators; `text` keeps what is behind it.
std::string_view split_off(std::string_view& text, std::string_view separators) {
  const std::size_t end = text.find_first_of(separators);
  const std::string_view first = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return first;
}

}  // namespace

Candidates candidates_anywhere(std::vector<std::string> values) {
  return [values = std::move(values)](const Shape&) { return values; };
}

Options::Options(std::span<const Parameter> parameters) {
  for (const Parameter& parameter : parameters)
    values_.push_back({std::string(parameter.name), std::string(parameter.default_value), true});
}

Options::Options(std::span<const Parameter> parameters, std::string_view text) : Options(parameters) {
  std::vector<std::string_view> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  std::vector<bool> given(values_.size());
  while (!text.empty()) {
    std::string_view value = split_off(text, ":,");
    const std::string_view name = split_off(value, "=");
    const auto found = std::find_if(values_.begin(), values_.end(), [&](const Value& v) { return v.name == name; });
    if (found == values_.end()) throw InputError(unknown_name_message("option", name, names));
    if (value.empty()) throw InputError(fmt::format("option '{}' needs a value: {}=…", name, name));
    const auto number = static_cast<std::size_t>(found - values_.begin());
    if (given[number]) throw InputError(fmt::format("option '{}' is given twice", name));
    given[number] = true;
    found->is_default = value == parameters[number].default_value;
    found->text = value;
  }
}

const Options::Value& Options::find(std::string_view name) const {
  for (const Value& value : values_) {
    if (value.name == name) return value;
  }
  throw std::logic_error(fmt::format("an algorithm asks for its option '{}', which it does not declare", name));
}

const std::string& Options::text(std::string_view name) const { return find(name).text; }

std::int64_t Options::number(std::string_view name, std::int64_t least, std::int64_t most) const {
  const std::string& text = find(name).text;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    throw InputError(fmt::format("option {}={}: a whole number from {} to {} is needed", name, text, least, most));
  return value;
}

std::string Options::suffix() const {
  std::string suffix;
  for (const Value& value : values_) {
    if (!value.is_default) suffix += fmt::format(":{}={}", value.name, value.text);
  }
  return suffix;
}

}  // namespace heddle
