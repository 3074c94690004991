"""The same recursions with fewer operations: rotated frames, cheap transforms, combined inertias."""
