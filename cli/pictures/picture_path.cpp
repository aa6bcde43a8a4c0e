// SPDX-License-Identifier: Apache-2.0
#include "cli/pictures/picture_path.hpp"

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

}  // namespace heddle::pictures
