// SPDX-License-Identifier: Apache-2.0
// Virtual topologies (MPI 5.0, chapter 8): grids and graphs of processes.
#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mpi/calls/calls.hpp"
#include "mpi/collectives/work.hpp"
#include "mpi/objects/membership.hpp"

namespace heddle::mpi {

namespace {

/// A communicator of the first `size` ranks, in their order. No other order is ever better: heddle's ranks are where the user has put
/// them.
CommunicatorPtr of_first(Process& process, CommunicatorObject& on, int size) {
  if (on.is_intercommunicator()) process.refuse(MPI_ERR_COMM, "a communicator of two groups has no topology");
  if (size > on.local.size())
    process.refuse(MPI_ERR_TOPOLOGY, fmt::format("the topology has {} ranks, and the communicator {}", size, on.local.size()));
  return split(process, on, on.rank < size ? 0 : -1, on.rank);
}

MPI_Comm with_topology(Process& process, CommunicatorPtr made, Topology topology) {
  if (!made) return MPI_COMM_NULL;
  made->topology = std::move(topology);
  return process.add(std::move(made));
}

template <class T>
const T& topology_of(Process& process, MPI_Comm comm, const char* kind) {
  const T* const found = std::get_if<T>(&process.find(comm)->topology);
  if (found == nullptr) process.refuse(MPI_ERR_TOPOLOGY, fmt::format("the communicator has no {}", kind));
  return *found;
}
const CartTopology& cart_of(Process& process, MPI_Comm comm) {
  return topology_of<CartTopology>(process, comm, "grid (MPI_Cart_create)");
}

constexpr const char* kCoordinates = "list of coordinates";
constexpr const char* kWeights = "list of weights";

/// To a program that has room for `max`.
void give(Process& process, std::span<const int> values, int max, int* to, const char* what) {
  const std::size_t count = std::min(values.size(), static_cast<std::size_t>(std::max(0, max)));
  process.require_list(to, static_cast<std::int64_t>(count), what);
  std::copy_n(values.begin(), count, to);
}

// ---- grids ----

CartTopology grid(Process& process, int dims, const int* sizes, const int* periods) {
  if (dims < 0) process.refuse(MPI_ERR_DIMS, fmt::format("the grid has {} dimensions", dims));
  process.require_list(sizes, dims, "list of sizes");
  process.require_list(periods, dims, "list of periods");
  CartTopology all;
  for (int i = 0; i < dims; ++i) {
    if (sizes[i] < 1) process.refuse(MPI_ERR_DIMS, fmt::format("dimension {} has the size {}", i, sizes[i]));
    all.dims.push_back(sizes[i]);
    all.is_periodic.push_back(periods[i] != 0);
  }
  return all;
}

int cart_create(const void* place, MPI_Comm comm, int dims, const int* sizes, const int* periods, int, MPI_Comm* to) {
  return serve("MPI_Cart_create", place, comm, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    CartTopology all = grid(process, dims, sizes, periods);
    const CommunicatorPtr on = process.find(comm);
    compare_calls(process, *on,
                  {.arguments = fmt::format("sizes {} and periods {}", fmt::join(all.dims, " x "),
                                            fmt::join(std::vector<int>(all.is_periodic.begin(), all.is_periodic.end()), " "))});
    CommunicatorPtr made = of_first(process, *on, all.size());
    *to = with_topology(process, std::move(made), std::move(all));
  });
}

int dims_create(const void* place, int nodes, int dims, int* sizes) {
  return serve("MPI_Dims_create", place, MPI_COMM_NULL, [&](Process& process) {
    if (nodes < 1 || dims < 0) process.refuse(MPI_ERR_DIMS, fmt::format("{} ranks in {} dimensions", nodes, dims));
    process.require_list(sizes, dims, "list of sizes");
    for (int i = 0; i < dims; ++i) {
      if (sizes[i] < 0) process.refuse(MPI_ERR_DIMS, fmt::format("dimension {} has the size {}", i, sizes[i]));
    }
    if (dims > 0 && !fill_dims(nodes, {sizes, static_cast<std::size_t>(dims)}))
      process.refuse(MPI_ERR_DIMS, fmt::format("{} ranks do not fill the sizes that are given", nodes));
  });
}

int cartdim_get(const void* place, MPI_Comm comm, int* dims) {
  return serve("MPI_Cartdim_get", place, comm, [&](Process& process) {
    process.given(dims, "number of dimensions") = static_cast<int>(cart_of(process, comm).dims.size());
  });
}

int cart_get(const void* place, MPI_Comm comm, int max, int* sizes, int* periods, int* coordinates) {
  return serve("MPI_Cart_get", place, comm, [&](Process& process) {
    const CartTopology& all = cart_of(process, comm);
    const std::vector<int> own = all.coordinates(process.find(comm)->rank);
    give(process, all.dims, max, sizes, "list of sizes");
    give(process, std::vector<int>(all.is_periodic.begin(), all.is_periodic.end()), max, periods, "list of periods");
    give(process, own, max, coordinates, kCoordinates);
  });
}

int cart_rank(const void* place, MPI_Comm comm, const int* coordinates, int* rank) {
  return serve("MPI_Cart_rank", place, comm, [&](Process& process) {
    const CartTopology& all = cart_of(process, comm);
    process.require_list(coordinates, std::ssize(all.dims), kCoordinates);
    process.given(rank, "rank") = all.rank({coordinates, all.dims.size()});
    if (*rank == MPI_PROC_NULL) process.refuse(MPI_ERR_ARG, "a coordinate is outside of a dimension that is not periodic");
  });
}

int cart_coords(const void* place, MPI_Comm comm, int rank, int max, int* coordinates) {
  return serve("MPI_Cart_coords", place, comm, [&](Process& process) {
    const CartTopology& all = cart_of(process, comm);
    if (rank < 0 || rank >= all.size()) process.refuse(MPI_ERR_RANK, fmt::format("rank {} on a grid of {}", rank, all.size()));
    give(process, all.coordinates(rank), max, coordinates, kCoordinates);
  });
}

int cart_shift(const void* place, MPI_Comm comm, int dimension, int displacement, int* source, int* dest) {
  return serve("MPI_Cart_shift", place, comm, [&](Process& process) {
    const CartTopology& all = cart_of(process, comm);
    if (dimension < 0 || static_cast<std::size_t>(dimension) >= all.dims.size())
      process.refuse(MPI_ERR_DIMS, fmt::format("dimension {} of a grid of {}", dimension, all.dims.size()));
    const int rank = process.find(comm)->rank;
    process.given(source, "source") = all.shifted(rank, dimension, -displacement);
    process.given(dest, "destination") = all.shifted(rank, dimension, displacement);
  });
}

int cart_sub(const void* place, MPI_Comm comm, const int* remains, MPI_Comm* to) {
  return serve("MPI_Cart_sub", place, comm, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    const CartTopology all = cart_of(process, comm);
    process.require_list(remains, std::ssize(all.dims), "list of dimensions that remain");
    const CommunicatorPtr on = process.find(comm);
    compare_calls(process, *on, {});
    const std::vector<int> own = all.coordinates(on->rank);
    CartTopology part;
    int color = 0;
    int key = 0;
    for (std::size_t i = 0; i < all.dims.size(); ++i) {
      if (remains[i] != 0) {
        part.dims.push_back(all.dims[i]);
        part.is_periodic.push_back(all.is_periodic[i]);
        key = key * all.dims[i] + own[i];
      } else {
        color = color * all.dims[i] + own[i];
      }
    }
    *to = with_topology(process, split(process, *on, color, key), std::move(part));
  });
}

