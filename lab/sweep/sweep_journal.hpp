// SPDX-License-Identifier: Apache-2.0
// What keeps a sweep's finished runs, whatever ends it. A journal is JSON lines: first the header (json_of_header, with the
// words of the command and the directory where it was given), then a line for each finished run, in the order in which they
// ended. Each line has a checksum (sweep_document.hpp). A last line without its line feed was being written when the sweep was killed, and counts for nothing.
#pragma once

#include <cstddef>
#include <optional>
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
/// The same of a file's text that has been read.
SweepFile read_sweep_text(const std::string& path, const std::string& text);

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

// A sweep that goes on where it was interrupted. What is refused here is an InputError that names the flag --resume.

struct ResumedSweep {
  std::string path;
  SweepFile file;

  bool is_journal() const { return file.whole_bytes > 0; }
};

/// The file that is named, or the journal that lies beside it. Throws as read_sweep_file does.
ResumedSweep read_resumed(const std::string& path);

/// The words of the command that began it. Refused where the file does not say them, or where they were given in another directory.
const std::vector<std::string>& words_of(const ResumedSweep& resumed);

/// Takes its finished runs into `planned`, which has none yet. Refused where it is of another sweep or of another shard.
void take_finished_runs(const ResumedSweep& resumed, SweepDocument& planned);

/// Goes on with the journal that was resumed, or begins one beside `output`, with the words of the command. None where `output` is
/// empty: there is nothing to lie beside. Throws as SweepJournal does.
std::optional<SweepJournal> open_journal(const std::optional<ResumedSweep>& resumed, const std::string& output,
                                         const SweepDocument& planned, const std::vector<std::string>& words);

/// Throws InputError that names `path` and what differs first (the version, a flag, a fabric) unless the document in it is of
/// the same sweep as `ours`. Shards of one sweep are.
void require_same_sweep(const std::string& path, const SweepDocument& theirs, const SweepDocument& ours);

/// Takes the finished runs of `theirs`, which is of the same sweep, into `ours`. Throws InputError that names `path` for one
/// that is not among those of `ours`.
void take_finished_runs(const std::string& path, const SweepDocument& theirs, SweepDocument& ours);

}  // namespace heddle
