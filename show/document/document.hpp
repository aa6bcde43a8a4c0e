// SPDX-License-Identifier: Apache-2.0
// A report as a value, and its writers: a table and Markdown for people, JSON and CSV for programs. The HTML writer is a page
// (page_of in show/page/page.hpp): its data is the JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/units.hpp"
#include "show/document/output_file.hpp"

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

/// Letters, not bytes: formulas are written with ⌈ and ₂.
std::size_t letters(std::string_view text);

/// Breaks each line that is longer than `columns` letters, at a blank, or behind a comma, a semicolon or a plus where a list
/// has no blanks. What goes on is a comment too, indented by two more than the line. A word that is longer by itself stays
/// whole.
std::string break_comments(std::string_view lines, std::size_t columns);

/// What stands before a table's lines.
struct TableMargins {
  std::string_view titles = "#";
  std::string_view rows = " ";
};

/// What was done, and rows under columns. Several writers show the same rows.
struct Document {
  using Json = nlohmann::ordered_json;

  struct Column {
    std::string key;           ///< of JSON and CSV, with its unit: "time_s"; empty: the column is for people alone
    Table::Column shown = {};  ///< for people; not `shown`: the column is for programs alone
    bool grows = true;         ///< with its cells; else they are as wide as `shown` says, or stand out
  };

  /// What programs read, and what people do.
  struct Cell {
    Cell(Json its_value, std::string its_text) : value(std::move(its_value)), text(std::move(its_text)) {}
    Cell(std::string its_text) : value(its_text), text(std::move(its_text)) {}
    Cell(const char* its_text) : Cell(std::string(its_text)) {}
    Cell(std::int64_t number) : value(number), text(std::to_string(number)) {}

    Json value;  ///< in units of SI, bytes; null: there is none; discarded: the row has no such member
    std::string text;
  };

  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};  ///< a row may be shorter than the columns
  std::vector<std::string> notes = {};       ///< whole lines below rows of a table, the first of the first; there may be fewer

  // For people: whole lines above and below the table, which has no titles where no column has one.
  std::string head = {};
  std::string foot = {};
  TableMargins margins = {};

  // For programs: an object with `context`, the facts, and the rows. The name of the rows may be a fact too: they take its place.
  Json context = Json::object();  ///< what was asked for; the writer puts heddle's version first
  Json facts = Json::object();
  std::string rows_name = "runs";  ///< empty: the rows are for people alone
};

/// A column for programs.
Document::Column for_programs(std::string key);
/// A column for people.
Document::Column for_people(Table::Column shown);

/// The table of a document, as wide as its cells are.
Table table_of(const Document& document);
/// Titles, units where a column has one, and rows, each with a line feed. `table` is table_of(document), narrowed maybe.
std::string table_text(const Document& document, const Table& table);
inline std::string table_text(const Document& document) { return table_text(document, table_of(document)); }
/// The rows alone, for tables that are printed as rows come.
std::string rows_text(const Document& document, const Table& table);
/// The head, the table within so many columns (what it leaves out is said above it), the foot. Without rows there is no table.
std::string report_text(const Document& document, std::size_t columns = Table::kAnyWidth);

/// An object for each row.
nlohmann::ordered_json json_rows(const Document& document);

/// The object of context, facts and rows.
nlohmann::ordered_json json_of(const Document& document);
/// A whole JSON file, with a line feed. Names come from the user: bytes that are not UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& whole);

/// The text to `out`, unless that takes the JSON, and the JSON where it is asked for. Throws OutputError.
void write_report(const Document& document, const ReportOutput& json, std::ostream& out,
                  std::size_t columns = Table::kAnyWidth);

/// A line of keys and one for each row: text as it is, numbers as in JSON, nothing for null. RFC 4180, but for lines that end as
/// elsewhere on the system.
std::string csv_text(const Document& document);

/// A cell of a Markdown table: a bar would end it, and so would a line feed.
std::string markdown_cell(std::string_view text);
/// A Markdown table of the columns for people.
std::string markdown_text(const Document& document);

}  // namespace heddle
