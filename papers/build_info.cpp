#include "uzawa/papers/build_info.hpp"

#include "uzawa_build_commit.hpp"

namespace uzawa::papers {

const char* build_commit() { return UZAWA_BUILD_COMMIT; }
const char* build_march() { return *UZAWA_BUILD_MARCH != '\0' ? UZAWA_BUILD_MARCH : "default"; }

}  // namespace uzawa::papers
