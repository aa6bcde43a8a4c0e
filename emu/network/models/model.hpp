// SPDX-License-Identifier: Apache-2.0
// Which network model a run has, by its name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// How messages share links (docs/model.md). A value.
class Model {
 public:
  static const Model fluid;       ///< max-min fair
  static const Model alpha_beta;  ///< not at all: each is as fast as alone

  /// Of a model that there is; parse_model makes one of a user's text. `name` outlives it.
  explicit constexpr Model(std::string_view name) : name_(name) {}

  constexpr std::string_view name() const { return name_; }
  friend constexpr bool operator==(Model, Model) = default;

 private:
  std::string_view name_;
};

inline constexpr Model Model::fluid{"fluid"};
inline constexpr Model Model::alpha_beta{"alpha-beta"};

/// "fluid", "alpha-beta", …. Throws InputError.
Model parse_model(std::string_view text);
std::string to_string(Model model);

/// All that there are, the usual one first.
std::vector<Model> all_models();
/// How messages share links under it, in some words: "max-min fair".
std::string_view summary_of(Model model);
/// Whether messages under it share links, so that contention takes time.
bool has_contention(Model model);
/// Whether links may be slow or down under it.
bool knows_link_faults(Model model);

}  // namespace heddle
