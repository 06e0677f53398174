#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "io/temp_folder.hpp"
#include "uzawa/collision/collider.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/io/load.hpp"

/// MuJoCo's contacts beside ours, on the same model at the same pose.
namespace uzawa::test {

/// MuJoCo adds margins up since release 3; before, it took the larger one.
inline constexpr bool kModernMujoco = mjVERSION_HEADER >= 3000000;

struct SceneContact {
  int geom1 = 0, geom2 = 0;
  Vec3 position, normal;  ///< normal from geom1 to geom2
  double gap = 0;
};

class MujocoScene {
 public:
  explicit MujocoScene(const std::string& xml);

  /// As exact as MuJoCo gets: its convex collisions run on until they have converged, and give one contact a pair
  /// (several are not all on the surfaces).
  void make_exact();

  const Model& model() const { return loaded_->model; }
  const mjModel* theirs() const { return theirs_.get(); }
  const mjData* their_data() const { return data_.get(); }
  Collider& collider() { return *collider_; }
  const std::vector<Pose>& link_poses() const { return ours_->link_pose; }

  /// Places both sides and finds the contacts of both.
  void run(const std::vector<double>& q);
  const std::vector<SceneContact>& our_contacts() const { return our_contacts_; }
  const std::vector<SceneContact>& their_contacts() const { return their_contacts_; }

 private:
  TempFolder folder_;
  std::unique_ptr<mjModel, void (*)(mjModel*)> theirs_{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data_{nullptr, mj_deleteData};
  std::unique_ptr<LoadedModel> loaded_;
  std::unique_ptr<DynamicsData> ours_;
  std::unique_ptr<Collider> collider_;
  std::vector<SceneContact> our_contacts_, their_contacts_;
};

/// Deepest of a list; empty lists have none.
const SceneContact* deepest(const std::vector<SceneContact>& contacts);

/// The first geom is a plane, or both are on free bodies: poses in which shapes of these radii touch about half the
/// time.
std::vector<double> random_pair_pose(bool plane, double reach, std::mt19937_64& random);

/// "type size" of a geom with random sizes between 0.05 and 0.5 m.
std::string random_geom(const std::string& shape, std::mt19937_64& random);

/// A model of two geoms, margins such that contacts are reported below `margin`.
std::string pair_xml(const std::string& first, const std::string& second, double margin, std::mt19937_64& random);

}  // namespace uzawa::test
