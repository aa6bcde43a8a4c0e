// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "core/files/foreign_file.hpp"

namespace heddle {

/// XML of another tool, whose elements know their lines.
class XmlFile : public ForeignFile {
 public:
  /// Its root is an element of that name; `what` is what it would be with it ("NCCL topology"). Throws InputError.
  XmlFile(std::string path, const char* root, std::string_view what);

  const pugi::xml_node& root() const { return root_; }
  int line_of(const pugi::xml_node& node) const;
  using ForeignFile::fail;
  [[noreturn]] void fail(const pugi::xml_node& node, const std::string& reason) const { fail(line_of(node), reason); }

  std::string text_of(const pugi::xml_node& node, const char* name) const;
  /// Throws InputError where it is not there.
  std::string required(const pugi::xml_node& node, const char* name) const;
  std::optional<std::int64_t> whole_of(const pugi::xml_node& node, const char* name, std::int64_t least,
                                       std::int64_t most) const;

 private:
  pugi::xml_document document_;
  pugi::xml_node root_;
  std::vector<std::size_t> line_ends_;
};

}  // namespace heddle
