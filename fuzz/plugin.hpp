// SPDX-License-Identifier: Apache-2.0
// Algorithms of one's own in a shared library, for `heddle fuzz --plugin libmine.so` (docs/fuzzing.md):
//
//   HEDDLE_PLUGIN(rows) { rows.push_back({.collective = heddle::Collective::allreduce, .name = "mine", .run = my_allreduce}); }
//
// A plugin is compiled against heddle's headers and linked with nothing of heddle: what it uses comes from the command that
// loads it (target heddle::plugin has the headers alone). It must be built by the same compiler with the same headers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/registry.hpp"
#include "core/communicator.hpp"

namespace heddle {

#define HEDDLE_TEXT_OF(x) #x
#define HEDDLE_TEXT(x) HEDDLE_TEXT_OF(x)

/// Compared when a plugin is loaded. Its number changes with every change of what plugins use.
inline constexpr const char* kPluginInterface = "heddle plugin interface 1, C++ ABI " HEDDLE_TEXT(__GXX_ABI_VERSION)
#if defined(_GLIBCXX_USE_CXX11_ABI)
    ", libstdc++ strings " HEDDLE_TEXT(_GLIBCXX_USE_CXX11_ABI)
#endif
    ;

#undef HEDDLE_TEXT
#undef HEDDLE_TEXT_OF

/// Of what is handed over: headers that differ in it are not those that the command was built with.
inline constexpr unsigned kPluginRowSize = sizeof(Algorithm);

/// Loads the library for the rest of the process's life and returns the rows that it registers. Throws InputError: no such
/// file, not a plugin, made for another heddle, or no rows. `path` without a slash is a file in the current directory.
std::vector<Algorithm> load_plugin(const std::string& path);

}  // namespace heddle

/// Opens the definition of the function that adds the plugin's rows to `rows`, a std::vector<heddle::Algorithm>&. Once in a
/// library. A test that has the plugin's source among its own calls it as heddle_register(rows).
#define HEDDLE_PLUGIN(rows)                                                             \
  extern "C" const char* heddle_plugin_interface() { return heddle::kPluginInterface; } \
  extern "C" unsigned heddle_plugin_row_size() { return heddle::kPluginRowSize; }       \
  extern "C" void heddle_register(std::vector<heddle::Algorithm>& rows) /* the user's body follows */

/// What HEDDLE_PLUGIN defines.
extern "C" void heddle_register(std::vector<heddle::Algorithm>& rows);
