// SPDX-License-Identifier: Apache-2.0
// A line as the words that a shell makes of it, as far as quotes go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Words between blanks; quotes hold a word together and go. Throws InputError for a quote without an end.
std::vector<std::string> shell_words(std::string_view line);

/// A text as one word: in quotes where it needs them. It has quotes of one kind at most.
std::string shell_word(std::string_view text);

}  // namespace heddle
