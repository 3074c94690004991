"""What the documents print: their equations, misprints and all, and their inertia tensors, beside ours."""