/// Where a rank would be: where it is.
int cart_map(const void* place, MPI_Comm comm, int dims, const int* sizes, const int* periods, int* rank) {
  return serve("MPI_Cart_map", place, comm, [&](Process& process) {
    const CartTopology all = grid(process, dims, sizes, periods);
    const int own = process.find(comm)->rank;
    process.given(rank, "rank") = own < all.size() ? own : MPI_UNDEFINED;
  });
}

// ---- graphs ----

GraphTopology graph(Process& process, int nodes, const int* ends, const int* edges) {
  if (nodes < 0) process.refuse(MPI_ERR_ARG, fmt::format("the graph has {} nodes", nodes));
  process.require_list(ends, nodes, "list of indices");
  GraphTopology all;
  all.ends.assign(ends, ends + nodes);
  for (int i = 0; i < nodes; ++i) {
    if (ends[i] < (i == 0 ? 0 : ends[i - 1]))
      process.refuse(MPI_ERR_ARG, fmt::format("index {} is {}, less than the one before", i, ends[i]));
  }
  process.require_list(edges, nodes == 0 ? 0 : ends[nodes - 1], "list of edges");
  all.edges.assign(edges, edges + (nodes == 0 ? 0 : ends[nodes - 1]));
  for (const int edge : all.edges) {
    if (edge < 0 || edge >= nodes) process.refuse(MPI_ERR_ARG, fmt::format("an edge leads to node {} of {}", edge, nodes));
  }
  return all;
}
const GraphTopology& graph_of(Process& process, MPI_Comm comm) {
  return topology_of<GraphTopology>(process, comm, "graph (MPI_Graph_create)");
}

