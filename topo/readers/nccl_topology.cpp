// SPDX-License-Identifier: Apache-2.0
// A node as NCCL sees it: the XML that NCCL_TOPO_DUMP_FILE writes (RCCL's with xgmi), and several such nodes.
//
//   system > cpu > pci > … > pci > gpu > nvlink, xgmi       endpoints; cables to other GPUs or to the NVSwitch
//                          > pci > nic > net                NICs, joined by one ideal switch where there are several nodes
//
// Speeds are those that NCCL's own search takes (src/graph/topo.h, topo.cc): of NVLink by the GPU's sm, of PCIe by link_speed and
// link_width, between sockets by the CPU. They are what NCCL expects of a link, a little below what is printed on it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "core/files/xml_file.hpp"
#include "heddle/errors.hpp"
#include "topo/readers/fabric_builder.hpp"
#include "topo/spec/families.hpp"

namespace heddle {

namespace {

Bandwidth gigabytes(double per_second) { return Bandwidth(per_second * 1e9); }

/// One NVLink, one way, by the compute capability.
double nvlink_speed(std::int64_t sm) {
  if (sm >= 100) return 40.1;
  if (sm >= 90) return 20.6;
  if (sm == 86) return 12;
  if (sm >= 70 || sm < 60) return 20;
  return 18;
}

/// One xGMI link, one way, by the architecture ("gfx942", or "910" in older dumps).
double xgmi_speed(std::string_view gcn) {
  if (gcn.starts_with("gfx94") || gcn.starts_with("gfx95") || gcn.starts_with("94") || gcn.starts_with("95")) return 48;
  if (gcn == "gfx90a" || gcn == "910") return 36;
  return 24;
}

/// Of a lane, in 100 Mb/s. What NCCL does not know is generation 3 to it.
double lane_speed(std::string_view link_speed) {
  static constexpr std::array<std::pair<std::string_view, double>, 6> kGenerations = {
      {{"2.5", 15}, {"5", 30}, {"8", 60}, {"16", 120}, {"32", 240}, {"64", 480}}};
  std::string_view number = link_speed.substr(0, link_speed.find(' '));
  if (number.ends_with(".0")) number.remove_suffix(2);
  const auto known = std::ranges::find(kGenerations, number, [](const auto& generation) { return generation.first; });
  return known == kGenerations.end() ? 60 : known->second;
}

class NcclReader {
 public:
  using Vertex = FabricBuilder::Vertex;

  NcclReader(std::string spec, std::string path, int nodes)
      : file_(path, "system", "NCCL topology"), builder_(std::move(spec), std::move(path)), nodes_(nodes) {}

  std::unique_ptr<Topology> read() {
    collect_gpus(file_.root());
    if (gpus_.empty())
      file_.fail(
          "a topology without a <gpu>: NCCL_TOPO_DUMP_FILE of a run on GPUs has them, with their NVLinks; a file for "
          "NCCL_TOPO_FILE may have PCI devices alone");
    std::ranges::stable_sort(gpus_, {},
                             [](const Gpu& gpu) { return std::pair(gpu.rank < 0 ? 0 : 1, gpu.rank < 0 ? gpu.dev : gpu.rank); });
    name_gpus();
    for (node_ = 0; node_ < nodes_; ++node_) add_node();
    set_groups();
    return builder_.build(file_.text());
  }

 private:
  /// Of tiers.
  enum Order : int { kNvlink, kInside, kPcie, kSockets, kNetwork };

  struct Gpu {
    pugi::xml_node node;
    std::int64_t dev = 0;
    std::int64_t rank = -1;
    std::int64_t sm = 0;
    std::string bus;
    std::string name;
  };

  void require_name(const pugi::xml_node& node, std::initializer_list<std::string_view> names) const {
    if (std::ranges::find(names, std::string_view(node.name())) == names.end())
      file_.fail(node, fmt::format("<{}> in a <{}>, where NCCL writes none", node.name(), node.parent().name()));
  }

  void require_at_most(std::size_t count, std::size_t most, const pugi::xml_node& node, std::string_view what) const {
    if (count > most) file_.fail(node, fmt::format("more than {} {}", most, what));
  }

