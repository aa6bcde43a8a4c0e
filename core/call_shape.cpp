// SPDX-License-Identifier: Apache-2.0
#include "core/call_shape.hpp"

#include <algorithm>

namespace heddle {

Shape shape_of_call(const Communicator& over, Collective collective, const CollectiveArguments& arguments, Datatype type) {
  Shape shape;
  shape.ranks = over.size();
  if (const Grid* const grid = over.grid()) {
    shape.dims = grid->dims();
    shape.wraps = grid->wraps();
  }
  shape.count = has_blocks(collective) ? arguments.blocks.count() : std::max(arguments.input.count(), arguments.output.count());
  shape.bytes = shape.count * static_cast<std::int64_t>(type.size());
  shape.type = type;
  shape.root = arguments.root.value();
  shape.equal_blocks = !has_blocks(collective) || arguments.blocks.all_equal();
  shape.cost = over.message_cost();
  shape.tiers = over.tiers();
  return shape;
}

}  // namespace heddle
