// SPDX-License-Identifier: Apache-2.0
// Texts made from the commands and their flags: help, the man page, the guide that heddle alone prints, and what shells offer.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/describe/flag_table.hpp"

namespace heddle {

/// CLI11's help with lines that fit a terminal and a usage line in heddle's words.
class HelpFormatter : public CLI::Formatter {
 public:
  /// Lines of at most so many `columns`; no value: as wide as they were written, for a page or a pipe.
  explicit HelpFormatter(std::optional<std::size_t> columns);

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_footer(const CLI::App* app) const override;

 private:
  std::optional<std::size_t> columns_;
};

/// "export openmpi", without the program's name.
std::string full_name(const CLI::App& command);

/// The command that was given, of those below `app`; `app` itself if none was.
const CLI::App& given_command(const CLI::App& app);

/// What can be run, in order of help: of a command with commands of its own these.
std::vector<const CLI::App*> commands_to_run(const CLI::App& app);

/// A command to begin with, and what it shows.
struct FirstCommand {
  std::string_view line;
  std::string_view meaning;
};
std::span<const FirstCommand> first_commands();

/// What `heddle` alone prints: at most 20 lines of 80 columns.
std::string guide();

/// heddle(1) in roff's man macros, from the commands and flags of `app`.
std::string man_page(const CLI::App& app);

// `heddle complete WORD…`: how a line can go on. The shells' completion scripts (completion/) call it at each Tab, so they know
// what this command knows: its flags, its algorithms, its fabrics.

/// The whole word; the line goes on in it if it ends with ':', '=' or ','. Its meaning is for shells that show it.
using Candidate = FlagWord;

struct Completion {
  std::vector<Candidate> candidates = {};
  /// A file's name belongs here, behind this much of the word: "", "--json=", "file:".
  std::optional<std::string> file_after = {};
};

/// `words` follow the command's name, up to the cursor; the last is the one to complete and may be empty.
Completion complete(const CLI::App& app, const std::vector<std::string>& words);

/// A line for each candidate: the word, a tab, its meaning in brief. For a file the one line ":files", a blank, file_after.
std::string to_lines(const Completion& completion);

}  // namespace heddle
