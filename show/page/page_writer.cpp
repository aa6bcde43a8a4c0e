// SPDX-License-Identifier: Apache-2.0
#include "show/page/page_writer.hpp"

#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string_view>
#include <utility>

#include "show/page/page_files.hpp"

namespace heddle::pages {

namespace {

using Json = nlohmann::ordered_json;

/// "<" would end the script that holds the data, or begin a comment in it.
void write_data(const Json& data, std::ostream& out) {
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string_view rest = text;
  for (std::size_t place = rest.find('<'); place != std::string_view::npos; place = rest.find('<')) {
    out << rest.substr(0, place) << "\\u003c";
    rest.remove_prefix(place + 1);
  }
  out << rest;
}

void write_text(std::string_view text, std::ostream& out) {
  for (const char letter : text) {
    if (letter == '<')
      out << "&lt;";
    else if (letter == '>')
      out << "&gt;";
    else if (letter == '&')
      out << "&amp;";
    else
      out << letter;
  }
}

}  // namespace

void write_page(const Json& data, std::ostream& out) {
  const Json title = Json::parse(Json(data.at("title")).dump(-1, ' ', false, Json::error_handler_t::replace));
  struct Place {
    std::string_view name;
    std::function<void()> fill;
  };
  const Place places[] = {
      {"{{title}}", [&] { write_text(title.get<std::string>(), out); }},
      {"{{style}}", [&] { out << style(); }},
      {"{{data}}", [&] { write_data(data, out); }},
      {"{{scripts}}",
       [&] {
         for (const std::string_view script : scripts()) out << "<script>\n" << script << "\n</script>\n";
       }},
  };
  std::string_view rest = skeleton();
  for (const Place& place : places) {
    const std::size_t at = rest.find(place.name);
    out << rest.substr(0, at);
    place.fill();
    rest.remove_prefix(at + place.name.size());
  }
  out << rest;
}

std::string page_text(const Json& data) {
  std::ostringstream out;
  write_page(data, out);
  return std::move(out).str();
}

}  // namespace heddle::pages
