// SPDX-License-Identifier: Apache-2.0
// HEDDLE_ADDRESS_SANITIZER and HEDDLE_THREAD_SANITIZER: 1 where this is compiled with that sanitizer, else 0. g++ defines a
// macro, Clang has a feature.
#pragma once

#if defined(__has_feature)
#define HEDDLE_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#define HEDDLE_THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#if defined(__SANITIZE_ADDRESS__)
#define HEDDLE_ADDRESS_SANITIZER 1
#else
#define HEDDLE_ADDRESS_SANITIZER 0
#endif
#if defined(__SANITIZE_THREAD__)
#define HEDDLE_THREAD_SANITIZER 1
#else
#define HEDDLE_THREAD_SANITIZER 0
#endif
#endif
