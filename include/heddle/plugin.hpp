// SPDX-License-Identifier: Apache-2.0
// Algorithms of one's own in a shared library, for every command that takes algorithms: `heddle run … --plugin libmine.so`
// (docs/fuzzing.md):
//
//   HEDDLE_PLUGIN(rows) { rows.push_back({.collective = heddle::Collective::allreduce, .name = "mine", .run = my_allreduce}); }
//
// A plugin is compiled against heddle's headers and linked with nothing of heddle. What it uses comes from the command that
// loads it; target heddle::plugin has the headers alone. It must be built with the same headers and the same C++ standard
// library. The compiler may be another, as g++ and Clang lay out classes and name functions alike (the Itanium C++ ABI).
#pragma once

#include <vector>

#include "heddle/communicator.hpp"
#include "heddle/registry.hpp"

namespace heddle {

/// Compared when a plugin is loaded. Its number changes with every change of what plugins use. Compilers' own ABI numbers are no
/// part of it. They count corner cases and differ between g++ and Clang, and none of those cases is in what is handed over.
#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI
inline constexpr const char* kPluginInterface = "heddle plugin interface 6, libstdc++";
#elif defined(_GLIBCXX_USE_CXX11_ABI)
inline constexpr const char* kPluginInterface = "heddle plugin interface 6, libstdc++ with the strings of before C++11";
#else
inline constexpr const char* kPluginInterface = "heddle plugin interface 6, another standard library than libstdc++";
#endif

/// Of what is handed over: headers that differ in it are not those that the command was built with.
inline constexpr unsigned kPluginRowSize = sizeof(Algorithm);

}  // namespace heddle

/// Opens the definition of the function that adds the plugin's rows to `rows`, a std::vector<heddle::Algorithm>&. Once in a
/// library. A test that has the plugin's source among its own calls it as heddle_register(rows).
#define HEDDLE_PLUGIN(rows)                                                             \
  extern "C" const char* heddle_plugin_interface() { return heddle::kPluginInterface; } \
  extern "C" unsigned heddle_plugin_row_size() { return heddle::kPluginRowSize; }       \
  extern "C" void heddle_register(std::vector<heddle::Algorithm>& rows) /* the user's body follows */

/// What HEDDLE_PLUGIN defines.
extern "C" void heddle_register(std::vector<heddle::Algorithm>& rows);
