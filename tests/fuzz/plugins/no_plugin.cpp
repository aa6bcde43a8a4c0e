// SPDX-License-Identifier: Apache-2.0
extern "C" int a_shared_library_like_any_other() { return 0; }
