// SPDX-License-Identifier: Apache-2.0
#include "core/datatype.hpp"

#include "core/element_types.hpp"
#include "core/errors.hpp"
#include "core/nearest_name.hpp"

namespace heddle {

std::string to_string(Datatype type) {
  return visit_element_type(
      type, []<class T>(std::type_identity<T>) { return std::string(kElementFacts<T>.name); },
      [type] { return "user" + std::to_string(type.size()); });
}

const std::vector<Datatype>& builtin_datatypes() {
  static const std::vector<Datatype> all = [] {
    std::vector<Datatype> types;
    for_each_element_type([&types]<class T>(std::type_identity<T>) { types.push_back(kElementFacts<T>.type); });
    return types;
  }();
  return all;
}

Datatype parse_datatype(std::string_view text) {
  std::vector<std::string_view> names;
  std::vector<std::string_view> nccl_names;
  for_each_element_type([&]<class T>(std::type_identity<T>) {
    names.push_back(kElementFacts<T>.name);
    nccl_names.push_back(kElementFacts<T>.nccl_name);
  });
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text == names[i] || text == nccl_names[i]) return builtin_datatypes()[i];
  }
  names.insert(names.end(), nccl_names.begin(), nccl_names.end());
  throw InputError(unknown_name_message("datatype", text, names));
}

}  // namespace heddle
