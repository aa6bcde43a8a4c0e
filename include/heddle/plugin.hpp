// SPDX-License-Identifier: Apache-2.0
// Algorithms of one's own in a shared library, for every command that takes algorithms: `heddle run … --plugin libmine.so`
// (docs/fuzzing.md):
//
//   HEDDLE_PLUGIN(rows) { rows.push_back({.collective = heddle::Collective::allreduce, .name = "mine", .run = my_allreduce}); }
//
// A plugin is compiled against heddle's headers (target heddle::plugin) and linked with nothing of heddle. What it uses comes from
// the command that loads it. It hands its entries over by a C table, member by member and by name. So a heddle whose entries have
// members that the plugin's lack, or lack members of the plugin's, loads it all the same.
// It must be built with the same C++ standard library. The compiler may be another: g++ and Clang lay out classes and name
// functions alike (the Itanium C++ ABI).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "heddle/communicator.hpp"
#include "heddle/registry.hpp"

extern "C" {

/// A member of an entry.
struct heddle_member {
  const char* name;  ///< as heddle::for_each_member has it: "needs.grid"
  std::size_t size;  ///< of its C++ type, in bytes
  const void* value;
};

/// Takes one entry. It copies what it takes, and `entries` is whose it becomes.
using heddle_take_entry = void (*)(void* entries, const heddle_member* members, std::size_t count);

/// What a plugin is: the symbol `heddle_plugin`. Later versions of heddle add members at the end and read smaller tables.
struct heddle_plugin_table {
  std::size_t size;      ///< of this table where the plugin was compiled, in bytes
  unsigned version;      ///< heddle::kPluginVersion there
  const char* standard;  ///< heddle::kPluginLibrary there
  /// Hands over all entries, one after the other. What it throws is the plugin's complaint.
  void (*hand_over)(void* entries, heddle_take_entry take);
};

}  // extern "C"

namespace heddle {

/// Compared when a plugin is loaded. It changes with what plugins use besides members of entries: Communicator's functions,
/// CollectiveArguments, the types of members.
inline constexpr unsigned kPluginVersion = 12;

/// Compared as well. Compilers' own ABI numbers are no part of it: they count corner cases and differ between g++ and Clang. None
/// of those cases is in what is handed over.
#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI
inline constexpr const char* kPluginLibrary = "libstdc++";
#elif defined(_GLIBCXX_USE_CXX11_ABI)
inline constexpr const char* kPluginLibrary = "libstdc++ with the strings of before C++11";
#else
inline constexpr const char* kPluginLibrary = "another standard library than libstdc++";
#endif

/// Algorithm::configured as it is handed over: its result crosses member by member, too.
using ConfiguredEntry = std::function<void(const Options&, void* entries, heddle_take_entry take)>;

inline void hand_over(const Algorithm& entry, void* entries, heddle_take_entry take) {
  std::vector<heddle_member> members;
  const auto add = [&members](const char* name, const auto& value) { members.push_back({name, sizeof value, &value}); };
  for_each_member(entry, add);
  ConfiguredEntry configured;
  if (entry.configured)
    configured = [inner = entry.configured](const Options& options, void* to, heddle_take_entry taken) {
      hand_over(inner(options), to, taken);
    };
  add("configured", configured);
  take(entries, members.data(), members.size());
}

}  // namespace heddle

/// Opens the definition of the function that adds the plugin's rows to `rows`, a std::vector<heddle::Algorithm>&. Once in a
/// library. A test that has the plugin's source among its own calls it as heddle_register(rows).
#define HEDDLE_PLUGIN(rows)                                                                                  \
  extern "C" void heddle_hand_over(void* entries, heddle_take_entry take) {                                  \
    std::vector<heddle::Algorithm> all;                                                                      \
    heddle_register(all);                                                                                    \
    for (const heddle::Algorithm& entry : all) heddle::hand_over(entry, entries, take);                      \
  }                                                                                                          \
  extern "C" const heddle_plugin_table heddle_plugin = {sizeof(heddle_plugin_table), heddle::kPluginVersion, \
                                                        heddle::kPluginLibrary, heddle_hand_over};           \
  extern "C" void heddle_register(std::vector<heddle::Algorithm>& rows) /* the user's body follows */

/// What HEDDLE_PLUGIN defines.
extern "C" void heddle_register(std::vector<heddle::Algorithm>& rows);
extern "C" const heddle_plugin_table heddle_plugin;
