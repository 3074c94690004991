"""What a robot is: links, joints, inertia, frames, loads. Frozen data that is checked when it is made."""
