// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// A report's file. Refused at once if it cannot be written, and whole at every moment after: new content is written beside it
/// and then takes its place. Until the first write, what was there before stays. A device or a pipe is written directly.
class OutputFile {
 public:
  /// Throws InputError that says why `path` cannot be written, or that it is "-". Leaves no trace. Once `is_interrupted` says so, a pipe that nobody
  /// reads is given up instead of waited for.
  explicit OutputFile(const std::string& path, std::function<bool()> is_interrupted = nullptr);

  /// Whether a second write would append to the first (a pipe, a terminal) instead of replacing it.
  bool is_stream() const { return is_stream_; }

  /// Replaces the content. Throws OutputError (a full disk, say).
  void write(std::string_view content) const;
  /// The same with what `writer` puts out, which need not be in memory at once unless it goes to a device or a pipe.
  void write_by(const std::function<void(std::ostream&)>& writer) const;

 private:
  std::filesystem::path path_;
  std::filesystem::path beside_;  ///< where new content is written
  bool is_stream_ = false;
  std::function<bool()> is_interrupted_;

  int open_stream() const;
  void write_stream(std::string_view content) const;
};

/// What a flag names: a file, or "-" for standard output.
struct NamedOutput {
  std::string flag;
  std::string path;
};

/// Throws InputError if two of them are one file, by whatever names. Of /dev/null there is enough for all.
void require_apart(const std::vector<NamedOutput>& outputs);

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
