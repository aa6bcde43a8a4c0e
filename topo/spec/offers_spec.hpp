// SPDX-License-Identifier: Apache-2.0
// What switches offer, as a topology's text says it: "star:72,alu,multicast=s0,radix=64".
//
//   alu, multicast, a2a       which switches reduce, replicate, take apart: all of them, or those named behind "=". A name is a
//                             switch's own ("leaf0"), or what several begin with before their number ("leaf") or before a dot
//                             ("rail0" for "rail0.leaf3"); "+" joins names.
//   radix, align, precision   limits of all that offer anything (SwitchOffers)
#pragma once

#include "topo/fabric/topology.hpp"
#include "topo/spec/spec_fields.hpp"

namespace heddle {

/// Reads these fields, if there are any, and gives the topology's switches what they say. Throws InputError.
void read_offers(SpecFields& fields, Topology& topology);

}  // namespace heddle
