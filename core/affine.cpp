// SPDX-License-Identifier: Apache-2.0
#include "core/affine.hpp"

#include <cstring>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

AffineMap load(const std::byte* elements, std::size_t i) {
  AffineMap map;
  std::memcpy(&map, elements + i * sizeof map, sizeof map);
  return map;
}

void compose_each(const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype type) {
  if (type != affine_type()) {
    throw UsageError("op affine: elements are of type " + to_string(type) + "; it composes " + to_string(affine_type()));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const AffineMap composed = compose(load(a, i), load(b, i));
    std::memcpy(result + i * sizeof composed, &composed, sizeof composed);
  }
}

}  // namespace

Datatype affine_type() { return Datatype::user(sizeof(AffineMap)); }

const ReduceOp& affine_op() {
  static const ReduceOp op("affine", compose_each, {.commutative = false, .idempotent = false});
  return op;
}

}  // namespace heddle
