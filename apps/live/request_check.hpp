#pragma once

#include <span>
#include <string>
#include <string_view>

/// Who may talk to a live server. A page of another site that the user has open can send requests to this machine, too:
/// the browser then names that site in Origin. And a name of another site may be made to lead to this machine (DNS
/// rebinding): then Host has that name. Both are refused.
namespace uzawa {

/// Why a request with this Host header is refused; empty: it is not. Allowed are numbers (an address can't be
/// rebound), localhost, and `names`.
std::string refuse_host(std::string_view host, std::span<const std::string> names);

/// Why an upgrade to a WebSocket is refused; empty: it is not. Allowed is the origin that the page itself has. Programs
/// that are no browsers send no Origin (`origin` is empty): they could write whatever they like.
std::string refuse_origin(std::string_view origin, std::string_view host);

}  // namespace uzawa
