#pragma once

#include <exception>

#include "recorder.hpp"
#include "run_summary.hpp"
#include "subject.hpp"

namespace uzawa::cli {

/// Number of steps in a time, s. Throws InputError where they are too many to count.
long step_count(double duration, double dt);

/// Steps until the end, Ctrl-C or a step that fails, and closes the recorder (null: none). `log_error` gets what is
/// wrong with its files, which also ends it.
RunSummary simulate(Subject& subject, long steps, Recorder* recorder, std::exception_ptr& log_error);

}  // namespace uzawa::cli
