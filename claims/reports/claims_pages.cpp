// SPDX-License-Identifier: Apache-2.0
#include "claims/reports/claims_pages.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "claims/reports/claims_markdown.hpp"
#include "core/errors.hpp"

namespace heddle::claims {

ClaimsPages::ClaimsPages(const std::optional<std::string>& path, std::span<const Selected> selected) {
  if (!path) return;
  is_standard_output_ = path == "-";
  if (is_standard_output_) return;
  first_.emplace(*path);
  if (first_->is_stream()) return;
  const std::filesystem::path page(*path);
  if (!page.has_extension())
    throw InputError(fmt::format("--markdown '{0}': give the page an ending, '{0}.md': its other pages lie in '{0}'", *path));
  folder_ = page.stem().string();
  const std::string name = page.filename().string();
  beside_ = path->substr(0, path->size() - name.size());
  std::error_code error;
  std::filesystem::create_directories(beside_ + folder_, error);
  if (error) throw InputError(fmt::format("--markdown: '{}{}': no folder can be made: {}", beside_, folder_, error.message()));
  for (const Selected& it : selected) OutputFile(fmt::format("{}{}/{}.md", beside_, folder_, it.source->name));
}

void ClaimsPages::write(std::span<const Outcome> outcomes, std::ostream& out) const {
  if (!is_standard_output_ && !first_) return;
  const std::string first = first_page(outcomes, folder_);
  const std::vector<PageFile> others = source_pages(outcomes, folder_);
  if (has_pictures()) {
    for (const PageFile& page : others) OutputFile(beside_ + page.path).write(page.content);
    for (const PageFile& picture : pictures_of(outcomes, folder_)) OutputFile(beside_ + picture.path).write(picture.content);
    first_->write(first);
    return;
  }
  std::string all = first;
  for (const PageFile& page : others) all += '\n' + page.content;
  if (is_standard_output_) out << all;
  if (first_) first_->write(all);
}

}  // namespace heddle::claims
