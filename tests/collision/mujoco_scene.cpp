#include "mujoco_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace uzawa::test {

MujocoScene::MujocoScene(const std::string& xml) {
  const std::string path = folder_.write("scene.xml", xml).string();
  char error[500] = "";
  theirs_.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
  if (!theirs_) throw std::runtime_error(error);
  data_.reset(mj_makeData(theirs_.get()));
  loaded_ = std::make_unique<LoadedModel>(load_model(path));
  ours_ = std::make_unique<DynamicsData>(loaded_->model);
  collider_ = std::make_unique<Collider>(loaded_->model);
}

void MujocoScene::make_exact() {
#if mjVERSION_HEADER >= 3000000
  theirs_->opt.ccd_iterations = 1000;
  theirs_->opt.ccd_tolerance = 1e-12;
  theirs_->opt.disableflags |= mjDSBL_MULTICCD;
#endif
}

void MujocoScene::run(const std::vector<double>& q) {
  std::copy(q.begin(), q.end(), data_->qpos);
  mj_kinematics(theirs_.get(), data_.get());
  mj_comPos(theirs_.get(), data_.get());
  mj_collision(theirs_.get(), data_.get());
  forward_kinematics(loaded_->model, q, *ours_);
  collider_->run(ours_->link_pose);
  our_contacts_.clear();
  for (const Contact& c : collider_->contacts())
    our_contacts_.push_back({c.geom1, c.geom2, c.position, c.normal, c.gap});
  their_contacts_.clear();
  for (int i = 0; i < data_->ncon; ++i) {
    const mjContact& c = data_->contact[i];
    SceneContact contact{c.geom1, c.geom2, Vec3::from(c.pos), Vec3::from(c.frame), c.dist};
    if (contact.geom1 > contact.geom2) {
      std::swap(contact.geom1, contact.geom2);
      contact.normal = -contact.normal;
    }
    their_contacts_.push_back(contact);
  }
}

const SceneContact* deepest(const std::vector<SceneContact>& contacts) {
  const auto found = std::min_element(contacts.begin(), contacts.end(),
                                      [](const SceneContact& a, const SceneContact& b) { return a.gap < b.gap; });
  return found == contacts.end() ? nullptr : &*found;
}

std::vector<double> random_pair_pose(bool plane, double reach, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<double> q;
  for (int body = plane ? 1 : 0; body < 2; ++body) {
    const Quat turn = normalized({normal(random), {normal(random), normal(random), normal(random)}});
    for (int k = 0; k < 3; ++k) q.push_back(2 * unit(random) - 1);
    q.resize(q.size() + 4);
    turn.store(q.data() + q.size() - 4);
  }
  if (plane) {
    q[2] = (1.7 * unit(random) - 0.5) * reach;
    return q;
  }
  const Vec3 d{normal(random), normal(random), normal(random)};
  const Vec3 offset = d * ((0.3 + 0.8 * unit(random)) * reach / norm(d));
  for (int k = 0; k < 3; ++k) q[7 + static_cast<std::size_t>(k)] = q[static_cast<std::size_t>(k)] + offset[k];
  return q;
}

std::string random_geom(const std::string& shape, std::mt19937_64& random) {
  std::uniform_real_distribution<double> size(0.05, 0.5);
  std::string sizes = fmt::format("{:.17g} ", size(random));
  if (shape != "sphere") sizes += fmt::format("{:.17g} ", size(random));
  if (shape == "ellipsoid" || shape == "box") sizes += fmt::format("{:.17g}", size(random));
  return fmt::format(R"(type="{}" size="{}")", shape, shape == "plane" ? "5 5 1" : sizes);
}

std::string pair_xml(const std::string& first, const std::string& second, double margin, std::mt19937_64& random) {
  std::string xml = "<mujoco><worldbody>";
  for (const std::string& shape : {first, second}) {
    const std::string geom = fmt::format(R"(<geom {} margin="{}"/>)", random_geom(shape, random), margin / 2);
    xml += shape == "plane" ? geom : "<body><freejoint/>" + geom + "</body>";
  }
  return xml + "</worldbody></mujoco>";
}

}  // namespace uzawa::test
