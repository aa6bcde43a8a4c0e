// SPDX-License-Identifier: Apache-2.0
#include "mpi/compiler/compiler_files.hpp"

#include <fmt/format.h>

#include <sstream>
#include <system_error>

#include "heddle/errors.hpp"

namespace heddle::mpi {

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool is_there(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored);
}

}  // namespace

CompilerSettings installed_compiler(CompilerLanguage language, const std::filesystem::path& command,
                                    const std::optional<std::string>& chosen) {
  CompilerSettings settings;
  settings.compiler = words_of(chosen.value_or(""));
  if (settings.compiler.empty()) settings.compiler = {language == CompilerLanguage::c ? "cc" : "c++"};
  settings.command_folder = command.parent_path().string();
  const std::filesystem::path beside = (command.parent_path() / HEDDLE_MODULES_FROM_BIN).lexically_normal();
  if (is_there(beside / "libheddle_mpi_entry.a") && is_there(beside / "mpi" / "mpi.h")) {
    settings.entry_archive = (beside / "libheddle_mpi_entry.a").string();
    settings.home = (beside / "mpi").string();
    settings.include_folders = {settings.home};
    return settings;
  }
  if (is_there(HEDDLE_MPI_BUILT_ARCHIVE) && is_there(HEDDLE_MPI_SOURCES "/abi/mpi.h")) {
    settings.entry_archive = HEDDLE_MPI_BUILT_ARCHIVE;
    settings.include_folders = {HEDDLE_MPI_SOURCES "/abi", HEDDLE_MPI_SOURCES "/libc"};
    return settings;
  }
  throw InputError(fmt::format(
      "libheddle_mpi_entry.a and mpi/mpi.h, which MPI programs are compiled with, are not in {}; install heddle again",
      beside.string()));
}

}  // namespace heddle::mpi
