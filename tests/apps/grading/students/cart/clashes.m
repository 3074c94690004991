% the cart has the mass M, its pendulum the mass m11, the CoM distance c1 and the inertia T
M = [M + m11, -m11*c1*sin(q2); -m11*c1*sin(q2), m11*c1^2 + T]
C = [0, -m11*c1*cos(q2)*dq2; 0, 0]
G = [0; m11*g*c1*cos(q2)]
tau = M*ddq + C*dq + G
c1 = -m11*c1*cos(q2)*dq2^2
c2 = 0