int graph_create(const void* place, MPI_Comm comm, int nodes, const int* ends, const int* edges, int, MPI_Comm* to) {
  return serve("MPI_Graph_create", place, comm, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    GraphTopology all = graph(process, nodes, ends, edges);
    const CommunicatorPtr on = process.find(comm);
    compare_calls(process, *on,
                  {.arguments = fmt::format("indices {} and edges {}", fmt::join(all.ends, " "), fmt::join(all.edges, " "))});
    *to = with_topology(process, of_first(process, *on, nodes), std::move(all));
  });
}
int graphdims_get(const void* place, MPI_Comm comm, int* nodes, int* edges) {
  return serve("MPI_Graphdims_get", place, comm, [&](Process& process) {
    const GraphTopology& all = graph_of(process, comm);
    process.given(nodes, "number of nodes") = static_cast<int>(all.ends.size());
    process.given(edges, "number of edges") = static_cast<int>(all.edges.size());
  });
}
int graph_get(const void* place, MPI_Comm comm, int max_nodes, int max_edges, int* ends, int* edges) {
  return serve("MPI_Graph_get", place, comm, [&](Process& process) {
    const GraphTopology& all = graph_of(process, comm);
    give(process, all.ends, max_nodes, ends, "list of indices");
    give(process, all.edges, max_edges, edges, "list of edges");
  });
}
std::span<const int> neighbours(Process& process, MPI_Comm comm, int rank) {
  const GraphTopology& all = graph_of(process, comm);
  if (rank < 0 || static_cast<std::size_t>(rank) >= all.ends.size())
    process.refuse(MPI_ERR_RANK, fmt::format("rank {} of a graph of {}", rank, all.ends.size()));
  return all.neighbours(rank);
}
int graph_neighbors_count(const void* place, MPI_Comm comm, int rank, int* count) {
  return serve("MPI_Graph_neighbors_count", place, comm, [&](Process& process) {
    process.given(count, "count") = static_cast<int>(neighbours(process, comm, rank).size());
  });
}
int graph_neighbors(const void* place, MPI_Comm comm, int rank, int max, int* to) {
  return serve("MPI_Graph_neighbors", place, comm,
               [&](Process& process) { give(process, neighbours(process, comm, rank), max, to, "list of neighbours"); });
}
int graph_map(const void* place, MPI_Comm comm, int nodes, const int* ends, const int* edges, int* rank) {
  return serve("MPI_Graph_map", place, comm, [&](Process& process) {
    graph(process, nodes, ends, edges);
    const int own = process.find(comm)->rank;
    process.given(rank, "rank") = own < nodes ? own : MPI_UNDEFINED;
  });
}

// ---- graphs of which each rank knows its own part ----

bool has_weights(const int* weights) { return weights != MPI_UNWEIGHTED; }
std::vector<int> weights_of(const int* weights, int count) {
  return !has_weights(weights) || weights == MPI_WEIGHTS_EMPTY ? std::vector<int>()
                                                               : std::vector<int>(weights, weights + count);
}

