#include "uzawa/io/urdf_repair.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>

namespace uzawa::mujoco {

namespace {

using tinyxml2::XMLElement;

std::string attribute(const XMLElement* element, const char* name) {
  const char* value = element == nullptr ? nullptr : element->Attribute(name);
  return value == nullptr ? "" : value;
}

double number(const XMLElement* element, const char* name) {
  double value = 0;
  if (element != nullptr) element->QueryDoubleAttribute(name, &value);
  return value;
}

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

template <typename Visit>
void for_each_child(XMLElement* parent, const char* name, Visit&& visit) {
  for (XMLElement* child = parent->FirstChildElement(name); child != nullptr;) {
    XMLElement* next = child->NextSiblingElement(name);
    visit(child);
    child = next;
  }
}

constexpr const char* kEntries[3][3] = {{"ixx", "ixy", "ixz"}, {"ixy", "iyy", "iyz"}, {"ixz", "iyz", "izz"}};

Eigen::Matrix3d read_inertia(const XMLElement* inertia) {
  Eigen::Matrix3d matrix;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) matrix(r, c) = number(inertia, kEntries[r][c]);
  }
  return matrix;
}

void write_inertia(XMLElement* inertia, const Eigen::Matrix3d& matrix) {
  for (int r = 0; r < 3; ++r) {
    for (int c = r; c < 3; ++c) inertia->SetAttribute(kEntries[r][c], matrix(r, c));
  }
}

/// A ball of water, 2/5 m r^2: the smallest that a link of that mass is likely to have. The compiler takes no less than
/// 1e-14 kg m^2 for positive.
double ball_inertia(double mass) {
  constexpr double kLeast = 1e-13;
  const double radius = std::cbrt(3 * mass / (4 * M_PI * 1000));
  return std::max(kLeast, 0.4 * mass * radius * radius);
}

/// The inertia of a mass distribution is tr(S) 1 - S with S the second moments, which is positive semidefinite. Its
/// negative part is cut off, and moments of a rod's zero thickness are raised to a share of the largest, because the
/// compiler takes no zeros. An inertia of nothing becomes that of a ball. Returns what was done, or nothing.
std::string make_physical(double mass, Eigen::Matrix3d& inertia) {
  constexpr double kThinnest = 1e-6;  // of the largest second moment
  constexpr double kRounding = 1e-4;  // below it, what the few digits of a file explain
  const Eigen::Matrix3d moments = inertia.trace() / 2 * Eigen::Matrix3d::Identity() - inertia;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(moments);
  Eigen::Vector3d s = solver.eigenvalues();
  const double largest = s.maxCoeff();
  if (!(largest > 1e-14 * std::max(mass, 1e-3))) {
    const double ball = ball_inertia(mass);
    inertia = ball * Eigen::Matrix3d::Identity();
    return "zero inertia; that of a ball of water of its mass is taken, " + text_of(ball) + " kg m^2";
  }
  if (s.minCoeff() >= kThinnest * largest) return "";
  const bool negative = s.minCoeff() < -kRounding * largest;
  s = s.cwiseMax(kThinnest * largest);
  const Eigen::Matrix3d repaired = solver.eigenvectors() * s.asDiagonal() * solver.eigenvectors().transpose();
  inertia = repaired.trace() * Eigen::Matrix3d::Identity() - repaired;
  if (!negative) return "";
  return "an inertia that no body can have; the nearest is taken, " + text_of(inertia(0, 0)) + " " +
         text_of(inertia(1, 1)) + " " + text_of(inertia(2, 2)) + " kg m^2";
}

/// Links that fixed joints make one rigid piece, and whether it moves.
class RigidGroups {
 public:
  RigidGroups(XMLElement* robot, bool free_base) {
    for_each_child(robot, "joint", [&](XMLElement* joint) {
      const std::string child = attribute(joint->FirstChildElement("child"), "link");
      parent_[child] = attribute(joint->FirstChildElement("parent"), "link");
      if (attribute(joint, "type") == "fixed") fixed_.insert(child);
    });
    free_base_ = free_base;
  }
  /// The link whose joint moves the piece.
  std::string head(std::string link) const {
    for (std::size_t i = 0; i <= parent_.size() && fixed_.contains(link); ++i) link = parent_.at(link);
    return link;
  }
  bool moves(const std::string& head) const { return parent_.contains(head) || (free_base_ && head != "world"); }

 private:
  std::map<std::string, std::string> parent_;
  std::set<std::string> fixed_;
  bool free_base_ = false;
};

bool has_collision_shape(XMLElement* link) { return link->FirstChildElement("collision") != nullptr; }

XMLElement* child_of(XMLElement* parent, const char* name) {
  XMLElement* found = parent->FirstChildElement(name);
  return found != nullptr ? found : parent->InsertNewChildElement(name);
}

void set_inertial(XMLElement* link, double mass, double inertia) {
  XMLElement* inertial = child_of(link, "inertial");
  child_of(inertial, "mass")->SetAttribute("value", mass);
  write_inertia(child_of(inertial, "inertia"), inertia * Eigen::Matrix3d::Identity());
}

/// Without mass and without inertia a joint accelerates without end. A ten-thousandth of the robot changes little else.
void weigh_light_links(XMLElement* robot, bool free_base, std::vector<std::string>& warnings) {
  const RigidGroups groups(robot, free_base);
  std::map<std::string, bool> weighs;
  double total = 0;
  for_each_child(robot, "link", [&](XMLElement* link) {
    XMLElement* inertial = link->FirstChildElement("inertial");
    const double mass = inertial == nullptr ? 0 : number(inertial->FirstChildElement("mass"), "value");
    total += std::max(0.0, mass);
    // Without <inertial> the compiler takes the shapes at the density of water.
    if (mass > 0 || (inertial == nullptr && has_collision_shape(link)))
      weighs[groups.head(attribute(link, "name"))] = true;
  });
  const double mass = std::max(1e-4 * total, 1e-5);
  for_each_child(robot, "link", [&](XMLElement* link) {
    const std::string name = attribute(link, "name");
    if (groups.head(name) != name || !groups.moves(name) || weighs[name]) return;
    set_inertial(link, mass, ball_inertia(mass));
    warnings.push_back("link '" + name + "' moves and has no mass; it gets " + text_of(mass) + " kg");
  });
}

