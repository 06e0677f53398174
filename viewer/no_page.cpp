#include "viewer_page.hpp"

namespace uzawa {

std::string_view viewer_page() { return {}; }

}  // namespace uzawa
