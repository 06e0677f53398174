#pragma once

/// All that a program needs to load a model or build one, step it, control it, log it, and solve contact problems. Each
/// of these headers can be included by itself.
#include "uzawa/base/error.hpp"
#include "uzawa/control/arm.hpp"
#include "uzawa/control/gripper.hpp"
#include "uzawa/control/impedance.hpp"
#include "uzawa/control/inverse_kinematics.hpp"
#include "uzawa/control/trajectory.hpp"
#include "uzawa/io/load.hpp"
#include "uzawa/io/tet_file.hpp"
#include "uzawa/log/log_reader.hpp"
#include "uzawa/log/log_writer.hpp"
#include "uzawa/meshing/grids.hpp"
#include "uzawa/meshing/stuffing.hpp"
#include "uzawa/model/model.hpp"
#include "uzawa/model/rod_builder.hpp"
#include "uzawa/model/soft_builder.hpp"
#include "uzawa/problem_io/problem_file.hpp"
#include "uzawa/sim/world.hpp"
#include "uzawa/solver/solver.hpp"
