// SPDX-License-Identifier: Apache-2.0
// What docs/claims/<source>.json says of a source, and the functions that it names.
//
// A text is a string, or an array of strings that a space separates. A claim has `name`, `section`, `statement`, `check`, and may
// have `full`, `figure`, `reasons` and `for_authors` (`place`, `title`, `text`; claim.hpp). `check` is one check or an array of checks. A check is the name of
// a function, or an object: its first member is the function's name with the rows, the others are what all rows share. A row is an
// array; the function says what its fields are. `figure` is an object: `shows`, `chart` (the name of a function) and what that reads.
//
// A reason says what a finding is if the values differ. A text alone is for a run that shows otherwise. Else it is an object: `why`,
// and `refuted` or `contradiction` with the words of the source, or `assumed` with what is measured then; or `untested` with the
// reason. "@name" is one of the claim's `reasons`, else of the source's.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "claims/claim.hpp"

namespace heddle::claims {

/// Values, or those from an iterator to another, with what separates them: "1, 2, 4".
template <class... Joined>
std::string joined(const Joined&... values) {
  return fmt::format("{}", fmt::join(values...));
}

/// A value as a source prints it: "18.8" has one decimal, "2.23e3" is rounded to tens. [1977.75, 1] has fewer than its number.
struct Printed {
  double value;
  int decimals;
};

Finding compare(std::string subject, Printed printed, double measured, std::string unit, double tolerance, std::string command,
                Unless unless = {});

/// A check, a row of it or a figure. Refers to the file that it was read from. A member that is not there takes the fallback, or
/// throws std::exception if it has none. A row has its fields by number and what the rows share by name.
class ClaimData {
 public:
  using Json = nlohmann::ordered_json;
  using Field = std::variant<int, const char*>;

  /// `shared`: the check of a row, else what `json` itself is.
  ClaimData(const Json& json, const Json& shared, const Json& claim, const Json& source)
      : json_(&json), shared_(&shared), claim_(&claim), source_(&source) {}

  bool has(Field field) const { return find(field) != nullptr; }
  std::string text(Field field) const;
  std::string text(Field field, const char* fallback) const { return has(field) ? text(field) : fallback; }
  double number(Field field) const;
  double number(Field field, double fallback) const { return has(field) ? number(field) : fallback; }
  int integer(Field field) const;
  bool is(const char* name) const { return has(name) && integer(name) != 0; }
  Printed printed(Field field) const;
  Printed printed_in(Field array, int index) const;
  std::vector<std::string> texts(Field field) const;
  /// The elements of an array that this check or row has.
  std::vector<ClaimData> parts(Field field) const;
  /// The rows of this check.
  std::vector<ClaimData> rows() const;

  /// Arguments of `heddle run`: the field with the check's `with` in the place of its "…", behind it if it has none.
  std::string run(Field field) const;

  /// The reason in a row; none if the row has none.
  Unless unless(Field field) const;
  /// One of the reasons of the claim or its source, with these values in its places ("{:.2f} us").
  template <class... Values>
  Unless reason(std::string_view name, const Values&... values) const {
    Unless unless = named_reason(name);
    if constexpr (sizeof...(Values) > 0)
      for (std::string* text : {&unless.why, &unless.quote, &unless.otherwise})
        *text = fmt::vformat(*text, fmt::make_format_args(values...));
    return unless;
  }

 private:
  const Json* find(Field field) const;
  const Json& get(Field field) const;
  Unless named_reason(std::string_view name) const;
  Unless reason_of(const Json& json) const;

  const Json* json_;
  const Json* shared_;
  const Json* claim_;
  const Json* source_;
};

/// What a check finds, one after the other; the functions are those of claim.hpp.
class Findings : public std::vector<Finding> {
 public:
  using vector::vector;

  template <class... Compared>
  void exactly(Compared&&... compared) {
    push_back(compare_exactly(std::forward<Compared>(compared)...));
  }
  template <class... Compared>
  void words(Compared&&... compared) {
    push_back(compare_words(std::forward<Compared>(compared)...));
  }
  template <class... Compared>
  void value(Compared&&... compared) {
    push_back(compare(std::forward<Compared>(compared)...));
  }
  /// Words that are the same where it holds.
  void same(std::string subject, const std::string& printed, const std::string& measured, std::string command = {},
            Unless unless = {}) {
    words(std::move(subject), printed, measured, printed == measured, std::move(command), std::move(unless));
  }
};

/// Functions by the names that the files call them by. Rows are asked side by side, each for its finding; a check as a whole adds
/// findings.
struct Vocabulary {
  std::map<std::string_view, Finding (*)(Lab&, const ClaimData& row)> rows = {};
  std::map<std::string_view, void (*)(Lab&, const ClaimData&, Findings&)> checks = {};
  std::map<std::string_view, pictures::Chart (*)(Lab&, const ClaimData&)> charts = {};
};

/// What rows of several sources are compared with (compared_rows.cpp).
Vocabulary row_vocabulary();
// What is computed for claims of one source (claims/sources).
Vocabulary traeff_vocabulary();
Vocabulary trivance_pattern_vocabulary();
Vocabulary trivance_table_vocabulary();
Vocabulary trivance_figure_vocabulary();
Vocabulary swing_pattern_vocabulary();
Vocabulary swing_deficiency_vocabulary();
Vocabulary swing_figure_vocabulary();
Vocabulary bine_tree_vocabulary();
Vocabulary bine_traffic_vocabulary();
Vocabulary bine_butterfly_vocabulary();
Vocabulary bine_size_vocabulary();
Vocabulary explainer_vocabulary();

/// A source as such a file says it.
Source read_source(std::string_view name, std::string_view text);

}  // namespace heddle::claims
