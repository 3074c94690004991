"""The algorithms of robot dynamics, each written once, over any kind of scalars."""
