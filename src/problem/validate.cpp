#include "uzawa/problem/problem.hpp"

namespace uzawa {

void validate(const Problem&) {}

}  // namespace uzawa
