// SPDX-License-Identifier: Apache-2.0
#include "lab/plugin/load_plugins.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <utility>

#include "core/nearest_name.hpp"
#include "core/printable.hpp"
#include "heddle/errors.hpp"
#include "heddle/plugin.hpp"
#include "lab/decisions/decision_file.hpp"
#include "lab/describe/flag_value.hpp"
#include "mpi/run/function_algorithm.hpp"
#include "schedules/files/msccl.hpp"
#include "schedules/run/compiled_schedule.hpp"
#include "schedules/run/run_schedule.hpp"

namespace heddle {

namespace {

/// dlerror() begins with the path, which the complaint has already.
std::string reason_of_loader(const std::string& path) {
  const char* error = dlerror();
  std::string reason = error == nullptr ? "it cannot be loaded" : error;
  if (reason.starts_with(path + ": ")) reason.erase(0, path.size() + 2);
  if (reason == "invalid ELF header" || reason == "file too short") return "it is no shared library: " + reason;
  return reason;
}

/// What a plugin's code throws is the plugin's, whatever it is.
template <class Call>
void call_of(const std::string& path, std::string_view what, Call call) {
  try {
    call();
  } catch (const InputError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{}: {} throws: {}", path, what, printable(error.what())));
  } catch (...) {
    throw InputError(fmt::format("{}: {} throws something that is no std::exception", path, what));
  }
}

/// Its texts stand within lines of tables and of commands.
void require_printable(const Algorithm& row, const std::string& path) {
  const auto require = [&](std::string_view what, std::string_view text) {
    if (printable(text) != text)
      throw InputError(fmt::format("{}: its {} '{}' has a {} with characters that cannot be printed in one line: '{}'", path,
                                   to_string(row.collective), printable(row.name), what, printable(text)));
  };
  require("name", row.name);
  require("summary", row.summary);
  require("source", row.source);
  for (const std::string_view tag : row.tags) require("tag", tag);
}

/// heddle calls these functions outside of any run, so what they throw must not look like heddle's own.
void guard_functions(Algorithm& row, const std::string& path) {
  const auto guard = [who = fmt::format("its {} '{}'", to_string(row.collective), row.name),
                      path]<class Result, class... Given>(std::function<Result(Given...)>& function, std::string_view name) {
    if (!function) return;
    function = [inner = std::move(function), what = fmt::format("{}: {}", who, name), path](Given... given) {
      std::optional<Result> result;
      call_of(path, what, [&] { result = inner(std::forward<Given>(given)...); });
      return *std::move(result);
    };
  };
  guard(row.rounds.of, "rounds");
  guard(row.bytes.of, "bytes");
  guard(row.block_count, "block_count");
  guard(row.is_exact, "is_exact");
  guard(row.needs.has_more, "needs.has_more");
  guard(row.needs.refusal, "needs.refusal");
  guard(row.explain, "explain");
}

/// Plugins take heddle's functions from the process. Those of a program are there for all. Those of a library that was opened for
/// itself, as Python opens its modules, are not until it is opened so that they are.
void offer_functions() {
  Dl_info own;
  if (dladdr(reinterpret_cast<const void*>(&load_plugin), &own) == 0) return;
  // It is there already, and stays. A program is no library, and the loader says so.
  dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
  dlerror();
}

/// Of a plugin that this heddle can read.
const heddle_plugin_table& table_of(void* library, const std::string& path) {
  const auto* table = static_cast<const heddle_plugin_table*>(dlsym(library, "heddle_plugin"));
  if (table == nullptr)
    throw InputError(
        fmt::format("{}: no heddle plugin: it has no heddle_plugin, which HEDDLE_PLUGIN of heddle/plugin.hpp defines", path));
  const bool is_readable = table->size >= sizeof(heddle_plugin_table) && table->version == kPluginVersion;
  if (!is_readable || std::string_view(table->standard) != kPluginLibrary)
    throw InputError(fmt::format(
        "{}: built for plugins of version {}{}, this heddle reads version {}, {}: build it with this heddle's headers and "
        "standard library",
        path, table->version, is_readable ? fmt::format(", {}", table->standard) : "", kPluginVersion, kPluginLibrary));
  return *table;
}

/// Appends an entry with the members that this heddle knows: others are a later one's.
void take_entry(void* entries, const heddle_member* members, std::size_t count) {
  Algorithm& row = static_cast<std::vector<Algorithm>*>(entries)->emplace_back();
  const auto read = [&]<class T>(std::string_view name, T& value) {
    for (const heddle_member& member : std::span(members, count)) {
      if (name != member.name) continue;
      if (member.size != sizeof value)
        throw InputError(fmt::format("its rows' {} has {} bytes, this heddle's {}: build it with this heddle's headers", name,
                                     member.size, sizeof value));
      value = *static_cast<const T*>(member.value);
    }
  };
  for_each_member(row, read);
  ConfiguredEntry configured;
  read("configured", configured);
  if (configured)
    row.configured = [configured](const Options& options) {
      std::vector<Algorithm> made;
      configured(options, &made, take_entry);
      return std::move(made.at(0));
    };
}

/// Of a plugin's rows.
void require_well_made(std::vector<Algorithm>& rows, const std::string& path) {
  for (Algorithm& row : rows) {
    if (row.name.empty()) throw InputError(fmt::format("{}: one of its rows has no name", path));
    require_printable(row, path);
    if (row.run == nullptr)
      throw InputError(fmt::format("{}: its {} '{}' has no function to run", path, to_string(row.collective), row.name));
    guard_functions(row, path);
  }
}

}  // namespace

std::vector<Algorithm> load_plugin(const std::string& path) {
  if (mpi::is_function_library(path)) {
    std::vector<Algorithm> declared = mpi::declared_algorithms(path);
    if (declared.empty())
      throw InputError(
          fmt::format("{}: declares no algorithm by HEDDLE_MPI_ALGORITHM of heddle_mpi.h; without it a function is "
                      "named as in --algo mpi:{}:my_allreduce",
                      path, path));
    require_well_made(declared, path);
    return declared;
  }
  // Without a slash the loader would look in the system's directories.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  // All symbols now: what is missing is reported here and not in the middle of a run. Never unloaded: rows hold its functions.
  offer_functions();
  void* library = nullptr;
  call_of(path, "its initialisation", [&] { library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL); });
  if (library == nullptr) throw InputError(fmt::format("{}: {}", path, reason_of_loader(file)));
  const heddle_plugin_table& table = table_of(library, path);
  std::vector<Algorithm> rows;
  call_of(path, "heddle_register", [&] { table.hand_over(&rows, take_entry); });
  require_well_made(rows, path);
  if (rows.empty()) throw InputError(fmt::format("{}: heddle_register adds no row", path));
  return rows;
}

