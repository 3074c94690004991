"""The five documents whose numbers and formulas dynamis must give, one test file each.

- Genova report: University of Genova, Robot dynamics and control, second assignment (2021/2022)
- Xu project: A. Xu, Project 5, equations of motion of a two-link arm (after Craig, Introduction to Robotics)
- De Luca lecture: A. De Luca, Robotics 2, Dynamic model of robots: algorithm for computing kinetic energy, Sapienza
- Jnadi report: A. Jnadi, Dynamics of nonlinear robotic systems, assignment 2, Innopolis University, 2021
- Akdogan lecture: K. E. Akdogan, Dynamics, Cankaya University

`cases.json` has their figures, corrected where a document has a misprint; its keys begin with these names.
"""
