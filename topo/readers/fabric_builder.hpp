// SPDX-License-Identifier: Apache-2.0
// A fabric put together vertex by vertex and cable by cable, as readers of other tools' files find them.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "topo/files/file_graph.hpp"

namespace heddle {

class FabricBuilder {
 public:
  /// Numbers are in the order of adding, endpoints and switches together.
  using Vertex = std::int32_t;
  using Tier = std::size_t;

  /// `spec` is the topology's text ("nccl:topo.xml,nodes=2"), `path` the file's name in errors.
  FabricBuilder(std::string spec, std::string path) : spec_(std::move(spec)), path_(std::move(path)) {}

  /// A name that is there already: no vertex, -1.
  Vertex add_endpoint(const std::string& name) { return add_vertex(name, true); }
  Vertex add_switch(const std::string& name) { return add_vertex(name, false); }
  /// -1: there is none.
  Vertex find(const std::string& name) const;
  bool is_endpoint(Vertex vertex) const { return is_endpoint_[static_cast<std::size_t>(vertex)]; }
  const std::string& name(Vertex vertex) const { return names_[static_cast<std::size_t>(vertex)]; }

  /// Of cables of one kind and speed. Inner tiers have lower `order`; of the same order the faster comes first. The same once more is
  /// the same tier. Where tiers of one name differ in speed, their bandwidth becomes part of the name.
  Tier tier(int order, const std::string& name, const LinkSpeed& speed);
  /// Throws InputError unless that many vertices and cables fit: a few words of a file can ask for gigabytes.
  void require_room(double vertices, double cables) const;
  void add_link(Vertex from, Vertex to, Tier tier, int cables = 1, bool one_way = false);

  /// By tier of groups, innermost first, and endpoint, in the order of adding: without the last, which is one group of all.
  void set_groups(std::vector<std::vector<int>> groups) { groups_ = std::move(groups); }
  /// Endpoints pass on what is for others.
  void set_direct() { is_direct_ = true; }
  /// The tiers' speeds are not known: those of the command hold.
  void leave_speeds_open() { has_speeds_ = false; }

  int endpoints() const { return endpoints_; }
  /// How many there are so far: the number of the next.
  Vertex vertices() const { return static_cast<Vertex>(names_.size()); }

  /// Throws InputError "PATH: …" without an endpoint, and where one cannot reach another.
  std::unique_ptr<Topology> build(std::string_view content) const;

 private:
  struct TierFacts {
    int order;
    std::string name;
    LinkSpeed speed;
  };

  Vertex add_vertex(const std::string& name, bool is_endpoint);
  /// Number of each vertex where endpoints come first.
  std::vector<VertexId> final_numbers() const;
  /// Place of each tier in the file's order.
  std::vector<int> set_tiers(FabricFile& file) const;

  std::string spec_;
  std::string path_;
  std::vector<std::string> names_;
  std::vector<bool> is_endpoint_;
  std::unordered_map<std::string, Vertex> vertices_;
  std::vector<TierFacts> tiers_;
  std::vector<FabricFile::Bundle> bundles_;  ///< with numbers of vertices and tiers as they were added
  std::vector<std::vector<int>> groups_;
  double cables_ = 0;
  int endpoints_ = 0;
  bool is_direct_ = false;
  bool has_speeds_ = true;
};

}  // namespace heddle
