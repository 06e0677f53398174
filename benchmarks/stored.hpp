#pragma once

namespace uzawa::bench {

/// The table of stored problems of other projects: ours beside Siconos. False where CANAL leaves one unsolved.
bool run_stored();

}  // namespace uzawa::bench
