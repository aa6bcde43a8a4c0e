// SPDX-License-Identifier: Apache-2.0
// Tables in letters, and comments between them that begin with #, within so many columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Lines whose columns stand below each other. Rows can be printed as they come: widths are fixed by then.
class Table {
 public:
  enum class Align { left, right };

  static constexpr std::size_t kAnyWidth = std::numeric_limits<std::size_t>::max();

  struct Column {
    static constexpr int kNeeded = 0;

    std::string title;
    std::string unit;  ///< below the title; may be empty
    Align align = Align::right;
    std::size_t width = 0;                       ///< at least; never less than title and unit
    int spared = kNeeded;                        ///< where room is short, the column with the largest number goes first
    std::size_t shrinks_to = std::string::npos;  ///< where room is short; longer cells then stand out
    bool shown = true;
  };

  explicit Table(std::vector<Column> columns);

  /// Makes a column wide enough for this cell.
  void fit(std::size_t column, std::string_view cell);

  void leave_out(std::size_t column);
  /// Of the columns that are shown, with the gaps between them.
  std::size_t width() const;
  /// Makes lines of at most so many letters: columns that may are narrowed, those that can be spared are left out, and what
  /// room is left then goes to the narrowed ones. Returns the titles of those left out. What is needed stays, be it too wide.
  std::vector<std::string> fit_into(std::size_t columns);

  // Lines without trailing blanks and without a line feed.
  std::string titles() const;
  std::string units() const;
  /// A cell for each column, left out or not; a row may be shorter than the table. A cell that is too long takes the blanks of
  /// the cells behind it, and shifts the rest of its row where these are too few.
  std::string row(std::span<const std::string> cells) const;

 private:
  std::vector<Column> columns_;
};

/// "# not shown: peak, cont. (--wide)", a line of its own; empty where nothing is left out.
std::string left_out_text(const std::vector<std::string>& titles);

// Lines about a run, which begin with #, within so many columns.

/// "1 rank", "3 ranks", "2 switches".
std::string counted(std::int64_t count, std::string_view noun, std::string_view ending = "s");

/// Letters, not bytes: formulas are written with ⌈ and ₂.
std::size_t letters(std::string_view text);

/// Breaks each line that is longer than `columns` letters, at a blank, or behind a comma, a semicolon or a plus where a list
/// has no blanks. What goes on is a comment too, indented by two more than the line. A word that is longer by itself stays
/// whole.
std::string break_comments(std::string_view lines, std::size_t columns);

}  // namespace heddle
