// SPDX-License-Identifier: Apache-2.0
// What switches offer, as a topology's text says it: "star:72,alu,multicast=s0,radix=64".
//
//   alu, multicast, a2a       which switches reduce, replicate, take apart: all of them, or those named behind "=". A name is a
//                             switch's own ("leaf0"), or what several begin with before their number ("leaf") or before a dot
//                             ("rail0" for "rail0.leaf3"); "+" joins names.
//   radix, align, precision   limits of all that offer anything (SwitchOffers)
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/nearest_name.hpp"
#include "heddle/datatype.hpp"
#include "heddle/errors.hpp"
#include "topo/spec/families.hpp"

namespace heddle {
namespace {

struct Offer {
  std::string_view name;
  bool SwitchOffers::*which;
};
constexpr std::array<Offer, 3> kOffers = {
    {{"alu", &SwitchOffers::alu}, {"multicast", &SwitchOffers::multicast}, {"a2a", &SwitchOffers::scatter_gather}}};

/// Each has a name and a word of its own: more would take gigabytes.
constexpr int kMostSwitches = 1 << 20;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// What a switch's name begins with before its number: "leaf" of "leaf12".
std::string_view level_of(std::string_view name) {
  const auto end = std::find_if_not(name.begin(), name.end(), is_letter);
  return name.substr(0, static_cast<std::size_t>(end - name.begin()));
}

/// Whether a switch is what a name says: it, or one of its level ("leaf"), or one within ("rail0" for "rail0.leaf3").
bool is_among(std::string_view a_switch, std::string_view name) {
  if (!a_switch.starts_with(name)) return false;
  const std::string_view rest = a_switch.substr(name.size());
  return rest.empty() || rest.front() == '.' || level_of(a_switch) == name;
}

/// The switches' names and what can be asked of them.
class Switches {
 public:
  Switches(SpecFields& fields, const Topology& topology) : fields_(fields), offers_(count_of(topology)) {
    for (int s = 0; s < topology.switches(); ++s) names_.push_back(topology.vertex_name(topology.endpoints() + s));
  }

  void give(const Offer& offer, std::string_view where) {
    if (where.empty()) {
      mark(offer, [](std::string_view) { return true; });
      return;
    }
    for (std::string_view rest = where;;) {
      const std::size_t plus = rest.find('+');
      give_named(offer, rest.substr(0, plus));
      if (plus == std::string_view::npos) return;
      rest.remove_prefix(plus + 1);
    }
  }

  template <class Limit>
  void limit(Limit limit) {
    for (SwitchOffers& offers : offers_) {
      if (offers.computes()) limit(offers);
    }
  }

  std::vector<SwitchOffers> take() { return std::move(offers_); }

 private:
  static std::size_t count_of(const Topology& topology) { return static_cast<std::size_t>(topology.switches()); }

  void give_named(const Offer& offer, std::string_view name) {
    if (!name.empty() && mark(offer, [name](std::string_view of) { return is_among(of, name); })) return;
    constexpr std::size_t kFew = 16;  // more are named by their levels alone
    std::vector<std::string_view> known;
    for (const std::string& one : names_) {
      if (std::find(known.begin(), known.end(), level_of(one)) == known.end()) known.push_back(level_of(one));
    }
    if (names_.size() <= kFew) known.insert(known.end(), names_.begin(), names_.end());
    fields_.refuse(fmt::format("{}={}: {}", offer.name, name, unknown_name_message("switch", name, known)));
  }

  /// Whether it is any.
  template <class Is>
  bool mark(const Offer& offer, Is is) {
    bool any = false;
    for (std::size_t s = 0; s < names_.size(); ++s) {
      if (!is(names_[s])) continue;
      offers_[s].*offer.which = any = true;
    }
    return any;
  }

  SpecFields& fields_;
  std::vector<std::string> names_;
  std::vector<SwitchOffers> offers_;
};

Datatype read_precision(const SpecFields& fields, std::string_view text) {
  if (text == "bf16") return Datatype::bf16();
  if (text == "f16") return Datatype::f16();
  fields.refuse(fmt::format("precision={}: an ALU takes bf16 or f16 in place of f32", text));
}

}  // namespace

void read_offers(SpecFields& fields, Topology& topology) {
  std::string text;
  std::optional<Switches> switches;
  const auto require_switches = [&](std::string_view field) {
    if (topology.switches() == 0)
      throw InputError(fmt::format("topology '{}': '{}': {} has no switches", fields.whole(), field, topology.spec()));
    if (topology.switches() > kMostSwitches)
      fields.refuse(fmt::format("'{}': {} switches; at most {} can compute", field, topology.switches(), kMostSwitches));
    if (!switches) switches.emplace(fields, topology);
  };
  for (const Offer& offer : kOffers) {
    const std::optional<std::string_view> where = fields.text(offer.name);
    if (!where) continue;
    require_switches(offer.name);
    switches->give(offer, *where);
    text += fmt::format(",{}{}{}", offer.name, where->empty() ? "" : "=", *where);
  }
  const std::optional<std::int64_t> radix = fields.number("radix");
  const std::optional<std::int64_t> align = fields.number("align");
  const std::optional<std::string_view> precision = fields.text("precision");
  const std::string_view limit = radix ? "radix" : align ? "align" : precision ? "precision" : "";
  if (!limit.empty()) require_switches(limit);
  if (!limit.empty() && text.empty())
    fields.refuse(fmt::format("'{}' limits what switches compute, and they compute nothing: add alu, multicast or a2a", limit));
  if (radix) {
    const auto most = static_cast<int>(std::min<std::int64_t>(*radix, std::numeric_limits<int>::max()));
    switches->limit([most](SwitchOffers& offers) { offers.radix = most; });
    text += fmt::format(",radix={}", most);
  }
  if (align) {
    switches->limit([&](SwitchOffers& offers) { offers.alignment = *align; });
    text += fmt::format(",align={}", *align);
  }
  if (precision) {
    if (!fields.text("alu")) fields.refuse("'precision' is an ALU's, and no switch has one: add alu");
    const Datatype type = read_precision(fields, *precision);
    switches->limit([type](SwitchOffers& offers) {
      if (offers.alu) offers.precision = type;
    });
    text += fmt::format(",precision={}", to_string(type));
  }
  if (switches) topology.set_offers(switches->take(), text);
}

}  // namespace heddle
