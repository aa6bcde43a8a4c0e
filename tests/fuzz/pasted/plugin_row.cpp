// SPDX-License-Identifier: Apache-2.0
// A pasted test as it stands.
#include "tests/fuzz/pasted/plugin_row.txt"
