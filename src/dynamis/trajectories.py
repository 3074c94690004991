"""Motions of joints and tools: polynomials, profiles, splines, samples, tool paths, inverse kinematics."""

from __future__ import annotations

from dynamis.motion.inverse_kinematics.branches import Branches as Branches
from dynamis.motion.inverse_kinematics.numerical import InverseKinematics as InverseKinematics
from dynamis.motion.inverse_kinematics.numerical import inverse_kinematics as inverse_kinematics
from dynamis.motion.inverse_kinematics.planar import planar_inverse_kinematics as planar_inverse_kinematics
from dynamis.motion.inverse_kinematics.spherical_wrist import (
    spherical_wrist_inverse_kinematics as spherical_wrist_inverse_kinematics,
)
from dynamis.motion.shortest_time.shortest_time import ShortestTime as ShortestTime
from dynamis.motion.shortest_time.shortest_time import shortest_time as shortest_time
from dynamis.motion.tool_paths.trajectory import ToolTrajectory as ToolTrajectory
from dynamis.motion.tool_paths.trajectory import tool_arc as tool_arc
from dynamis.motion.tool_paths.trajectory import tool_line as tool_line
from dynamis.motion.trajectories.double_s import double_s as double_s
from dynamis.motion.trajectories.parabolic_blends import parabolic_blends as parabolic_blends
from dynamis.motion.trajectories.piecewise import JointTrajectory as JointTrajectory
from dynamis.motion.trajectories.polynomials import cubic as cubic
from dynamis.motion.trajectories.polynomials import quintic as quintic
from dynamis.motion.trajectories.polynomials import septic as septic
from dynamis.motion.trajectories.sampled import sampled as sampled
from dynamis.motion.trajectories.sampled import sampled_file as sampled_file
from dynamis.motion.trajectories.sequence import MotionSequence as MotionSequence
from dynamis.motion.trajectories.sequence import sequence as sequence
from dynamis.motion.trajectories.spline import spline as spline
from dynamis.motion.trajectories.trajectory import Peaks as Peaks
from dynamis.motion.trajectories.trajectory import Trajectory as Trajectory
from dynamis.motion.trajectories.trapezoidal import trapezoidal as trapezoidal
