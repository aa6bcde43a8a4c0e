// SPDX-License-Identifier: Apache-2.0
// A sweep that goes on where it was interrupted. What is refused here is an InputError that names the flag --resume.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/sweep/sweep_document.hpp"
#include "lab/sweep/sweep_journal.hpp"

namespace heddle {

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
