// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <cstddef>
#include <optional>
#include <string>

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
  std::string flag_groups(const CLI::App* app) const;

  std::optional<std::size_t> columns_;
};

}  // namespace heddle