void check_neighbours(Process& process, const CommunicatorObject& on, int count, const int* ranks, const char* what) {
  if (count < 0) process.refuse(MPI_ERR_ARG, fmt::format("the count of {}s is {}", what, count));
  process.require_list(ranks, count, fmt::format("list of {}s", what).c_str());
  for (int i = 0; i < count; ++i) {
    if (ranks[i] < 0 || ranks[i] >= on.local.size())
      process.refuse(MPI_ERR_RANK,
                     fmt::format("{} {} is rank {}, in a communicator of {}", what, i, ranks[i], on.local.size()));
  }
}

/// Both ends of each edge name it, as often: the first that they do not, in words; empty: there is none.
std::string uneven_edge(const World::Values& told) {
  struct Named {
    int as_destination = 0;
    int as_source = 0;
  };
  std::map<std::pair<int, int>, Named> edges;  // from, to
  for (std::size_t rank = 0; rank < told.size(); ++rank) {
    const std::vector<int>& own = told[rank];
    const auto sources_end = static_cast<std::size_t>(own[0]) + 1;
    for (std::size_t i = 1; i < own.size(); ++i) {
      if (i < sources_end)
        ++edges[{own[i], static_cast<int>(rank)}].as_source;
      else
        ++edges[{static_cast<int>(rank), own[i]}].as_destination;
    }
  }
  const auto uneven =
      std::ranges::find_if(edges, [](const auto& edge) { return edge.second.as_source != edge.second.as_destination; });
  if (uneven == edges.end()) return "";
  const auto times = [](int n) { return n == 0 ? std::string("not") : n == 1 ? "once" : fmt::format("{} times", n); };
  return fmt::format(
      "rank {} names rank {} {} as a destination, and that names it {} as a source: both ends name each edge alike",
      uneven->first.first, uneven->first.second, times(uneven->second.as_destination), times(uneven->second.as_source));
}

int dist_graph_create_adjacent(const void* place, MPI_Comm comm, int indegree, const int* sources, const int* source_weights,
                               int outdegree, const int* destinations, const int* destination_weights, MPI_Info, int,
                               MPI_Comm* to) {
  return serve("MPI_Dist_graph_create_adjacent", place, comm, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    const CommunicatorPtr on = process.find(comm);
    check_neighbours(process, *on, indegree, sources, "source");
    check_neighbours(process, *on, outdegree, destinations, "destination");
    compare_calls(process, *on, {});
    std::vector<int> named{indegree};
    named.insert(named.end(), sources, sources + indegree);
    named.insert(named.end(), destinations, destinations + outdegree);
    const auto uneven = tell_all<std::string>(process, *on, std::move(named), uneven_edge);
    if (!uneven->empty()) process.refuse(MPI_ERR_TOPOLOGY, *uneven);
    DistGraphTopology own{{sources, sources + indegree},
                          weights_of(source_weights, indegree),
                          {destinations, destinations + outdegree},
                          weights_of(destination_weights, outdegree),
                          has_weights(source_weights)};
    *to = with_topology(process, of_first(process, *on, on->local.size()), std::move(own));
  });
}

