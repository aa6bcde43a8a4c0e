// SPDX-License-Identifier: Apache-2.0
// The least time in which a fabric can do a collective, whatever the algorithm. A run that claims less is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emu/data/call_layout.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::emu {

struct LowerBound {
  double seconds = 0;
  std::string reason;  ///< "the whole vector must cross the middle of dimension 0", for a message
};

/// With m_b the bytes of block b, M = Σ m_b, and L₁ the latency of the shortest way out of (into) an endpoint, the largest of
///
///   latency     α + the least latency between two ranks of which one needs something from the other, for the two farthest:
///               root and another rank, or any two. Of a barrier, which moves nothing else, this is all.
///   ports       α + L₁ + what rank r must at least send / B_out(r), and what it must receive / B_in(r), for each r:
///
///                 broadcast         the root sends M, the others receive M
///                 reduce            the others send M, the root receives M
///                 allreduce         each sends M and receives M
///                 reduce_scatter    each sends M - m_r and receives m_r
///                 allgather         each sends m_r and receives M - m_r
///                 gather, scatter   the root receives (sends) M - m_root, the others send (receive) m_r
///                 alltoall          each sends and receives all but the block to itself
///
///   all ports   α + L₁ + what all ranks must send together / Σ_r B_out(r), and the same with B_in. Each element of a broadcast
///               or an allgather enters p - 1 ranks; of a reduce or a reduce_scatter, p contributions become one in p - 1
///               messages; of an allreduce they must spread from everyone to everyone: p participants who call one another one
///               way need 2p - 2 calls for that (gossiping: Harary, Schwenk 1974, "The communication problem on graphs and
///               digraphs").
///   cuts        α + L₁ + bytes / B(cut), each way over each cut of a grid in two halves: what one side has and the other needs
///               (the bisection bound, Dally, Towles 2004, "Principles and Practices of Interconnection Networks", §3.3.2). An
///               allreduce moves M both ways, a reduce_scatter the other side's blocks, an allgather this side's.
///
/// B_out(r) and B_in(r) are the bandwidths of all links out of and into rank r's endpoint. Traffic that passes through an
/// endpoint on its way only adds to it. Zero for p = 1, and where no element moves but in a barrier.
///
/// Where switches computed, "all ports" is the sum of what each rank must send (and receive) itself: vectors become one, and
/// one becomes many, inside of the fabric. Cuts are those of grids, which have no switches.
///
/// Of a run that claims `claimed` seconds, the latency is left out where a look from one rank shows that it is no longer.
enum class Arithmetic : std::uint8_t { ranks, switches };
LowerBound lower_bound(const Fabric& fabric, const Placement& placement, const CallLayout& layout, double bytes_per_element,
                       Arithmetic arithmetic = Arithmetic::ranks, double claimed = 0);

// How far apart in time the ranks of a placement are.

/// The least latency of a way from one endpoint to another (Σ of Fabric::latency over its links). Every way counts, not only
/// the routed ones: nothing is faster, relayed or not.
class Latencies {
 public:
  enum class Way : std::uint8_t { from, to };

  /// From a vertex to all, or from all to it.
  Latencies(const Fabric& fabric, Way way);

  /// By vertex; Time::max() where no way leads.
  std::vector<Time> of(VertexId start) const;
  /// How much work one of them is, roughly: links looked at.
  std::int64_t steps() const { return static_cast<std::int64_t>(links_.size()); }

 private:
  struct Link {
    VertexId next;
    Time latency;
  };

  std::vector<Time> by_links(VertexId start) const;
  std::vector<Time> by_time(VertexId start) const;

  std::vector<std::int32_t> first_;  ///< of the links that leave each vertex, or enter it, and where the last one's end
  std::vector<Link> links_;
  bool is_uniform_ = false;  ///< all have one latency
};

/// For the two ranks that are farthest apart. Zero for a single rank. Exact for up to a few hundred ranks and on rings, tori,
/// meshes, stars and full meshes of any size; else, where looking from each rank would take too long, at most the true value.
/// `latencies` are those from a rank.
Time longest_latency(const Latencies& latencies, const Placement& placement);

/// Work that is worth an exact answer: milliseconds.
inline constexpr std::int64_t kMostLatencySteps = 1 << 22;

}  // namespace heddle::emu
