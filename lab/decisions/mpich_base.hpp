// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace heddle::decisions {

/// MPICH's own complete tuning file, whose rules hold where there are no others: the JSON file itself
/// (maint/tuning/coll/mpir/generic.json of its sources) or the library, libmpich.so, which has it as a text. Throws InputError that
/// names `path` if it is neither.
nlohmann::ordered_json read_mpich_base(const std::string& path);

}  // namespace heddle::decisions
