// SPDX-License-Identifier: Apache-2.0
// Each collective's rows of the registry, in documented order.
#pragma once

#include <vector>

#include "algorithms/registry.hpp"

namespace heddle {

namespace broadcast {
std::vector<Algorithm> rows();
}
namespace reduce {
std::vector<Algorithm> rows();
}
namespace allreduce {
std::vector<Algorithm> rows();
}
namespace reduce_scatter {
std::vector<Algorithm> rows();
}
namespace allgather {
std::vector<Algorithm> rows();
}
namespace gather {
std::vector<Algorithm> rows();
}
namespace scatter {
std::vector<Algorithm> rows();
}
namespace alltoall {
std::vector<Algorithm> rows();
}
namespace barrier {
std::vector<Algorithm> rows();
}

}  // namespace heddle
