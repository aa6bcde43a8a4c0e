// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>

#include "core/printable.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

bool serves(const Algorithm& algorithm, std::span<const Shape> shapes, const ReduceOp& op) {
  return std::ranges::all_of(shapes, [&](const Shape& shape) { return why_not(algorithm, shape, op).empty(); });
}

/// The combinations of one row, by place.
class Combinations {
 public:
  Combinations(const Algorithm& row, std::span<const Shape> shapes, const ReduceOp& op, int budget)
      : row_(row), shapes_(shapes), op_(op), given_(own_options(row)) {
    if (row.configured == nullptr) return;
    for (const Parameter& parameter : row.parameters) add_option(parameter);
    // More than the budget, as some may not serve.
    constexpr std::int64_t kSpare = 4;
    std::vector<std::size_t> values(options_.size());
    append(values, 0, 1, kSpare * budget);
    std::ranges::stable_sort(order_, {}, &Combination::place);
  }

  /// All of them, the row as named among them.
  std::int64_t count() const {
    std::int64_t product = 1;
    for (const Option& option : options_) {
      const auto values = static_cast<std::int64_t>(option.values.size()) + 1;
      if (product > std::numeric_limits<std::int64_t>::max() / values) return std::numeric_limits<std::int64_t>::max();
      product *= values;
    }
    return product;
  }
  /// That next() has found not to serve.
  int unfit() const { return unfit_; }

  /// The next one that serves, never the row as named; no value: there is none left.
  std::optional<Algorithm> next() {
    while (next_ < order_.size()) {
      Algorithm variant = make(order_[next_++].values);
      if (serves(variant, shapes_, op_)) return variant;
      ++unfit_;
    }
    return std::nullopt;
  }

 private:
  struct Option {
    std::string_view name;
    std::vector<std::string> values;  ///< besides the row's own
  };
  struct Combination {
    std::int64_t place;
    std::vector<std::size_t> values;  ///< by option; 0: the row's own, i: values[i - 1]
  };

  static Options own_options(const Algorithm& row) {
    const std::string_view bare = bare_name(row.name);
    if (bare.size() == row.name.size() || row.configured == nullptr) return Options(row.parameters);
    return {row.parameters, std::string_view(row.name).substr(bare.size() + 1)};
  }

  /// With the values that serve where nothing else is changed.
  void add_option(const Parameter& parameter) {
    if (parameter.candidates == nullptr || !given_.is_default(parameter.name)) return;
    Option option{parameter.name, {}};
    for (const Shape& shape : shapes_) {
      for (std::string& value : parameter.candidates(shape)) {
        const bool is_known =
            value == parameter.default_value || std::ranges::find(option.values, value) != option.values.end();
        if (!is_known && serves(changed({{parameter.name, value}}), shapes_, op_)) option.values.push_back(std::move(value));
      }
    }
    if (!option.values.empty()) options_.push_back(std::move(option));
  }

  /// Those whose place is at most `most`, but for the row as named; `values` are chosen of the first options.
  void append(std::vector<std::size_t>& values, std::size_t option, std::int64_t place, std::int64_t most) {
    if (option == options_.size()) {
      if (place > 1) order_.push_back({place, values});
      return;
    }
    for (std::size_t value = 0; value <= options_[option].values.size(); ++value) {
      const std::int64_t of_value = place * (static_cast<std::int64_t>(value) + 1);
      if (of_value > most) break;
      values[option] = value;
      append(values, option + 1, of_value, most);
    }
    values[option] = 0;
  }

  Algorithm make(const std::vector<std::size_t>& values) const {
    std::vector<std::pair<std::string_view, std::string_view>> changes;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] > 0) changes.emplace_back(options_[i].name, options_[i].values[values[i] - 1]);
    return changed(changes);
  }

  Algorithm changed(const std::vector<std::pair<std::string_view, std::string_view>>& changes) const {
    std::string text = given_.suffix();
    for (const auto& [name, value] : changes) text += fmt::format(":{}={}", name, value);
    try {
      return with_options(row_, Options(row_.parameters, std::string_view(text).substr(1)));
    } catch (const InputError& error) {
      throw InputError(fmt::format("tuning {}: its candidate {}: {}", row_.name, text.substr(1), error.what()));
    }
  }

  const Algorithm& row_;
  std::span<const Shape> shapes_;
  const ReduceOp& op_;
  Options given_;
  std::vector<Option> options_;  ///< that have something to try
  std::vector<Combination> order_;
  std::size_t next_ = 0;
  int unfit_ = 0;
};

}  // namespace

VariantCount& VariantCount::operator+=(const VariantCount& other) {
  points += other.points;
  rows += other.rows;
  combinations += other.combinations;
  tried += other.tried;
  unfit += other.unfit;
  for (const auto& [row, more] : other.left_out) {
    const auto known = std::ranges::find(left_out, row, [](const auto& left) { return left.first; });
    if (known == left_out.end())
      left_out.emplace_back(row, more);
    else
      known->second += more;
  }
  return *this;
}

Variants variants_of(std::span<const Algorithm> rows, std::span<const Shape> shapes, const ReduceOp& op, const Tuning& tuning) {
  std::vector<Combinations> combinations;
  std::vector<std::vector<Algorithm>> tried;
  std::set<std::string> names;
  combinations.reserve(rows.size());
  for (const Algorithm& row : rows) {
    combinations.emplace_back(row, shapes, op, tuning.budget);
    tried.push_back({row});
    names.insert(row.name);
  }
  int left = tuning.budget - static_cast<int>(rows.size());
  std::vector<std::int64_t> repeated(rows.size());  // what a row of the same name, with options, has among its own
  for (bool has_more = true; has_more && left > 0;) {
    has_more = false;
    for (std::size_t i = 0; i < rows.size() && left > 0; ++i) {
      std::optional<Algorithm> variant = combinations[i].next();
      if (!variant) continue;
      has_more = true;
      if (!names.insert(variant->name).second) {
        ++repeated[i];
        continue;
      }
      tried[i].push_back(std::move(*variant));
      --left;
    }
  }

  Variants variants;
  VariantCount& count = variants.count;
  count.points = 1;
  count.rows = static_cast<int>(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto of_row = static_cast<int>(tried[i].size());
    const std::int64_t all = combinations[i].count() - repeated[i];
    count.combinations += all;
    count.tried += of_row;
    count.unfit += combinations[i].unfit();
    if (const std::int64_t rest = all - of_row - combinations[i].unfit(); rest > 0)
      count.left_out.emplace_back(rows[i].name, rest);
    std::ranges::move(tried[i], std::back_inserter(variants.algorithms));
  }
  return variants;
}

std::string tuning_text(const VariantCount& count, const Tuning& tuning) {
  std::string text = count.points == 1 ? "tuning: " : fmt::format("tuning at {}: ", counted(count.points, "point"));
  text += fmt::format("{}, {} of options; {} tried", counted(count.rows, "row"), counted(count.combinations, "combination"),
                      count.tried == 1 ? "1 is" : fmt::format("{} are", count.tried));
  if (count.unfit > 0) text += fmt::format(", {} {} not serve", count.unfit, count.unfit == 1 ? "does" : "do");
  if (count.left_out.empty()) return text;
  std::int64_t all = 0;
  std::string rows;
  for (const auto& [row, number] : count.left_out) {
    all += number;
    rows += fmt::format("{}{} {}", rows.empty() ? "" : ", ", row, number);
  }
  return text + fmt::format(", {} left out by --tune-budget {} ({})", all, tuning.budget, rows);
}

}  // namespace heddle
