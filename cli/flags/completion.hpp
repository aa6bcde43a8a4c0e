// SPDX-License-Identifier: Apache-2.0
// `heddle complete WORD…`: how a line can go on. The shells' completion scripts (completion/) call it at each Tab, so they know
// what this command knows: its flags, its algorithms, its fabrics.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace heddle {

struct Candidate {
  std::string word;     ///< the whole word; the line goes on in it if it ends with ':', '=' or ','
  std::string meaning;  ///< for shells that show it; may be empty
};

struct Completion {
  std::vector<Candidate> candidates = {};
  /// A file's name belongs here, behind this much of the word: "", "--json=", "file:".
  std::optional<std::string> file_after = {};
};

/// `words` follow the command's name, up to the cursor; the last is the one to complete and may be empty.
Completion complete(const CLI::App& app, const std::vector<std::string>& words);

/// A line for each candidate: the word, a tab, its meaning in brief. For a file the one line ":files", a blank, file_after.
std::string to_lines(const Completion& completion);

/// What the value of a command's flag or argument, of which `written` is there, can become. `collective` is the one that the
/// line names, or empty.
Completion values_of(const CLI::App& command, const CLI::Option& option, std::string_view collective, std::string_view written);

}  // namespace heddle
