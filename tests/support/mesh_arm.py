"""A URDF with visuals of every kind, as ROS packages lay them out."""

from __future__ import annotations

from pathlib import Path

URDF = """<robot name="mesh-arm">
<material name="orange"><color rgba="0.9 0.5 0.1 1"/></material>
<link name="base">
  <visual><origin xyz="0 0 0.1"/><geometry><cylinder radius="0.12" length="0.2"/></geometry></visual></link>
<link name="upper">
  <inertial><origin xyz="0 0 0.2"/><mass value="4"/>
    <inertia ixx="0.06" iyy="0.06" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><mesh filename="package://arm_description/meshes/upper.stl" scale="0.001 0.001 0.001"/></geometry>
  <material name="orange"/></visual></link>
<link name="fore">
  <inertial><origin xyz="0 0 0.15"/><mass value="2"/>
    <inertia ixx="0.02" iyy="0.02" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><mesh filename="../meshes/fore.obj"/></geometry></visual></link>
<link name="tool0"><visual><geometry><box size="0.06 0.06 0.1"/></geometry></visual></link>
<joint name="shoulder" type="revolute">
  <parent link="base"/><child link="upper"/><origin xyz="0 0 0.2"/><axis xyz="0 1 0"/>
  <limit lower="-2" upper="2" velocity="2" effort="50"/></joint>
<joint name="elbow" type="revolute">
  <parent link="upper"/><child link="fore"/><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>
  <limit lower="-2" upper="2" velocity="2" effort="50"/></joint>
<joint name="hand" type="fixed"><parent link="fore"/><child link="tool0"/><origin xyz="0 0 0.35"/></joint>
</robot>"""


def mesh_arm(folder: Path) -> Path:
    """The file of the arm, with its meshes beside it."""
    import trimesh

    package = folder / "arm_description"
    for name in ("urdf", "meshes"):
        (package / name).mkdir(parents=True)
    upper, fore = (trimesh.creation.capsule(height=h, radius=r, count=[24, 24]) for h, r in ((400, 60), (0.3, 0.035)))
    upper.apply_translation([0, 0, 200])
    fore.apply_translation([0, 0, 0.15])
    upper.export(package / "meshes" / "upper.stl")
    fore.export(package / "meshes" / "fore.obj")
    path = package / "urdf" / "arm.urdf"
    path.write_text(URDF)
    return path
