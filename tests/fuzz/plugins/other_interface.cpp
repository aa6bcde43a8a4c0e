// SPDX-License-Identifier: Apache-2.0
// As built with the headers of another heddle.
extern "C" const char* heddle_plugin_interface() { return "heddle plugin interface 0"; }
extern "C" unsigned heddle_plugin_row_size() { return 1; }
