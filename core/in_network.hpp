// SPDX-License-Identifier: Apache-2.0
// Collectives that the switches compute: reduced, replicated or taken apart on the way (Collectives Explainer 04, §1).
#pragma once

#include <cstdint>
#include <string>

#include "core/collective.hpp"

namespace heddle {

/// What the switches offer to the ranks of one communicator. Belongs to one task, as its communicator does.
class InNetwork {
 public:
  virtual ~InNetwork() = default;

  /// Empty if the switches serve a call of `count` elements; else why not, in half a sentence. They may lack the offer, the
  /// operation or the type, or ranks are outside their domain or beyond their radix. The same on every rank. `op` is of a collective
  /// that reduces.
  virtual std::string why_not(Collective collective, Datatype type, std::int64_t count, const ReduceOp* op) const = 0;

  /// Does the collective in the network. Every rank of the communicator calls it alike; it starts when the last one has, and
  /// blocks until this rank has its part. Throws UsageError where why_not() is not empty: nothing is done in software.
  virtual void perform(Collective collective, const CollectiveArguments& arguments) = 0;
};

}  // namespace heddle
