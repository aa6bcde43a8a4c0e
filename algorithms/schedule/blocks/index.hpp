// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace heddle::schedule {

/// A rank, block or round as the index of a container: ranks[at(r)].
constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace heddle::schedule