  void collect_gpus(const pugi::xml_node& node) {
    for (const pugi::xml_node& part : node.children()) {
      if (part.type() != pugi::node_element) continue;
      if (part.name() != std::string_view("gpu")) {
        collect_gpus(part);
        continue;
      }
      if (node.name() != std::string_view("pci")) file_.fail(part, "a <gpu> that is in no <pci>");
      require_at_most(gpus_.size(), 4096, part, "GPUs");
      require_at_most(static_cast<std::size_t>(std::ranges::distance(part.children())), 1024, part, "links of a GPU");
      const auto dev = file_.whole_of(part, "dev", 0, 1 << 16);
      if (!dev) file_.fail(part, "<gpu> without dev");
      const bool is_nvidia = part.attribute("sm") && !part.attribute("gcn");
      gpus_.push_back({.node = part,
                       .dev = *dev,
                       .rank = file_.whole_of(part, "rank", -1, 1 << 24).value_or(-1),
                       .sm = is_nvidia ? file_.whole_of(part, "sm", 0, 1 << 16).value_or(0) : 0,
                       .bus = lower_case(file_.required(node, "busid")),
                       .name = {}});
    }
  }

  /// By dev; where several hosts have the same, by the place in the file.
  void name_gpus() {
    std::set<std::int64_t> seen;
    bool is_clear = true;
    for (const Gpu& gpu : gpus_) is_clear = is_clear && seen.insert(gpu.dev).second;
    for (std::size_t i = 0; i < gpus_.size(); ++i)
      gpus_[i].name = fmt::format("gpu{}", is_clear ? gpus_[i].dev : static_cast<std::int64_t>(i));
  }

  // ---- a node ----

  std::string named(std::string_view name) const {
    return nodes_ == 1 ? std::string(name) : fmt::format("n{}.{}", node_, name);
  }

  Vertex add_switch(const pugi::xml_node& at, std::string_view name) {
    const Vertex vertex = builder_.add_switch(named(name));
    if (vertex < 0) file_.fail(at, fmt::format("{} is there twice", name));
    return vertex;
  }

  void add_node() {
    gpu_vertex_.clear();
    sockets_.clear();
    for (const Gpu& gpu : gpus_) {
      const Vertex vertex = builder_.add_endpoint(named(gpu.name));
      if (!gpu_vertex_.emplace(gpu.bus, vertex).second)
        file_.fail(gpu.node, fmt::format("a second GPU at busid {}; parts of one GPU are not read", gpu.bus));
    }
    int cpus = 0;
    for (const pugi::xml_node& cpu : file_.root().children()) {
      if (cpu.type() != pugi::node_element) continue;
      require_name(cpu, {"cpu"});
      require_at_most(sockets_.size(), 256, cpu, "sockets");
      const std::string name = fmt::format("cpu{}", cpus++);
      const Vertex vertex = add_switch(cpu, name);
      sockets_.push_back({cpu, vertex});
      add_parts(cpu, vertex);
    }
    for (std::size_t a = 0; a < sockets_.size(); ++a) {
      for (std::size_t b = a + 1; b < sockets_.size(); ++b) add_socket_link(sockets_[a], sockets_[b]);
    }
    for (const Gpu& gpu : gpus_) add_fast_links(gpu);
  }

  void add_parts(const pugi::xml_node& node, Vertex parent) {
    for (const pugi::xml_node& part : node.children()) {
      if (part.type() != pugi::node_element) continue;
      require_name(part, {"pci", "nic"});
      if (part.name() == std::string_view("nic"))
        add_nic(part, parent);
      else
        add_pci(part, parent);
    }
  }

  /// A bridge, or a GPU's or a NIC's own function: what is within is behind one link.
  void add_pci(const pugi::xml_node& pci, Vertex parent) {
    const std::string bus = lower_case(file_.required(pci, "busid"));
    const pugi::xml_node gpu = pci.child("gpu");
    const bool is_wanted = gpu || has_use(pci);
    if (!is_wanted) return;  // NVSwitches are on PCIe as well, for their management
    const Vertex vertex = add_switch(pci, fmt::format("pci.{}", bus));
    builder_.add_link(vertex, parent,
                      builder_.tier(kPcie, "PCIe", {.bandwidth = pcie_speed(pci), .latency = kDefault.latency}));
    if (gpu) {
      if (gpu.next_sibling("gpu"))
        file_.fail(gpu.next_sibling("gpu"), fmt::format("a second GPU at busid {}; parts of one GPU are not read", bus));
      builder_.add_link(gpu_vertex_.at(bus), vertex, inside());
      return;
    }
    add_parts(pci, vertex);
  }

