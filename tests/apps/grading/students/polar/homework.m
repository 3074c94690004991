% RP arm: theta1 revolute, d2 prismatic
syms theta1 d2 theta1_dot d2_dot theta1_ddot d2_ddot m1 m2 l1 I1 I2 g
D = [m1*l1^2 + m2*d2^2 + I1 + I2   0
     0                             m2];
V = [2*m2*d2*theta1_dot*d2_dot
     -m2*d2*theta1_dot^2];
G = [(m1*l1 + m2*d2)*g*cos(theta1)
     m2*g*sin(theta1)];
tau = D*[theta1_ddot; d2_ddot] + V + G
