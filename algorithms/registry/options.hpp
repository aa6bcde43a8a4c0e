// SPDX-License-Identifier: Apache-2.0
// What a user may set of an algorithm: "chain:segments=8", "circulant:skips=sqrt".
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

struct Shape;

/// Values of a parameter that are worth trying on a shape, the most promising first. The default may be among them.
using Candidates = std::function<std::vector<std::string>(const Shape&)>;

/// The same ones on every shape.
Candidates candidates_anywhere(std::vector<std::string> values);

struct Parameter {
  std::string_view name;           ///< "segments"
  std::string_view default_value;  ///< "optimal"
  std::string_view meaning;        ///< what it sets and what it may be
  /// Other values that the tests run, beside the default.
  std::vector<std::string_view> examples = {};
  /// What tuning tries (lab/describe/variants.hpp). nullptr: it leaves the parameter as it is.
  Candidates candidates = nullptr;
};

/// The values of an algorithm's parameters. A value.
class Options {
 public:
  /// All defaults.
  explicit Options(std::span<const Parameter> parameters);
  /// `text` is "name=value[:name=value…]" or empty; a comma does for a colon. Throws InputError with the nearest name.
  Options(std::span<const Parameter> parameters, std::string_view text);

  const std::string& text(std::string_view name) const;
  bool is_default(std::string_view name) const { return find(name).is_default; }
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
