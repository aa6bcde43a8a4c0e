// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/sweep_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/counting_iterator.hpp"
#include "core/read_file.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

constexpr auto kMark = "heddle_sweep_journal";
constexpr int kFormat = 2;  // 1 had no checksums

[[noreturn]] void refuse(const std::string& path, std::string_view what) {
  throw InputError(fmt::format("'{}': {}", path, what));
}

[[noreturn]] void refuse_line(const std::string& path, int line, std::string_view what) {
  const std::string file = fmt::format("'{}': ", path);
  if (what.starts_with(file)) throw InputError(std::string(what));  // it has its place already
  refuse(path, fmt::format("line {}: {}", line, what));
}

[[noreturn]] void refuse_by_errno(const std::string& path, std::string_view what) {
  refuse(path, fmt::format("{}: {}", what, std::error_code(errno, std::generic_category()).message()));
}

/// By number, each once.
void sort_runs(std::vector<SweepResult>& runs) {
  std::ranges::stable_sort(runs, {}, &SweepResult::run);
  const auto is_same_run = [](const SweepResult& a, const SweepResult& b) { return a.run == b.run; };
  runs.erase(std::unique(runs.begin(), runs.end(), is_same_run), runs.end());
}

/// JSON with the lines where its parts end.
struct LocatedDocument {
  Json json;
  int header_end = 1;             ///< of the line where "runs" stands
  std::vector<int> ends_of_runs;  ///< by run
};

/// Throws what nlohmann throws, with `progress` where it stopped, and InputError. Whoever goes through a document goes down it,
/// its copies for one.
LocatedDocument parse_json(std::string_view text, ReadProgress& progress) {
  static constexpr int kDeepest = 64;
  LocatedDocument document;
  bool is_in_runs = false;
  const auto note = [&](int depth, Json::parse_event_t event, Json& part) {
    if (depth > kDeepest) throw InputError(fmt::format("lists and objects more than {} deep in each other", kDeepest));
    if (depth == 1 && event == Json::parse_event_t::key) {
      is_in_runs = part == "runs";
      if (is_in_runs) document.header_end = progress.line;
    }
    if (is_in_runs && depth == 2 && event == Json::parse_event_t::object_end) document.ends_of_runs.push_back(progress.line);
    return true;
  };
  document.json =
      Json::parse(CountingIterator(text.data(), &progress), CountingIterator(text.data() + text.size(), &progress), note);
  return document;
}

Json parse_line(std::string_view line) {
  ReadProgress within;
  return parse_json(line, within).json;
}

void read_header(SweepFile& file, const std::string& path, std::string_view line) {
  try {
    const Json json = parse_line(line);
    if (json.at(kMark) != kFormat) refuse(path, "line 1: another version of heddle wrote it; run the sweep again");
    require_checksum(json);
    file.document = header_from_json(json);
    file.words = json.at("words");
    file.directory = json.at("directory");
  } catch (const Json::exception&) {
    refuse(path, "line 1 is no header of a sweep; is it a file that 'heddle sweep' wrote?");
  }
}