bool has_extent(XMLElement* shape, const char* name) {
  std::istringstream numbers(attribute(shape, name));
  bool positive = true;
  for (double value = 0; numbers >> value;) positive = positive && value > 0;
  return positive;
}

bool is_empty(XMLElement* geometry) {
  XMLElement* shape = geometry == nullptr ? nullptr : geometry->FirstChildElement();
  if (shape == nullptr) return false;  // the compiler says what is missing
  return !has_extent(shape, "size") || !has_extent(shape, "radius") || !has_extent(shape, "length");
}

/// A kind of shape that the compiler knows, or nothing at all, which it explains.
bool is_known(XMLElement* geometry) {
  const XMLElement* shape = geometry == nullptr ? nullptr : geometry->FirstChildElement();
  const std::set<std::string> kinds = {"box", "sphere", "cylinder", "capsule", "mesh"};
  return shape == nullptr || kinds.contains(shape->Name());
}

}  // namespace

void repair_inertias(XMLElement* robot, bool free_base, std::vector<std::string>& warnings) {
  for_each_child(robot, "link", [&](XMLElement* link) {
    XMLElement* inertial = link->FirstChildElement("inertial");
    if (inertial == nullptr) return;
    const std::string name = "link '" + attribute(link, "name") + "' has ";
    XMLElement* mass = child_of(inertial, "mass");
    if (number(mass, "value") <= 0) {  // whether that can be is settled below
      if (number(mass, "value") < 0) warnings.push_back(name + "a negative mass; none is taken");
      set_inertial(link, 0, 0);
      return;
    }
    XMLElement* inertia = child_of(inertial, "inertia");
    Eigen::Matrix3d matrix = read_inertia(inertia);
    const Eigen::Matrix3d before = matrix;
    const std::string done = make_physical(number(mass, "value"), matrix);
    if (!done.empty()) warnings.push_back(name + done);
    if (matrix != before) write_inertia(inertia, matrix);
  });
  weigh_light_links(robot, free_base, warnings);
}

void drop_empty_shapes(XMLElement* robot, std::vector<std::string>& warnings) {
  for_each_child(robot, "link", [&](XMLElement* link) {
    for (const char* kind : {"visual", "collision"}) {
      for_each_child(link, kind, [&](XMLElement* part) {
        XMLElement* geometry = part->FirstChildElement("geometry");
        const bool empty = is_empty(geometry), unknown = kind == std::string("visual") && !is_known(geometry);
        if (!empty && !unknown) return;
        warnings.push_back("link '" + attribute(link, "name") + "' has a " + kind + " shape " +
                           (empty ? "of no size" : "of an unknown kind") + " (line " +
                           std::to_string(part->GetLineNum()) + "); it is left out");
        link->DeleteChild(part);
      });
    }
  });
}

namespace {

/// The first three numbers of an attribute, and how many there are.
struct Triple {
  std::string text;
  int count = 0;
};
Triple first_three(const std::string& numbers) {
  std::istringstream words(numbers);
  Triple out;
  for (std::string word; words >> word; ++out.count) {
    if (out.count < 3) out.text += (out.count > 0 ? " " : "") + word;
  }
  return out;
}

/// The next element of the same name; null: there is none.
XMLElement* next_of(XMLElement* element) {
  return element == nullptr ? nullptr : element->NextSiblingElement(element->Name());
}

}  // namespace

void drop_surplus(XMLElement* element, std::vector<std::string>& warnings) {
  for_each_child(element, nullptr, [&](XMLElement* child) {
    const std::string where = "<" + std::string(child->Name()) + ">, line " + std::to_string(child->GetLineNum());
    for (const char* name : {"xyz", "rpy", "scale"}) {
      const Triple numbers = first_three(attribute(child, name));
      if (numbers.count <= 3) continue;
      child->SetAttribute(name, numbers.text.c_str());
      warnings.push_back(where + ": " + name + " has " + std::to_string(numbers.count) +
                         " numbers; the first three are taken");
    }
    drop_surplus(child, warnings);
  });
  if (element->Name() != std::string("joint")) return;
  for (const char* name : {"axis", "origin", "limit", "dynamics"}) {
    for (XMLElement* second = nullptr; (second = next_of(element->FirstChildElement(name))) != nullptr;) {
      warnings.push_back("joint '" + attribute(element, "name") + "' has a second <" + name + ">, line " +
                         std::to_string(second->GetLineNum()) + "; it is ignored");
      element->DeleteChild(second);
    }
  }
}

void drop_commas(XMLElement* element, std::vector<std::string>& warnings) {
  for (XMLElement* child = element->FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    for (const char* name : {"xyz", "rpy", "size", "scale"}) {
      std::string text = attribute(child, name);
      if (text.find(',') == std::string::npos) continue;
      std::replace(text.begin(), text.end(), ',', ' ');
      child->SetAttribute(name, text.c_str());
      warnings.push_back("<" + std::string(child->Name()) + ">, line " + std::to_string(child->GetLineNum()) +
                         ": commas between the numbers of " + name + " are taken for spaces");
    }
    drop_commas(child, warnings);
  }
}

}  // namespace uzawa::mujoco
