// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/resumed_sweep.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/errors.hpp"
#include "lab/grammar/flag_value.hpp"
#include "lab/sweep/same_sweep.hpp"

namespace heddle {

ResumedSweep read_resumed(const std::string& path) {
  std::error_code error;
  const bool has_journal = std::filesystem::exists(journal_path_of(path), error);
  const std::string read = has_journal ? journal_path_of(path) : path;
  return read_flag("--resume", read, [&](std::string_view) { return ResumedSweep{read, read_sweep_file(read)}; });
}

const std::vector<std::string>& words_of(const ResumedSweep& resumed) {
  const auto& [path, file] = resumed;
  if (file.words.empty())
    throw InputError(fmt::format("--resume '{}': it does not say which flags the sweep had; repeat them", path));
  if (file.directory != std::filesystem::current_path().string())
    throw InputError(
        fmt::format("--resume '{}': the sweep was begun in {}; go there, or repeat its flags", path, file.directory));
  return file.words;
}

void take_finished_runs(const ResumedSweep& resumed, SweepDocument& planned) {
  if (!resumed.file.has_header) return;
  const SweepDocument& begun = resumed.file.document;
  read_flag("--resume", resumed.path, [&](std::string_view) {
    require_same_sweep(resumed.path, begun, planned);
    if (begun.shard != planned.shard)
      throw InputError(fmt::format("'{}' is of another sweep: its --shard is {}, here it is {}", resumed.path,
                                   to_string(begun.shard), to_string(planned.shard)));
    take_finished_runs(resumed.path, begun, planned);
  });
}

std::optional<SweepJournal> open_journal(const std::optional<ResumedSweep>& resumed, const std::string& output,
                                         const SweepDocument& planned, const std::vector<std::string>& words) {
  if (resumed && resumed->is_journal()) return SweepJournal::reopen(resumed->path, resumed->file.whole_bytes);
  if (output.empty()) return std::nullopt;
  return SweepJournal::create(journal_path_of(output), planned, words);
}

}  // namespace heddle
