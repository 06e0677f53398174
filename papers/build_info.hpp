#pragma once

/// What this program was built from.
namespace uzawa::papers {

const char* build_commit();  ///< as git describes it, "-dirty" where files were changed; "unknown" without git
const char* build_march();   ///< instruction set, -march; "default" where none was chosen

}  // namespace uzawa::papers
