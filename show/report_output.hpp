// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "show/output_file.hpp"

namespace heddle {

/// Where a report goes that may be asked for: to a file, to standard output ("-"), or nowhere.
class ReportOutput {
 public:
  /// `path` as `flag` has it; no value: nowhere. A file is opened now, so that one that cannot be written is refused before the work
  /// begins. Throws InputError that names the flag.
  ReportOutput(std::string_view flag, const std::optional<std::string>& path);

  bool is_wanted() const { return is_standard_output_ || file_.has_value(); }
  bool is_standard_output() const { return is_standard_output_; }

  /// To the file, to `out` as standard output, or nowhere. Throws OutputError.
  void write(std::string_view content, std::ostream& out) const;
  /// The same with what `writer` puts out, which need not be in memory at once.
  void write_by(const std::function<void(std::ostream&)>& writer, std::ostream& out) const;

 private:
  bool is_standard_output_ = false;
  std::optional<OutputFile> file_;
};

}  // namespace heddle
