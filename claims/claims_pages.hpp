// SPDX-License-Identifier: Apache-2.0
// docs/claims.md and the pages and pictures in docs/claims/: the first where it is asked for, the others in a folder beside it.
#pragma once

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "claims/claim_outcome.hpp"
#include "show/document/output_file.hpp"

namespace heddle::claims {

class ClaimsPages {
 public:
  /// Makes the folder, "docs/claims" for "docs/claims.md". "-", a pipe and the like take all pages one after another, without
  /// pictures. Throws InputError where something cannot be written, or for a name without an ending.
  ClaimsPages(const std::optional<std::string>& path, std::span<const Selected> selected);

  bool is_standard_output() const { return is_standard_output_; }
  bool has_pictures() const { return first_ && !first_->is_stream(); }

  void write(std::span<const Outcome> outcomes, std::ostream& out) const;

 private:
  bool is_standard_output_ = false;
  std::string beside_;             ///< what stands before a file's path beside the first page: "docs/"
  std::string folder_ = "claims";  ///< as the pages name it
  std::optional<OutputFile> first_;
};

}  // namespace heddle::claims
