#pragma once

#include <cstdint>
#include <vector>

#include "uzawa/log/log_frame.hpp"

/// The datasets of a log, listed once for writer and reader.
namespace uzawa {

inline constexpr const char* kLogFormat = "uzawa-log";
inline constexpr int kLogFormatVersion = 1;

/// A frame as rows of numbers: one row of each dataset, of contacts and constraint rows as many as there are.
struct PackedFrame {
  std::vector<double> time, q, v, activation, mocap, mocap_v, control, external, sensors;
  std::vector<double> residual, siconos, penetration, stage_seconds, energy;
  std::vector<int> status, solve_status, iterations, inner_iterations, islands, constraints, resolves;
  // per contact
  std::vector<double> position, normal, gap, force;
  std::vector<int> geoms;
  std::vector<std::uint64_t> key;
  // per constraint row
  std::vector<int> source, element, part;
  std::vector<double> row_force;
};

enum class LogGroup { Frame, Contact, Row };

struct LogField {
  LogGroup group;
  const char* name;
  const char* about;
  int width;  ///< numbers a row; kAsGiven: as many as the model asks for
  static constexpr int kAsGiven = -1;
};

/// visit(LogField, vector of numbers) for every dataset. `Packed`: a PackedFrame, const or not.
template <typename Packed, typename Visit>
void visit_fields(Packed& p, Visit&& visit) {
  using enum LogGroup;
  constexpr int kAsGiven = LogField::kAsGiven;
  visit(LogField{Frame, "time", "s, after the step", 1}, p.time);
  visit(LogField{Frame, "q", "positions after the step; quaternions w x y z", kAsGiven}, p.q);
  visit(LogField{Frame, "v", "velocities after the step", kAsGiven}, p.v);
  visit(LogField{Frame, "activation", "actuator states after the step", kAsGiven}, p.activation);
  visit(LogField{Frame, "mocap", "7 a mocap body, after the step: x y z, w x y z", kAsGiven}, p.mocap);
  visit(LogField{Frame, "mocap_velocity", "6 a mocap body, in the step, world: m/s of its origin, rad/s", kAsGiven},
        p.mocap_v);
  visit(LogField{Frame, "control", "one number an actuator, during the step", kAsGiven}, p.control);
  visit(LogField{Frame, "external", "external force along the dofs during the step, N or N m", kAsGiven}, p.external);
  visit(LogField{Frame, "sensors", "values after the step; model/sensors and model/sensor_size say whose", kAsGiven},
        p.sensors);
  visit(LogField{Frame, "energy", "J, after the step: kinetic, potential of gravity", 2}, p.energy);
  visit(LogField{Frame, "status", "0 solved, 1 capped, 2 least-violation, 3 relaxed, 4 failed", 1}, p.status);
  visit(LogField{Frame, "solve_status",
                 "0 converged, 1 iteration-limit, 2 time-limit, 3 least-violation, 4 relaxed, 5 stalled", 1},
        p.solve_status);
  visit(LogField{Frame, "iterations", "of the hardest island", 1}, p.iterations);
  visit(LogField{Frame, "inner_iterations", "of all islands", 1}, p.inner_iterations);
  visit(LogField{Frame, "islands", "connected pieces of the problem", 1}, p.islands);
  visit(LogField{Frame, "constraint_count", "constraints of the problem, contacts included", 1}, p.constraints);
  visit(LogField{Frame, "resolves", "times the step was solved again", 1}, p.resolves);
  visit(LogField{Frame, "residual", "the judge's, m/s and N s", 1}, p.residual);
  visit(LogField{Frame, "siconos", "the judge's Siconos error", 1}, p.siconos);
  visit(LogField{Frame, "penetration", "m, deepest contact at the start of the step", 1}, p.penetration);
  visit(LogField{Frame, "stage_seconds", "s of wall time: dynamics, collision, assembly, solve, integrate", 5},
        p.stage_seconds);
  visit(LogField{Contact, "contacts/position", "m, world", 3}, p.position);
  visit(LogField{Contact, "contacts/normal", "from the first geom to the second, world", 3}, p.normal);
  visit(LogField{Contact, "contacts/gap", "m, at the start of the step; negative: penetration", 1}, p.gap);
  visit(LogField{Contact, "contacts/force", "N, on the second geom, mean of the step, world", 3}, p.force);
  visit(LogField{Contact, "contacts/geoms", "numbers of the two geoms", 2}, p.geoms);
  visit(LogField{Contact, "contacts/key", "the same for the same features from step to step", 1}, p.key);
  visit(LogField{Row, "rows/source",
                 "0 joint limit, 1 joint friction, 2 tendon limit, 3 tendon friction, 5 equality, -1 other", 1},
        p.source);
  visit(LogField{Row, "rows/element", "number of the joint, tendon or equality", 1}, p.element);
  visit(LogField{Row, "rows/part", "dof of the joint; of an equality 0-2 position, 3-5 rotation", 1}, p.part);
  visit(LogField{Row, "rows/force", "N or N m along the row's coordinate, mean of the step", 1}, p.row_force);
}

/// Numbers a row of the field's dataset.
std::size_t field_width(const LogField& field, const LogInfo& info);

void pack(const LogFrame& frame, PackedFrame& out);
void unpack(const PackedFrame& packed, LogFrame& out);

}  // namespace uzawa
