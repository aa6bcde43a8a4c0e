// SPDX-License-Identifier: Apache-2.0
#include "core/files/xml_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/printable.hpp"

namespace heddle {

namespace {

/// Whoever goes through the tree goes down it.
class DepthCheck : public pugi::xml_tree_walker {
 public:
  static constexpr int kDeepest = 64;
  bool for_each(pugi::xml_node& node) override {
    if (depth() < kDeepest) return true;
    too_deep = node;
    return false;
  }
  pugi::xml_node too_deep;
};

}  // namespace

XmlFile::XmlFile(std::string path, const char* root, std::string_view what) : ForeignFile(std::move(path)) {
  for (std::size_t at = text().find('\n'); at != std::string::npos; at = text().find('\n', at + 1)) line_ends_.push_back(at);
  const pugi::xml_parse_result parsed =
      document_.load_buffer(text().data(), text().size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) {
    const auto offset = static_cast<std::size_t>(parsed.offset);
    fail(static_cast<int>(std::ranges::lower_bound(line_ends_, offset) - line_ends_.begin()) + 1, parsed.description());
  }
  root_ = document_.document_element();
  if (root_.name() != std::string_view(root))
    fail(root_, fmt::format("<{}> where the <{}> of a {} is expected", printable(root_.name()), root, what));
  if (root_.next_sibling()) fail(root_.next_sibling(), fmt::format("a second element beside <{}>; a file has one", root));
  DepthCheck depth;
  if (!document_.traverse(depth))
    fail(depth.too_deep, fmt::format("elements more than {} deep in each other", DepthCheck::kDeepest));
}

int XmlFile::line_of(const pugi::xml_node& node) const {
  const auto offset = static_cast<std::size_t>(node.offset_debug());
  return static_cast<int>(std::ranges::lower_bound(line_ends_, offset) - line_ends_.begin()) + 1;
}

std::string XmlFile::text_of(const pugi::xml_node& node, const char* name) const {
  return printable(node.attribute(name).value());
}

std::string XmlFile::required(const pugi::xml_node& node, const char* name) const {
  std::string text = text_of(node, name);
  if (text.empty()) fail(node, fmt::format("<{}> without {}", printable(node.name()), name));
  return text;
}

std::optional<std::int64_t> XmlFile::whole_of(const pugi::xml_node& node, const char* name, std::int64_t least,
                                              std::int64_t most) const {
  const std::string text = text_of(node, name);
  if (text.empty()) return std::nullopt;
  return whole(line_of(node), text, name, least, most);
}

}  // namespace heddle
