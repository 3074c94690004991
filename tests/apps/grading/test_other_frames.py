"""Transforms in frames of the answer's own."""

import dynamis
from dynamis.apps.grading.check import check_answer

DISTAL = """
A1 = [cos(q1) -sin(q1) 0 l1*cos(q1); sin(q1) cos(q1) 0 l1*sin(q1); 0 0 1 0; 0 0 0 1]
A2 = [cos(q2) -sin(q2) 0 l2*cos(q2); sin(q2) cos(q2) 0 l2*sin(q2); 0 0 1 0; 0 0 0 1]
T02 = [cos(q1+q2) -sin(q1+q2) 0 l1*cos(q1)+l2*cos(q1+q2); sin(q1+q2) cos(q1+q2) 0 l1*sin(q1)+l2*sin(q1+q2);
       0 0 1 0; 0 0 0 1]
"""
"""The frames of the standard convention, at the far ends of the links; the robot has them at the joints."""
COMPARED = "transforms were compared in the frames of planar-elbow, which print(robot) lists"


def notes(answer: str) -> list[str]:
    report = check_answer(dynamis.load("planar-elbow"), answer)
    assert report.verdict == "wrong"
    return list(report.notes)


def test_frames_at_the_other_ends_of_the_links():
    assert notes(DISTAL) == [f"{COMPARED}; A1, A2, T02 would be right for other frames, fixed to the same links"]


def test_a_mistake_is_no_other_frame():
    """A cosine in the place of a sine, a matrix that is no rotation, and a link whose parent's frame is not known."""
    slip = DISTAL.replace("l2*sin(q2)", "l2*cos(q2)")
    assert notes(slip) == [f"{COMPARED}; A1, T02 would be right for other frames, fixed to the same links"]
    scaled = "A1 = [2*cos(q1) -2*sin(q1) 0 0; 2*sin(q1) 2*cos(q1) 0 0; 0 0 1 0; 0 0 0 1]"
    assert notes(scaled) == [COMPARED]
    assert notes(DISTAL.splitlines()[2]) == [COMPARED]


def test_a_transform_that_cannot_be_read_is_named_as_it_is_written():
    report = check_answer(dynamis.load("planar-elbow"), "g[2] = 0\nT02 = A1*A2")
    assert "T02" in report.missing


def test_planar_transforms_and_transforms_between_links():
    planar = """
T01 = [cos(q1) -sin(q1) l1*cos(q1); sin(q1) cos(q1) l1*sin(q1); 0 0 1]
T12 = [cos(q2) -sin(q2) l2*cos(q2); sin(q2) cos(q2) l2*sin(q2); 0 0 1]
T02 = T01*T12
"""
    plane = "transforms of 3x3 were compared in the plane of x and y"
    other = f"{COMPARED}; T01, T12, T02 would be right for other frames, fixed to the same links"
    assert notes(planar) == [plane, other]
    slip = planar.replace("l2*sin(q2)", "l1*sin(q2)").replace("T01*T12", "T01*T12*[1 0 1; 0 1 0; 0 0 1]")
    assert notes(slip)[-1] == other.replace("T01, T12, T02", "T01")
    assert notes("T01(1,4) = l1*cos(q1)") == [COMPARED]


def test_one_row_is_the_jacobian_of_the_rotation_of_a_planar_arm():
    elbow = dynamis.load("planar-elbow")
    report = check_answer(elbow, "Jw1 = [1 0]; Jw2 = [1 1]")
    assert report.verdict == "right"
    assert "Jw2: its row was compared as that of the rotation about z" in report.notes
    assert check_answer(elbow, "Jw2 = [1 0]").verdict == "wrong"
