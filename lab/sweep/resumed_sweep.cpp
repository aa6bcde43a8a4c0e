// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/sweep_journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"

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

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse_difference(const std::string& path, const std::string& what) {
  throw InputError(fmt::format("'{}' is of another sweep: {}", path, what));
}

std::string shown(const Json& object, const std::string& key) {
  if (!object.contains(key)) return "not given";
  const Json& value = object.at(key);
  return value.is_string() ? fmt::format("'{}'", value.get<std::string>()) : value.dump();
}

/// The first member that differs, of either.
void require_same_members(const std::string& path, const std::string& what, const Json& theirs, const Json& ours) {
  const auto require = [&](const std::string& key) {
    if (!theirs.contains(key) || !ours.contains(key) || theirs.at(key) != ours.at(key))
      refuse_difference(path, fmt::format("its {}{} is {}, here it is {}", what, key, shown(theirs, key), shown(ours, key)));
  };
  for (const auto& [key, value] : ours.items()) require(key);
  for (const auto& [key, value] : theirs.items()) require(key);
}

}  // namespace

void require_same_sweep(const std::string& path, const SweepDocument& theirs, const SweepDocument& ours) {
  const Json& their_context = theirs.context;
  const Json& our_context = ours.context;
  if (their_context.at("version") != our_context.at("version"))
    refuse_difference(path, fmt::format("heddle {} began it, this is heddle {}", their_context.at("version").get<std::string>(),
                                        our_context.at("version").get<std::string>()));
  require_same_members(path, "", their_context.at("parameters"), our_context.at("parameters"));
  const Json& their_fabrics = their_context.at("fabrics");
  const Json& our_fabrics = our_context.at("fabrics");
  if (their_fabrics.size() != our_fabrics.size())
    refuse_difference(path, fmt::format("it has {} fabrics, here there are {}", their_fabrics.size(), our_fabrics.size()));
  for (std::size_t f = 0; f < our_fabrics.size(); ++f) {
    const std::string name = fmt::format("{}: ", our_fabrics[f].at("fabric").get<std::string>());
    require_same_members(path, name, their_fabrics[f], our_fabrics[f]);
  }
  if (theirs.planned != ours.planned)
    refuse_difference(path, fmt::format("it has {} runs, here there are {}", theirs.planned, ours.planned));
  if (theirs.left_out != ours.left_out) refuse_difference(path, "other algorithms were left out");
}

void take_finished_runs(const std::string& path, const SweepDocument& theirs, SweepDocument& ours) {
  for (const SweepResult& run : theirs.runs) {
    if (!is_finished(run)) continue;
    const auto own = std::ranges::lower_bound(ours.runs, run.run, {}, &SweepResult::run);
    const bool is_known = own != ours.runs.end() && own->run == run.run && own->fabric == run.fabric &&
                          own->algorithm == run.algorithm && own->bytes == run.bytes;
    if (!is_known)
      refuse_difference(path, fmt::format("it has run {}, {} on {} with {} bytes, which is none of this one", run.run,
                                          run.algorithm, run.fabric, run.bytes));
    *own = run;
  }
}

}  // namespace heddle
