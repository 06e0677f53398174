#pragma once

namespace uzawa::test {

/// Number of calls of operator new in this process so far. Linking allocations.cpp replaces the global operators.
long allocations();

}  // namespace uzawa::test
