// SPDX-License-Identifier: Apache-2.0
#include "topo/families/dragonfly/group_wiring.hpp"

#include <fmt/format.h>

#include "topo/fabric/stored_links.hpp"

namespace heddle {
namespace {

std::optional<std::int64_t> bounded_number(SpecFields& fields, const std::string& name) {
  const std::optional<std::int64_t> value = fields.number(name);
  if (value && *value > kMaxEndpoints) fields.refuse(fmt::format("{}={} is more than {}", name, *value, kMaxEndpoints));
  return value;
}

}  // namespace

std::int64_t required_number(SpecFields& fields, const std::string& name) {
  const std::optional<std::int64_t> value = bounded_number(fields, name);
  if (!value) fields.refuse(fmt::format("'{}=' is missing", name));
  return *value;
}

GroupWiring read_group_wiring(SpecFields& fields, std::int64_t switches, std::int64_t usual_cables, const std::string& kind) {
  const std::optional<std::int64_t> given_groups = bounded_number(fields, "groups");
  const std::optional<std::int64_t> given_cables = bounded_number(fields, "cables");
  const std::optional<std::int64_t> global = bounded_number(fields, "global");
  if (!given_groups && !global) fields.refuse("'groups=' is missing, and 'global=', from which it would follow");

  const std::int64_t ports = switches * global.value_or(0);  // at most 2^56
  const std::int64_t groups = given_groups.value_or(ports / given_cables.value_or(usual_cables) + 1);
  if (groups > kMaxEndpoints) fields.refuse(fmt::format("{} groups are more than {}", groups, kMaxEndpoints));
  std::int64_t cables = given_cables.value_or(usual_cables);
  if (groups == 1) {
    cables = usual_cables;
  } else if (global && !given_cables) {
    cables = ports / (groups - 1);
  }
  if (cables < 1) {
    fields.refuse(fmt::format("{} {} with global={} have {}·{} = {} ports for {} other groups; at most {} + 1 groups fit",
                              switches, kind, *global, switches, *global, ports, groups - 1, ports));
  }
  if (global && groups > 1 && cables * (groups - 1) > ports) {
    fields.refuse(fmt::format(
        "cables={} to each of {} other groups are {}·{} = {} ends, but {} {} with global={} have {}·{} = {} "
        "ports",
        cables, groups - 1, cables, groups - 1, cables * (groups - 1), switches, kind, *global, switches, *global, ports));
  }
  if (cables > kMaxEndpoints)
    fields.refuse(fmt::format("{} cables between two groups are more than {}", cables, kMaxEndpoints));
  return {static_cast<std::int32_t>(groups), static_cast<std::int32_t>(switches), static_cast<std::int32_t>(cables)};
}

}  // namespace heddle
