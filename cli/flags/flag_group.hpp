// SPDX-License-Identifier: Apache-2.0
// Flags of a command, as help shows them: below a title, each with the type of its value and what it says.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace heddle {

/// Adds flags to a command. Parsing fills the members that they are given, which must outlive the command.
class FlagGroup {
 public:
  /// Below CLI11's own title, where all flags of a command are that has few.
  explicit FlagGroup(CLI::App& command) : command_(command) {}
  FlagGroup(CLI::App& command, std::string title) : command_(command), title_(std::move(title)) {}

  /// `names`: "--topo", or "-b,--size". `type`: what help calls the value ("SPEC").
  template <class Value>
  CLI::Option* add(const std::string& names, Value& value, const std::string& type, const std::string& text) const {
    return titled(command_.add_option(names, value, text)->type_name(type));
  }

  /// Help shows the value that is there already.
  template <class Value>
  CLI::Option* add_with_default(const std::string& names, Value& value, const std::string& type,
                                const std::string& text) const {
    return add(names, value, type, text)->capture_default_str();
  }

  /// Given again for each value.
  template <class Values>
  CLI::Option* add_each(const std::string& names, Values& values, const std::string& type, const std::string& text) const {
    return add(names, values, type, text)->allow_extra_args(false);
  }

  static constexpr std::string_view kJsonMisses = "its file is missing; '--json -' prints to standard output";

  /// --json, in the same words in every command that prints results. ReportOutput (show/document/output_file.hpp) opens and writes what it
  /// names. `more` is what readers of this command's document are to know.
  CLI::Option* add_json(std::optional<std::string>& path, const std::string& more = "") const {
    // Other tools have it without a value: what follows, a flag, is no file then.
    const auto refuse_flag = [](const std::string& word) {
      return word.starts_with("-") && word != "-" ? std::string(kJsonMisses) : std::string();
    };
    return add("--json", path, "FILE",
               "Also write a JSON report to this file" + more + "; - : to standard output, without the text")
        ->check(refuse_flag);
  }

  /// Without a value: given or not.
  CLI::Option* add_switch(const std::string& names, bool& is_given, const std::string& text) const {
    return titled(command_.add_flag(names, is_given, text));
  }

 private:
  CLI::Option* titled(CLI::Option* flag) const { return title_.empty() ? flag : flag->group(title_); }

  CLI::App& command_;
  std::string title_ = {};
};

}  // namespace heddle