namespace {

/// "a.so,b.so" is two, unless a file is called so.
std::vector<std::string> split_paths(const std::string& given) {
  std::error_code unknown;
  if (std::filesystem::exists(given, unknown)) return {given};
  const std::vector<std::string_view> parts = split_list(given);
  return {parts.begin(), parts.end()};
}

}  // namespace

std::vector<Algorithm> load_plugins(std::span<const std::string> paths) {
  std::vector<Algorithm> all;
  const auto add = [&all](const std::string& path, Algorithm row) {
    const bool is_taken = std::ranges::any_of(
        all, [&](const Algorithm& other) { return other.collective == row.collective && other.name == row.name; });
    if (is_taken)
      throw InputError(fmt::format("{}: its {} '{}' is in a plugin before it already; give one another name", path,
                                   to_string(row.collective), row.name));
    all.push_back(std::move(row));
  };
  for (const std::string& given : paths) {
    for (const std::string& path : split_paths(given)) {
      read_flag("--plugin", path, [&](std::string_view) {
        for (Algorithm& row : load_plugin(path)) add(path, std::move(row));
        return true;
      });
    }
  }
  return all;
}

bool is_schedule_name(std::string_view algorithm) { return algorithm.starts_with(kMscclPrefix); }

bool names_file(std::string_view algorithm) {
  return is_schedule_name(algorithm) || mpi::is_function_name(algorithm) || decisions::is_decision_name(algorithm);
}

