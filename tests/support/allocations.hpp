#pragma once

namespace uzawa::test {

/// Number of calls of operator new and of malloc in this process so far. Linking allocations.cpp replaces them.
long allocations();

}  // namespace uzawa::test
