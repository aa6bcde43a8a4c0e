// SPDX-License-Identifier: Apache-2.0
// What keeps a sweep's finished runs, whatever ends it. A journal is JSON lines: first the header (json_of_header, with the
// words of the command and the directory where it was given), then a line for each finished run, in the order in which they
// ended. Each line is sealed (sweep_document.hpp). A last line without its line feed was being written when the sweep was killed, and counts for nothing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lab/sweep/sweep_document.hpp"

namespace heddle {

/// "torus.json.partial"
std::string journal_path_of(const std::string& output);

/// What a file of a sweep holds, a journal or the JSON report.
struct SweepFile {
  bool has_header = true;  ///< a journal torn within its header has none, and nothing else either
  SweepDocument document;  ///< with the finished runs, by number
  // Of a journal alone.
  std::vector<std::string> words = {};  ///< of the command
  std::string directory = {};
  std::size_t whole_bytes = 0;  ///< up to the end of the last whole line; 0: a report
  int cut_line = 0;             ///< the number of the line behind that, which is cut short; 0: there is none
};

/// Throws InputError that names `path` if it cannot be read or is no file of a sweep, and the line where it is damaged.
SweepFile read_sweep_file(const std::string& path);

/// One process at a time writes one. Not thread-safe.
class SweepJournal {
 public:
  /// A new one at `path`, with the document's header and its finished runs. Throws InputError if there is one already that
  /// holds finished runs, or any other file; if another sweep is writing it; or if it cannot be written.
  static SweepJournal create(const std::string& path, const SweepDocument& document, const std::vector<std::string>& words);
  /// Goes on with one that has been read, after its last whole line. Throws as create.
  static SweepJournal reopen(const std::string& path, std::size_t whole_bytes);

  SweepJournal(SweepJournal&& other) noexcept;
  SweepJournal& operator=(SweepJournal&&) = delete;
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;
  ~SweepJournal();

  const std::string& path() const { return path_; }

  /// At once, in one piece. Throws OutputError (a full disk, say); the lines before stay.
  void add(const SweepResult& run, const SweepDocument& document);

  /// After the outputs have been written, for which it was kept.
  void remove();

 private:
  explicit SweepJournal(std::string path);
  void write(const std::string& text) const;

  std::string path_;
  int file_ = -1;
};

}  // namespace heddle