std::string schedule_file(std::string_view algorithm) { return std::string(algorithm.substr(kMscclPrefix.size())); }

namespace {

template <class Wanted>
std::vector<std::string> names_in(std::string_view algorithms, const Wanted& is_wanted) {
  std::vector<std::string> names;
  for (const std::string_view name : split_list(algorithms))
    if (is_wanted(name)) names.emplace_back(name);
  return names;
}

}  // namespace

std::vector<std::string> schedule_names(std::string_view algorithms) { return names_in(algorithms, is_schedule_name); }

std::vector<Algorithm> load_schedules(std::string_view algorithms, std::optional<Collective> collective,
                                      std::span<const Algorithm> known) {
  std::vector<Algorithm> rows;
  for (const std::string& name : names_in(algorithms, names_file)) {
    if (std::ranges::find(known, name, &Algorithm::name) != known.end()) continue;
    if (mpi::is_function_name(name)) {
      if (!collective) throw InputError(fmt::format("{}: the collective is missing, whose parameters the function has", name));
      rows.push_back(mpi::function_algorithm(*collective, name));
      continue;
    }
    if (decisions::is_decision_name(name)) {
      if (!collective) throw InputError(fmt::format("{}: the collective is missing, whose decisions are meant", name));
      rows.push_back(decisions::decision_algorithm(*collective, name));
      continue;
    }
    if (schedule_file(name).empty()) throw InputError(fmt::format("'{}': the file is missing; try {}FILE.xml", name, name));
    auto schedule = std::make_shared<const CompiledSchedule>(read_msccl_file(schedule_file(name), collective));
    rows.push_back(schedule_row(name, std::move(schedule)));
  }
  return rows;
}

std::vector<Algorithm> all_rows(std::span<const std::string> plugins, const std::optional<std::string>& algorithm) {
  std::vector<Algorithm> rows(registry().begin(), registry().end());
  for (Algorithm& row : load_plugins(plugins)) rows.push_back(std::move(row));
  if (algorithm) {
    const auto load = [](std::string_view name) { return load_schedules(name, std::nullopt); };
    for (Algorithm& row : read_flag("--algo", *algorithm, load)) rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, {}, &Algorithm::collective);
  return rows;
}

std::vector<const Algorithm*> select_entries(std::span<const Algorithm> rows, const EntrySelection& selection) {
  std::vector<const Algorithm*> selected;
  std::vector<std::string_view> names;
  for (const Algorithm& row : rows) {
    if (selection.collective && row.collective != *selection.collective) continue;
    if (std::ranges::find(names, row.name) == names.end()) names.push_back(row.name);
    if (!selection.algorithm || row.name == *selection.algorithm) selected.push_back(&row);
  }
  if (selected.empty() && selection.algorithm) {
    for (const Algorithm& row : rows) {
      const bool is_asked = !selection.collective || row.collective == *selection.collective;
      if (is_asked && other_name_of(row, *selection.algorithm)) selected.push_back(&row);
    }
  }
  if (selected.empty() && selection.algorithm) {
    read_flag("--algo", *selection.algorithm, refuse_python);
    throw InputError(with_flag("--algo", unknown_name_message("algorithm", *selection.algorithm, names)));
  }
  return selected;
}

std::vector<Algorithm> select_with_options(std::span<const Algorithm> rows, const EntrySelection& selection) {
  const std::string& name = selection.algorithm.value();
  EntrySelection bare = selection;
  if (bare_name(name) != name) bare.algorithm = name.substr(0, name.find(':'));
  std::vector<Algorithm> selected;
  for (const Algorithm* row : select_entries(rows, bare))
    selected.push_back(
        read_flag("--algo", name, [&](std::string_view text) { return find_entry(rows, row->collective, text); }));
  return selected;
}

}  // namespace heddle
