#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/dynamics/data.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/sim/report.hpp"
#include "uzawa/sim/stop_watch.hpp"

namespace uzawa {

/// The stages of a step, in their order: `step()` runs all of them.
enum class Stage { Integrated, Started, ContactsFound, Assembled, Solved };

/// Intermediate results of one step. The next step reads none of them: it depends on World::Snapshot alone. The memory
/// is kept from step to step.
struct StepData {
  explicit StepData(const Model& model);

  Stage stage = Stage::Integrated;    ///< the last one that has run
  std::vector<double> control;        ///< per actuator
  std::vector<double> external;       ///< joint-space force per dof, N or N m; empty: none
  std::vector<Pose> mocap_end;        ///< per mocap body: at the end of the step, and until it is moved again
  DynamicsData dynamics;              ///< poses and velocities in the middle of the step
  MiddleWorkspace middle;             ///< state and impulse in the middle of the step
  std::vector<Contact> contacts;      ///< of the start of the step, of its end (SecondLook), unreached
  std::size_t first_look = 0;         ///< how many of them are of the start
  std::vector<double> next_v;         ///< v_{k+1} as solved
  std::vector<double> drift_v;        ///< that q moves with: v_{k+1}, with RK4 the mean of the step
  std::vector<double> mean_v;         ///< of v_k and v_{k+1}, for the works of forces
  Result result;                      ///< of the last solve
  int rounds = 0;                     ///< of refinement
  int brakings = 0;                   ///< times that held rates have given way
  std::vector<Vec3> linear, angular;  ///< per link, for the collider's look-ahead
  StepReport report;
  StopWatch watch;                                         ///< stage by stage
  std::chrono::steady_clock::time_point started, solving;  ///< the step, its solves

  std::span<const Contact> start_contacts() const { return std::span(contacts).first(first_look); }
  std::span<const Contact> end_contacts() const { return std::span(contacts).subspan(first_look); }
};

}  // namespace uzawa
