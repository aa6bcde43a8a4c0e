// SPDX-License-Identifier: Apache-2.0
// The process' heap, made larger ahead of what takes it bit by bit. Otherwise the system is asked for each page of 4 KiB.
#pragma once

#include <cstddef>

namespace heddle {

/// The heap grows by `bytes` in large pages, where the system has them and malloc() keeps blocks of that size in its heap. Pages that
/// nobody has touched yet are large ones from `from` on. What is not used costs no memory. Returns where these pages end.
/// Returns nullptr where nothing was done: the process has a limit on its address space, or there is no memory. Any thread.
const void* extend_heap(std::size_t bytes, const void* from = nullptr);

}  // namespace heddle
