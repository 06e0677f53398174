#include "uzawa/model/spec_append.hpp"

#include "uzawa/base/at.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa {

Pose reference_pose(const ModelSpec& spec, int body) {
  Pose pose;
  for (int b = body; b > 0; b = spec.bodies[at(b)].parent) {
    const BodySpec& local = spec.bodies[at(b)];
    pose = Pose::from(local.position, normalized(local.orientation)) * pose;
  }
  return pose;
}

void append_joint(ModelSpec& spec, const JointSpec& joint, std::span<const double> reference_q) {
  const auto extend = [&](std::vector<double>& q) { q.insert(q.end(), reference_q.begin(), reference_q.end()); };
  // Empty means the default configuration, and stays so.
  if (!spec.reference_q.empty()) extend(spec.reference_q);
  if (!spec.spring_q.empty()) extend(spec.spring_q);
  for (KeyframeSpec& key : spec.keyframes) {
    extend(key.q);
    key.v.resize(key.v.size() + at(v_size(joint.type)), 0.0);
  }
  spec.joints.push_back(joint);
}

}  // namespace uzawa
