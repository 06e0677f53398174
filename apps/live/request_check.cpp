#include "uzawa/live/request_check.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cctype>

namespace uzawa {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// Without the port.
std::string_view name_of(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool is_address(std::string_view name) {
  const bool bracketed = name.starts_with('[') && name.ends_with(']');
  boost::system::error_code error;
  const std::string text(bracketed ? name.substr(1, name.size() - 2) : name);
  const auto address = boost::asio::ip::make_address(text, error);
  return !error && address.is_v6() == bracketed;
}

}  // namespace

std::string refuse_host(std::string_view host, std::span<const std::string> names) {
  const std::string name = lower(name_of(host));
  const bool known = name == "localhost" || is_address(name) ||
                     std::any_of(names.begin(), names.end(), [&](const std::string& n) { return lower(n) == name; });
  return known ? "" : "this server does not go by that name: `uzawa view --name` allows more";
}

std::string refuse_origin(std::string_view origin, std::string_view host) {
  if (origin.empty()) return "";
  const std::string text = lower(origin), own = lower(host);
  if (!own.empty() && (text == "http://" + own || text == "https://" + own)) return "";
  return "a page of another site may not use this server";
}

}  // namespace uzawa