SweepFile read_journal(const std::string& path, const std::string& content) {
  SweepFile file;
  int number = 0;
  for (std::size_t begin = 0, end = 0; (end = content.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string_view line = std::string_view(content).substr(begin, end - begin);
    ++number;
    try {
      if (number == 1)
        read_header(file, path, line);
      else
        file.document.runs.push_back(result_from_json(parse_line(line)));
    } catch (const Json::exception&) {
      refuse(path, fmt::format("line {} is damaged; without it and the lines after it the rest can be used", number));
    } catch (const InputError& error) {
      refuse_line(path, number, error.what());
    }
    file.whole_bytes = end + 1;
  }
  file.has_header = number > 0;
  if (file.whole_bytes < content.size()) file.cut_line = number + 1;
  sort_runs(file.document.runs);
  return file;
}

SweepFile read_report(const std::string& path, const std::string& content) {
  ReadProgress progress;
  try {
    const LocatedDocument located = parse_json(content, progress);
    const Json& json = located.json;
    progress.line = located.header_end;
    require_checksum(checked_members_of(json));
    SweepFile file;
    file.document = header_from_json(json);
    std::size_t next = 0;
    for (const Json& run : json.at("runs")) {
      if (next < located.ends_of_runs.size()) progress.line = located.ends_of_runs[next++];
      file.document.runs.push_back(result_from_json(run));
    }
    sort_runs(file.document.runs);
    return file;
  } catch (const Json::parse_error&) {
    refuse_line(path, progress.line, "no JSON here: the file is cut off or damaged, or is of another kind");
  } catch (const Json::exception&) {
    refuse_line(path, progress.line, "no file of a sweep; 'heddle sweep --json' and what it leaves in .partial are");
  } catch (const InputError& error) {
    refuse_line(path, progress.line, error.what());
  }
}

bool is_journal(std::string_view content) {
  const std::string begin = fmt::format("{{\"{}\"", kMark);
  return content.starts_with(begin) || begin.starts_with(content);  // torn within its first word, or empty
}

/// Whether a new journal may take the place of what is there.
void require_no_loss(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return;
  const std::string content = read_named_file(path);
  if (!is_journal(content)) refuse(path, "is in the way and is no file of a sweep; move it or name another output");
  if (const SweepFile file = read_journal(path, content); !file.document.runs.empty())
    refuse(path, fmt::format("holds {} finished runs of a sweep; add --resume {} to go on with it, or remove it",
                             file.document.runs.size(), path));
}

}  // namespace

std::string journal_path_of(const std::string& output) { return output + ".partial"; }

SweepFile read_sweep_file(const std::string& path) { return read_sweep_text(path, read_named_file(path)); }

SweepFile read_sweep_text(const std::string& path, const std::string& text) {
  return is_journal(text) ? read_journal(path, text) : read_report(path, text);
}

SweepJournal::SweepJournal(std::string path) : path_(std::move(path)) {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) refuse_by_errno(path_, "cannot be written");
  if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
    close(file_);
    refuse(path_, "another sweep is writing it; wait until it ends, or name another output");
  }
}

SweepJournal SweepJournal::create(const std::string& path, const SweepDocument& document,
                                  const std::vector<std::string>& words) {
  require_no_loss(path);
  SweepJournal journal(path);
  require_no_loss(path);  // now that nobody else writes it
  if (ftruncate(journal.file_, 0) != 0) refuse_by_errno(path, "cannot be written");
  Json header = {{kMark, kFormat}};
  header.update(json_of_header(document));
  header["words"] = words;
  header["directory"] = std::filesystem::current_path().string();
  std::string text = line_of(with_checksum(std::move(header))) + '\n';
  for (const SweepResult& run : document.runs)
    if (is_finished(run)) text += line_of(json_of(run, fabric_of(document, run))) + '\n';
  try {
    journal.write(text);
  } catch (const OutputError& error) {
    throw InputError(error.what());  // nothing has been run yet
  }
  return journal;
}

SweepJournal SweepJournal::reopen(const std::string& path, std::size_t whole_bytes) {
  SweepJournal journal(path);
  if (ftruncate(journal.file_, static_cast<off_t>(whole_bytes)) != 0) refuse_by_errno(path, "cannot be written");
  return journal;
}

SweepJournal::SweepJournal(SweepJournal&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

SweepJournal::~SweepJournal() {
  if (file_ >= 0) close(file_);
}

void SweepJournal::add(const SweepResult& run, const SweepDocument& document) {
  write(line_of(json_of(run, fabric_of(document, run))) + '\n');
}

void SweepJournal::write(const std::string& text) const {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(file_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      throw OutputError(
          fmt::format("'{}': cannot be written: {}", path_, std::error_code(errno, std::generic_category()).message()));
    done += static_cast<std::size_t>(written);
  }
}

void SweepJournal::remove() {
  std::error_code ignored;  // it is of no more use, and says so: all of its runs are finished
  std::filesystem::remove(path_, ignored);
}

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
