#pragma once

#include <string>

namespace uzawa::test {

/// A two-link arm with a fixed tool and a mimicking finger, of primitive shapes only.
inline const std::string kUrdfArm = R"(<?xml version="1.0"?>
<robot name="arm">
  <link name="base"><inertial><mass value="5"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="upper">
    <inertial><origin xyz=".1 0 .2" rpy=".1 .2 .3"/><mass value="2"/>
      <inertia ixx=".03" iyy=".04" izz=".05" ixy=".001" ixz=".002" iyz=".003"/></inertial>
    <visual><geometry><box size=".1 .2 .3"/></geometry></visual>
    <collision><geometry><cylinder radius=".05" length=".4"/></geometry></collision>
  </link>
  <link name="lower">
    <inertial><origin xyz="0 .1 .15"/><mass value="1"/>
      <inertia ixx=".01" iyy=".02" izz=".015" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius=".05"/></geometry></collision>
  </link>
  <link name="tool"><inertial><mass value=".3"/><inertia ixx=".001" iyy=".001" izz=".001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 .3" rpy="0 .5 0"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="1.5" effort="50" velocity="3"/><dynamics damping=".4" friction=".1"/></joint>
  <joint name="elbow" type="prismatic"><parent link="upper"/><child link="lower"/><origin xyz=".2 0 .4" rpy=".2 0 .1"/>
    <axis xyz="1 0 0"/><limit lower="-.1" upper=".2" effort="50" velocity="3"/>
    <mimic joint="shoulder" multiplier=".05" offset=".01"/></joint>
  <joint name="flange" type="fixed"><parent link="lower"/><child link="tool"/><origin xyz="0 0 .2" rpy="0 0 1"/></joint>
</robot>
)";

}  // namespace uzawa::test