/// Each rank names edges of any nodes; the ranks tell each other.
int dist_graph_create(const void* place, MPI_Comm comm, int count, const int* nodes, const int* degrees,
                      const int* destinations, const int* weights, MPI_Info, int, MPI_Comm* to) {
  return serve("MPI_Dist_graph_create", place, comm, [&](Process& process) {
    process.given(to, "communicator") = MPI_COMM_NULL;
    const CommunicatorPtr on = process.find(comm);
    check_neighbours(process, *on, count, nodes, "node");
    process.require_list(degrees, count, "list of degrees");
    const int total = std::accumulate(degrees, degrees + count, 0);
    check_neighbours(process, *on, total, destinations, "destination");
    compare_calls(process, *on, {});
    const std::vector<int> given = weights_of(weights, total);
    std::vector<int> edges;  // from, to, weight
    for (int i = 0, k = 0; i < count; ++i) {
      for (int n = 0; n < degrees[i]; ++n, ++k) {
        for (const int value : {nodes[i], destinations[k], given.empty() ? 1 : given[static_cast<std::size_t>(k)]})
          edges.push_back(value);
      }
    }
    using Graph = std::vector<DistGraphTopology>;  // by rank
    const auto graph = tell_all<Graph>(process, *on, std::move(edges), [&](const World::Values& told) {
      Graph all(static_cast<std::size_t>(on->local.size()));
      for (const std::vector<int>& named : told) {
        for (std::size_t i = 0; i + 2 < named.size(); i += 3) {
          DistGraphTopology& from = all[static_cast<std::size_t>(named[i])];
          DistGraphTopology& to_node = all[static_cast<std::size_t>(named[i + 1])];
          from.destinations.push_back(named[i + 1]), from.destination_weights.push_back(named[i + 2]);
          to_node.sources.push_back(named[i]), to_node.source_weights.push_back(named[i + 2]);
        }
      }
      return all;
    });
    DistGraphTopology own = (*graph)[static_cast<std::size_t>(on->rank)];
    own.is_weighted = has_weights(weights);
    *to = with_topology(process, of_first(process, *on, on->local.size()), std::move(own));
  });
}

const DistGraphTopology& dist_graph_of(Process& process, MPI_Comm comm) {
  return topology_of<DistGraphTopology>(process, comm, "distributed graph (MPI_Dist_graph_create)");
}
int dist_graph_neighbors_count(const void* place, MPI_Comm comm, int* indegree, int* outdegree, int* weighted) {
  return serve("MPI_Dist_graph_neighbors_count", place, comm, [&](Process& process) {
    const DistGraphTopology& own = dist_graph_of(process, comm);
    process.given(indegree, "indegree") = static_cast<int>(own.sources.size());
    process.given(outdegree, "outdegree") = static_cast<int>(own.destinations.size());
    process.given(weighted, "weighted") = own.is_weighted ? 1 : 0;
  });
}
int dist_graph_neighbors(const void* place, MPI_Comm comm, int max_in, int* sources, int* source_weights, int max_out,
                         int* destinations, int* destination_weights) {
  return serve("MPI_Dist_graph_neighbors", place, comm, [&](Process& process) {
    const DistGraphTopology& own = dist_graph_of(process, comm);
    give(process, own.sources, max_in, sources, "list of sources");
    give(process, own.destinations, max_out, destinations, "list of destinations");
    if (!own.is_weighted) return;
    if (has_weights(source_weights)) give(process, own.source_weights, max_in, source_weights, kWeights);
    if (has_weights(destination_weights)) give(process, own.destination_weights, max_out, destination_weights, kWeights);
  });
}

int topo_test(const void* place, MPI_Comm comm, int* status) {
  return serve("MPI_Topo_test", place, comm, [&](Process& process) {
    constexpr int kKinds[] = {MPI_UNDEFINED, MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH};
    process.given(status, "status") = kKinds[process.find(comm)->topology.index()];
  });
}

}  // namespace

void add_topology_calls(heddle_mpi_functions& table) {
  table.Cart_create = cart_create, table.Dims_create = dims_create, table.Cartdim_get = cartdim_get, table.Cart_get = cart_get;
  table.Cart_rank = cart_rank, table.Cart_coords = cart_coords, table.Cart_shift = cart_shift, table.Cart_sub = cart_sub;
  table.Cart_map = cart_map;
  table.Graph_create = graph_create, table.Graphdims_get = graphdims_get, table.Graph_get = graph_get,
  table.Graph_map = graph_map;
  table.Graph_neighbors_count = graph_neighbors_count, table.Graph_neighbors = graph_neighbors;
  table.Dist_graph_create = dist_graph_create, table.Dist_graph_create_adjacent = dist_graph_create_adjacent;
  table.Dist_graph_neighbors_count = dist_graph_neighbors_count, table.Dist_graph_neighbors = dist_graph_neighbors;
  table.Topo_test = topo_test;
}

}  // namespace heddle::mpi
