// SPDX-License-Identifier: Apache-2.0
// A page of the manual in roff's man macros, in ASCII, so that it does not depend on the reader's encoding.
#pragma once

#include <string>
#include <string_view>

namespace heddle::roff {

/// A text, valid UTF-8, as roff prints it unchanged.
std::string escaped(std::string_view text);

// Words within a line; empty for none.
std::string bold(std::string_view text);
std::string italic(std::string_view text);

std::string paragraph(std::string_view text);
/// A paragraph behind a tag, which is roff already.
std::string item(std::string_view tag, std::string_view text);
/// Lines as they are.
std::string lines(std::string_view text);

}  // namespace heddle::roff
