// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Lines whose columns stand below each other. Rows can be printed as they come: widths are fixed by then.
class Table {
 public:
  enum class Align { left, right };

  struct Column {
    std::string title;
    std::string unit;  ///< below the title; may be empty
    Align align = Align::right;
    std::size_t width = 0;  ///< at least; never less than title and unit
  };

  explicit Table(std::vector<Column> columns);

  /// Makes a column wide enough for this cell.
  void fit(std::size_t column, std::string_view cell);

  // Lines without trailing blanks and without a line feed.
  std::string titles() const;
  std::string units() const;
  /// A row may be shorter than the table. A cell that is too long shifts the rest of its row.
  std::string row(std::span<const std::string> cells) const;

 private:
  std::vector<Column> columns_;
};

}  // namespace heddle
