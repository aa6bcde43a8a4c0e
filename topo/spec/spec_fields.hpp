// SPDX-License-Identifier: Apache-2.0
// A topology's text taken apart: "clos:hosts=16,leaves=8" is a family and its fields; "star:72,alu" has a bare one in front.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

class SpecFields {
 public:
  /// `whole` and `example` outlive the fields; `arguments` is the part of `whole` behind the colon. Throws InputError for an
  /// empty field or a name given twice.
  SpecFields(std::string_view whole, std::string_view arguments, std::string_view example);

  std::string_view whole() const { return whole_; }

  // Each of these marks the field as known.

  /// The first field if it has no "=" ("8x8", "72"), else empty.
  std::string_view bare();
  /// The value of name=value; no value where the field is not there. A field that is a mere name has the value "".
  std::optional<std::string_view> text(std::string_view name);
  /// As a whole number ≥ 1. Throws InputError.
  std::optional<std::int64_t> number(std::string_view name);

  /// "8x8x4", as numbers ≥ 1. Throws InputError.
  std::vector<std::int64_t> sizes(std::string_view text) const;
  /// Throws InputError unless every field has been asked for; an unknown one gets the nearest of the names asked for.
  void require_all_known() const;

  /// Throws InputError "topology 'WHOLE': REASON; try EXAMPLE".
  [[noreturn]] void refuse(std::string_view reason) const;

 private:
  struct Field {
    std::string_view name;
    std::string_view value;
    bool has_value = false;
    bool known = false;
  };

  std::int64_t size(std::string_view text) const;

  std::string_view whole_;
  std::string_view example_;
  std::vector<Field> fields_;
  std::vector<std::string> asked_;
};

}  // namespace heddle
