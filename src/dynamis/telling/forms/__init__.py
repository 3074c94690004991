"""How a formula reads best: the shortest trigonometric form, factors, the order of its terms."""
