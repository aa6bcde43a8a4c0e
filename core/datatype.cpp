// SPDX-License-Identifier: Apache-2.0
#include "core/datatype.hpp"

#include <array>

#include "core/errors.hpp"
#include "core/nearest_name.hpp"

namespace heddle {

std::string to_string(Datatype type) {
  switch (type.kind()) {
    case Datatype::Kind::i32:
      return "i32";
    case Datatype::Kind::i64:
      return "i64";
    case Datatype::Kind::u32:
      return "u32";
    case Datatype::Kind::u64:
      return "u64";
    case Datatype::Kind::f16:
      return "f16";
    case Datatype::Kind::bf16:
      return "bf16";
    case Datatype::Kind::f32:
      return "f32";
    case Datatype::Kind::f64:
      return "f64";
    case Datatype::Kind::user:
      break;
  }
  return "user" + std::to_string(type.size());
}

const std::vector<Datatype>& builtin_datatypes() {
  static const std::vector<Datatype> types = {Datatype::i32(), Datatype::i64(),  Datatype::u32(), Datatype::u64(),
                                              Datatype::f16(), Datatype::bf16(), Datatype::f32(), Datatype::f64()};
  return types;
}

Datatype parse_datatype(std::string_view text) {
  // nccl-tests' names, in the order of builtin_datatypes().
  static constexpr std::array<std::string_view, 8> kNcclNames = {"int32", "int64",    "uint32", "uint64",
                                                                 "half",  "bfloat16", "float",  "double"};
  const std::vector<Datatype>& types = builtin_datatypes();
  std::vector<std::string> own_names;
  for (std::size_t i = 0; i < types.size(); ++i) {
    own_names.push_back(to_string(types[i]));
    if (text == own_names[i] || text == kNcclNames[i]) return types[i];
  }
  std::vector<std::string_view> known(own_names.begin(), own_names.end());
  known.insert(known.end(), kNcclNames.begin(), kNcclNames.end());
  throw InputError(unknown_name_message("datatype", text, known));
}

}  // namespace heddle
