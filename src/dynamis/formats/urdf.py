"""URDF."""
from dynamis.model.robot import RobotModel

MAX_BYTES = 20_000_000


def read_urdf(text: str, file: str) -> RobotModel:
    raise NotImplementedError