  /// Whether a GPU, or a NIC that leads anywhere, is in it.
  bool has_use(const pugi::xml_node& node) const {
    for (const pugi::xml_node& part : node.children()) {
      const std::string_view name = part.name();
      if (name == "gpu" || (name == "nic" && nodes_ > 1 && part.child("net")) ||
          ((name == "pci" || name == "nic") && has_use(part)))
        return true;
      if (part.type() == pugi::node_element) require_name(part, {"gpu", "nic", "pci", "net"});
    }
    return false;
  }

  Bandwidth pcie_speed(const pugi::xml_node& pci) const {
    const std::int64_t width = file_.whole_of(pci, "link_width", 0, 32).value_or(0);
    const double lane = lane_speed(file_.text_of(pci, "link_speed"));
    return gigabytes((width == 0 ? 16 : static_cast<double>(width)) * lane / 80);
  }

  /// From a device's function to what it is: no link of its own.
  FabricBuilder::Tier inside() { return builder_.tier(kInside, "device", {.bandwidth = gigabytes(5000), .latency = Time()}); }

  void add_nic(const pugi::xml_node& nic, Vertex parent) {
    if (nodes_ == 1) return;
    for (const pugi::xml_node& net : nic.children()) {
      if (net.type() != pugi::node_element) continue;
      require_name(net, {"net"});
      const std::string name = file_.required(net, "name");
      // A socket's NIC may be listed at each cpu; it is one, at the first.
      if (builder_.find(named(name)) >= 0) continue;
      const Vertex vertex = add_switch(net, name);
      builder_.add_link(vertex, parent, inside());
      if (network_ < 0) network_ = builder_.add_switch("network");
      const std::int64_t said = file_.whole_of(net, "speed", 0, 1 << 28).value_or(0);
      const double megabits = said == 0 ? 10'000 : static_cast<double>(said);
      const std::string text = file_.text_of(net, "latency");
      const Time latency = text.empty() ? Time() : file_.span(file_.line_of(net), text, "latency", 1e-6);
      builder_.add_link(vertex, network_,
                        builder_.tier(kNetwork, "network",
                                      {.bandwidth = Bandwidth(megabits * 1e6 / 8),
                                       .latency = latency > Time() ? latency : kDefault.latency}));
    }
  }

  // ---- between sockets ----

  struct Socket {
    pugi::xml_node node;
    Vertex vertex;
  };

  void add_socket_link(const Socket& a, const Socket& b) {
    if (file_.text_of(a.node, "host_hash") != file_.text_of(b.node, "host_hash")) return;  // of two hosts
    const double speed = std::min(socket_speed(a.node), socket_speed(b.node));
    builder_.add_link(a.vertex, b.vertex,
                      builder_.tier(kSockets, "sockets", {.bandwidth = gigabytes(speed), .latency = kDefault.latency}));
  }

  double socket_speed(const pugi::xml_node& cpu) const {
    const std::string arch = file_.text_of(cpu, "arch");
    const std::string vendor = file_.text_of(cpu, "vendor");
    if (arch == "ppc64") return 32;
    if (arch != "x86_64" || vendor.empty()) return 6;
    if (vendor == "AuthenticAMD") return 16;
    if (vendor != "GenuineIntel") return 6;
    const std::int64_t family = file_.whole_of(cpu, "familyid", 0, 1 << 16).value_or(6);
    const std::int64_t model = file_.whole_of(cpu, "modelid", 0, 1 << 16).value_or(0);
    if (family != 6 || model < 0x55) return 6;            // Broadwell
    return model >= 0xCF ? 40 : model >= 0x8F ? 22 : 10;  // Emerald Rapids, Sapphire Rapids, Skylake
  }

  // ---- NVLink and xGMI ----

