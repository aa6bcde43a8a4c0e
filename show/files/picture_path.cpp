// SPDX-License-Identifier: Apache-2.0
#include "show/files/picture_path.hpp"

#include <cctype>
#include <filesystem>

namespace heddle::pictures {

std::string path_of_one(std::string_view path, std::string_view name) {
  std::string safe(name);
  for (char& letter : safe)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 &&
        std::string_view("._-+=,").find(letter) == std::string_view::npos)
      letter = '_';
  const std::filesystem::path whole(path);
  return (whole.parent_path() / (whole.stem().string() + "-" + safe + whole.extension().string())).string();
}

std::string path_of(const Setup& plan, const Algorithm& algorithm, const std::string& path) {
  return plan.algorithms.chosen.size() == 1 ? path : path_of_one(path, algorithm.name);
}

std::vector<OutputFile> files_of(const Setup& plan, const std::string& path) {
  const OutputFile as_named(path);  // a directory, say, is refused by the name that was given
  std::vector<OutputFile> files;
  for (const Algorithm& algorithm : plan.algorithms.chosen)
    files.emplace_back(path_of(plan, algorithm, path), plan.clock.interrupted);
  return files;
}

}  // namespace heddle::pictures
