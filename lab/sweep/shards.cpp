// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/shards.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "lab/sweep/sweep_journal.hpp"

namespace heddle {

namespace {

constexpr std::int64_t kMostParts = 1'000'000;

/// Variables of a system. Without `step` it is 1, without `count` as many as there are from first to last.
struct ArrayNames {
  const char* id;
  const char* first;
  const char* last;
  const char* step;
  const char* count;
};
constexpr ArrayNames kArrays[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT"},
    {"SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE", nullptr},
};

struct LauncherNames {
  const char* rank;
  const char* ranks;
};
constexpr LauncherNames kLaunchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
    {"HEDDLE_RANK", "HEDDLE_RANKS"},
    {"SLURM_PROCID", "SLURM_NTASKS"},
};

/// Grid Engine says "undefined" in a job that is no array.
bool is_set(const VariableFunction& variable, const char* name) {
  const auto value = variable(name);
  return value && *value != "undefined";
}

std::int64_t number_in(const VariableFunction& variable, const char* name, std::int64_t least) {
  const auto value = variable(name);
  if (!value) throw InputError(fmt::format("{} is not set, which says where the array begins or ends; give i/n, as 1/4", name));
  const auto number = read_number<std::int64_t>(*value);
  if (!number || *number < least || *number > std::int64_t{1} << 40)
    throw InputError(fmt::format("{} '{}': not a number from {} on", name, *value, least));
  return *number;
}

Shard shard_of(std::int64_t index, std::int64_t of, const char* name) {
  if (of > kMostParts) throw InputError(fmt::format("{}: more than {} parts", name, kMostParts));
  return {.index = static_cast<int>(index), .of = static_cast<int>(of)};
}

Shard shard_in(const VariableFunction& variable, const ArrayNames& names) {
  const std::int64_t id = number_in(variable, names.id, 0);
  const std::int64_t first = number_in(variable, names.first, 0);
  const std::int64_t last = number_in(variable, names.last, first);
  const std::int64_t step = is_set(variable, names.step) ? number_in(variable, names.step, 1) : 1;
  const std::int64_t tasks = (last - first) / step + 1;
  const bool has_count = names.count != nullptr && is_set(variable, names.count);
  if (has_count && number_in(variable, names.count, 1) != tasks)
    throw InputError(fmt::format("{} is {}, but from {} to {} in steps of {} are {}; submit an array without gaps", names.count,
                                 *variable(names.count), first, last, step, tasks));
  if (id < first || id > last || (id - first) % step != 0)
    throw InputError(fmt::format("{} '{}': not one from {} to {} in steps of {}", names.id, id, first, last, step));
  return shard_of((id - first) / step + 1, tasks, names.id);
}

Shard shard_in(const VariableFunction& variable, const LauncherNames& names) {
  const std::int64_t ranks = number_in(variable, names.ranks, 1);
  const std::int64_t rank = number_in(variable, names.rank, 0);
  if (rank >= ranks) throw InputError(fmt::format("{} '{}': {} is {}", names.rank, rank, names.ranks, ranks));
  return shard_of(rank + 1, ranks, names.rank);
}

}  // namespace

Shard shard_of_task(const VariableFunction& variable, LauncherRanks launchers) {
  std::vector<std::string_view> sought;
  for (const ArrayNames& names : kArrays) {
    if (is_set(variable, names.id)) return shard_in(variable, names);
    sought.emplace_back(names.id);
  }
  if (launchers == LauncherRanks::are_parts) {
    for (const LauncherNames& names : kLaunchers) {
      if (is_set(variable, names.rank) && is_set(variable, names.ranks)) return shard_in(variable, names);
      sought.emplace_back(names.rank);
    }
  }
  throw InputError(fmt::format("'array': no job array has started this process: none of {} is set; give i/n, as 1/4",
                               fmt::join(sought, ", ")));
}

std::string path_of_part(const std::string& path, int part) {
  if (path == "-") return path;
  const std::string journal = journal_path_of("");
  if (path.ends_with(journal)) return journal_path_of(path_of_part(path.substr(0, path.size() - journal.size()), part));
  const std::filesystem::path whole(path);
  return (whole.parent_path() / fmt::format("{}.{}{}", whole.stem().string(), part, whole.extension().string())).string();
}

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
