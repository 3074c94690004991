"""The equations of motion of a robot, step by step.

| on the page | module |
|---|---|
| which steps a method has, in which order; the title; the torques at the end | `methods` |
| Assumptions, Frames, Links, Symbols | `setup` |
| Transforms, Direct kinematics | `transforms` |
| Energies of link i; Link i (moving frames) | `links` |
| Mass matrix, Christoffel symbols, Coriolis and centrifugal terms, Gravity | `from_energy` |
| Jacobians of link i; M, C and g from them | `jacobians` |
| Lagrangian; Lagrange's equation for coordinate k | `lagrangian` |
| Outward, link i; Inward, link i | `newton_euler` |
| Dynamic coefficients, base parameters, regressor | `parameters` |
| what is asked for alone (`only`), such as M, M[1,1] and T[0,c2] | `quantities.entry_names`, `single_entries` |
| a long result as x1, x2, ... | `named_terms` |

The sentences before the formulas stand beside them; those of the proofs are in `equations.proof.laws`.
"""
