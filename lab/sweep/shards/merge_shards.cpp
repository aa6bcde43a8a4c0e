// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/shards/merge_shards.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/errors.hpp"
#include "lab/sweep/same_sweep.hpp"
#include "lab/sweep/sweep_journal.hpp"

namespace heddle {

namespace {

struct ShardFile {
  std::string path;
  SweepDocument document;
  int cut_line = 0;  ///< as SweepFile's
};

std::vector<ShardFile> read_shards(const std::vector<std::string>& paths) {
  std::vector<ShardFile> files;
  for (const std::string& path : paths) {
    SweepFile file = read_sweep_file(path);
    if (!file.has_header) throw InputError(fmt::format("'{}': holds nothing yet", path));
    files.push_back({path, std::move(file.document), file.cut_line});
    if (files.size() > 1) require_same_sweep(path, files.back().document, files.front().document);
  }
  return files;
}

void require_all_shards(const std::vector<ShardFile>& files) {
  const Shard& first = files.front().document.shard;
  std::vector<std::string> paths(static_cast<std::size_t>(first.of));
  for (const ShardFile& file : files) {
    const Shard& shard = file.document.shard;
    if (shard.of != first.of)
      throw InputError(fmt::format("'{}' is part {}, '{}' part {}: not of one partition", files.front().path, to_string(first),
                                   file.path, to_string(shard)));
    std::string& path = paths[static_cast<std::size_t>(shard.index) - 1];
    if (!path.empty()) throw InputError(fmt::format("'{}' and '{}' are both part {}", path, file.path, to_string(shard)));
    path = file.path;
  }
  std::vector<std::string> missing;
  for (int index = 1; index <= first.of; ++index)
    if (paths[static_cast<std::size_t>(index) - 1].empty()) missing.push_back(to_string(Shard{index, first.of}));
  if (!missing.empty())
    throw InputError(fmt::format("part{} {} of the sweep {} missing; give the file{} of --shard {}",
                                 missing.size() == 1 ? "" : "s", fmt::join(missing, ", "), missing.size() == 1 ? "is" : "are",
                                 missing.size() == 1 ? "" : "s", missing.front()));
  for (const ShardFile& file : files)
    if (!is_complete(file.document))
      throw InputError(fmt::format("'{}' is not complete: it has {} of {} runs{}; finish it with: heddle sweep --resume {}",
                                   file.path, file.document.runs.size(), runs_of(file.document.shard, file.document.planned),
                                   file.cut_line > 0 ? fmt::format(", and line {} is cut short", file.cut_line) : "",
                                   file.path));
}

}  // namespace

SweepDocument merge_shards(const std::vector<std::string>& paths) {
  const std::vector<ShardFile> files = read_shards(paths);
  require_all_shards(files);
  SweepDocument whole = files.front().document;
  whole.shard = Shard();
  whole.runs.clear();
  for (const ShardFile& file : files) whole.runs.insert(whole.runs.end(), file.document.runs.begin(), file.document.runs.end());
  std::ranges::sort(whole.runs, {}, &SweepResult::run);
  for (std::size_t i = 0; i < whole.runs.size(); ++i)
    if (whole.runs[i].run != static_cast<int>(i) + 1)
      throw InputError(fmt::format("run {} of the sweep is in none of the files, or in two", i + 1));
  return whole;
}

}  // namespace heddle
