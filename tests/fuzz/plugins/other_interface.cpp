// SPDX-License-Identifier: Apache-2.0
// As built with the headers of another heddle.
struct Table {
  unsigned long size = sizeof(Table);
  unsigned version = 7;
};
extern "C" const Table heddle_plugin;
const Table heddle_plugin;
