#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "uzawa/sim/row_labels.hpp"
#include "uzawa/sim/world.hpp"

/// Contents of a log as plain data: input of the writer and output of the reader. docs/log-format.md has the layout of
/// the file.
namespace uzawa {

/// Properties of the whole run: versions, settings, names of the model's elements, initial state.
struct LogInfo {
  std::string version;       ///< of uzawa
  std::string model;         ///< name of the model
  std::string source;        ///< file it came from; empty: built by a program
  std::string scene;         ///< named scene; empty: none
  std::string parameters;    ///< of the scene, as in "count=10 mu=0.5"
  std::uint64_t seed = 0;    ///< of the scene
  std::string solver;        ///< method by name, as requested
  double dt = 0, theta = 0;  ///< s; -
  double tolerance = 0;      ///< of the solver
  double restitution = 0;
  int threads = 1;
  int every = 1;             ///< every n-th step is a frame
  bool interrupted = false;  ///< the run was ended early

  std::vector<std::string> bodies, joints, geoms, actuators, tendons, equalities;  ///< names
  std::vector<int> joint_type;                                                     ///< JointType
  std::vector<int> joint_q, joint_v;  ///< per joint: index of its first number in q and v
  std::vector<int> geom_body;
  std::vector<std::string> sensors;  ///< names
  std::vector<int> sensor_size;      ///< per sensor: how many of the values, which follow one another, are its own
  State start;                       ///< before the first step

  bool operator==(const LogInfo&) const = default;
};

struct LogContact {
  int geom1 = 0, geom2 = 0;
  Vec3 position;        ///< m, world
  Vec3 normal;          ///< from geom1 to geom2, world
  double gap = 0;       ///< m, at the start of the step
  Vec3 force;           ///< N, on geom2, mean of the step, world
  std::uint64_t key{};  ///< the same from step to step
};

/// Force of a joint limit, of dry friction or of an equality along its own coordinate; springs and servos are part of
/// the dynamics and not listed.
struct LogRow {
  int source = -1;   ///< ConstraintSource; -1: of another kind
  int element = 0;   ///< joint, tendon or equality
  int part = 0;      ///< dof of the joint; of an equality 0-2 position, 3-5 rotation
  double force = 0;  ///< N or N m, mean of the step
};

/// One step: the state after it, its contacts, constraint forces and solver figures.
struct LogFrame {
  State state;
  std::vector<double> control, external;  ///< as given; zeros where nothing was
  std::vector<LogContact> contacts;
  std::vector<LogRow> rows;
  StepReport report;
  std::vector<double> sensors;        ///< values of all sensors
  double kinetic = 0, potential = 0;  ///< J, of `state`; potential: gravity
};

/// LogInfo of a world: model, settings and names; the caller adds version, scene, seed and so on. `start` is its
/// present state.
LogInfo describe(const World& world);

/// Makes frames of a world's steps. The world must outlive it.
class FrameMaker {
 public:
  explicit FrameMaker(const World& world);
  /// The last step, which had this control and external force (empty: zeros). Valid until the next call.
  const LogFrame& make(std::span<const double> control, std::span<const double> external);

 private:
  void add_contacts();
  void add_rows();

  const World& world_;
  RowLabels labels_;
  DynamicsData data_;  ///< for the energy
  LogFrame frame_;
};

}  // namespace uzawa