  void add_fast_links(const Gpu& gpu) {
    for (const pugi::xml_node& link : gpu.node.children()) {
      if (link.type() != pugi::node_element) continue;
      require_name(link, {"nvlink", "xgmi", "c2c"});
      if (link.name() == std::string_view("c2c")) continue;  // to the CPU's memory
      const bool is_xgmi = link.name() == std::string_view("xgmi");
      const std::int64_t count = file_.whole_of(link, "count", 1, 1 << 16).value_or(1);
      const double speed = is_xgmi ? xgmi_speed(file_.text_of(gpu.node, "gcn")) : nvlink_speed(gpu.sm);
      const FabricBuilder::Tier tier =
          builder_.tier(kNvlink, is_xgmi ? "xGMI" : "NVLink", {.bandwidth = gigabytes(speed), .latency = kDefault.latency});
      add_fast_link(gpu, link, static_cast<int>(count), tier);
    }
  }

  void add_fast_link(const Gpu& gpu, const pugi::xml_node& link, int count, FabricBuilder::Tier tier) {
    const std::string target = lower_case(file_.required(link, "target"));
    const Vertex from = gpu_vertex_.at(gpu.bus);
    const auto other = gpu_vertex_.find(target);
    if (other != gpu_vertex_.end()) {
      if (target == gpu.bus) file_.fail(link, fmt::format("a link of {} to itself", gpu.name));
      require_both_say(gpu, link, target);
      // Each of the two says it.
      if (from < other->second) builder_.add_link(from, other->second, tier, count);
      return;
    }
    const std::string kind = file_.text_of(link, "tclass");
    if (kind.starts_with("0x0680") && kind != "0x068001") {
      // NCCL takes all NVSwitches for one.
      const std::string name = named("nvswitch");
      const Vertex known = builder_.find(name);
      builder_.add_link(from, known >= 0 ? known : builder_.add_switch(name), tier, count);
    } else if (kind == "0x068001") {
      builder_.add_link(from, socket_of(gpu.node), tier, count);
    }
    // Else a GPU that the job did not see.
  }

  void require_both_say(const Gpu& gpu, const pugi::xml_node& link, const std::string& target) const {
    const auto other = std::ranges::find(gpus_, target, &Gpu::bus);
    std::int64_t back = 0;
    for (const pugi::xml_node& its : other->node.children(link.name()))
      if (lower_case(file_.text_of(its, "target")) == gpu.bus) back += file_.whole_of(its, "count", 1, 1 << 16).value_or(1);
    std::int64_t all = 0;
    for (const pugi::xml_node& its : gpu.node.children(link.name()))
      if (lower_case(file_.text_of(its, "target")) == target) all += file_.whole_of(its, "count", 1, 1 << 16).value_or(1);
    if (all != back)
      file_.fail(link, fmt::format("{} has {} {}s to {}, which has {} to it; both ends of a link say it", gpu.name, all,
                                   link.name(), other->name, back));
  }

  Vertex socket_of(pugi::xml_node node) const {
    while (node.name() != std::string_view("cpu") && node) node = node.parent();
    return std::ranges::find(sockets_, node, &Socket::node)->vertex;
  }

  // ---- groups ----

  void set_groups() {
    if (nodes_ == 1) return;
    std::vector<int> node;
    for (int n = 0; n < nodes_; ++n) node.insert(node.end(), gpus_.size(), n);
    builder_.set_groups({std::move(node)});
  }

  static constexpr LinkSpeed kDefault = {};

  XmlFile file_;
  FabricBuilder builder_;
  int nodes_;
  int node_ = 0;
  std::vector<Gpu> gpus_;
  std::map<std::string, Vertex> gpu_vertex_;  ///< of the node that is added, by busid
  std::vector<Socket> sockets_;
  Vertex network_ = -1;
};

std::unique_ptr<Topology> build_nccl_topology(SpecFields& fields) {
  const std::string path = read_file_name(fields);
  constexpr std::int64_t kMostNodes = 1 << 16;
  const std::int64_t nodes = fields.number("nodes").value_or(1);
  if (nodes > kMostNodes) fields.refuse(fmt::format("nodes={}: at most {} are possible", nodes, kMostNodes));
  const std::string spec = "nccl:" + path + (nodes == 1 ? "" : fmt::format(",nodes={}", nodes));
  return NcclReader(spec, path, static_cast<int>(nodes)).read();
}

}  // namespace

std::vector<FamilyEntry> nccl_topology_families() {
  return {{{"nccl", "nccl:topo.xml,nodes=2", "nodes of GPUs, from NCCL_TOPO_DUMP_FILE", true}, build_nccl_topology}};
}

}  // namespace heddle
