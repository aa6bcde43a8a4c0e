// SPDX-License-Identifier: Apache-2.0
// What a user may set of an algorithm: "chain:segments=8", "circulant:skips=sqrt".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

struct Parameter {
  std::string_view name;           ///< "segments"
  std::string_view default_value;  ///< "optimal"
  std::string_view meaning;        ///< what it sets and what it may be
  /// Other values that the tests run, beside the default.
  std::vector<std::string_view> examples = {};
};

/// The values of an algorithm's parameters. A value.
class Options {
 public:
  /// All defaults.
  explicit Options(std::span<const Parameter> parameters);
  /// `text` is "name=value[:name=value…]" or empty; a comma does for a colon. Throws InputError with the nearest name.
  Options(std::span<const Parameter> parameters, std::string_view text);

  const std::string& text(std::string_view name) const;
  /// Throws InputError unless the value is a whole number in least … most.
  std::int64_t number(std::string_view name, std::int64_t least, std::int64_t most) const;
  /// "segments=8", with a colon in front of each: what differs from the defaults, as it stands in an algorithm's name.
  std::string suffix() const;

 private:
  struct Value {
    std::string name;
    std::string text;
    bool is_default;
  };
  const Value& find(std::string_view name) const;

  std::vector<Value> values_;
};

}  // namespace heddle
