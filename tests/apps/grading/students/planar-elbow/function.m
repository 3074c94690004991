function [tau] = inverse_dynamics(q, dq, ddq, p)
% Homework 3, planar elbow arm, Euler-Lagrange
m1 = p.m1; m2 = p.m2;      % masses
l1 = p.l1; lc1 = p.lc1; lc2 = p.lc2;
I1 = p.I1; I2 = p.I2; g = 9.81;

% inertia matrix
M = zeros(2,2);
M(1,1) = m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q(2))) + I1 + I2;
M(1,2) = m2*(lc2^2 + l1*lc2*cos(q(2))) + I2;
M(2,1) = M(1,2);
M(2,2) = m2*lc2^2 + I2;

% Coriolis and centrifugal terms
h = -m2*l1*lc2*sin(q(2));
C = [h*dq(2)  h*(dq(1)+dq(2)); ...
     -h*dq(1) 0];

% gravity
G = [(m1*lc1 + m2*l1)*g*cos(q(1)) + m2*lc2*g*cos(q(1)+q(2)); ...
      m2*lc2*g*cos(q(1)+q(2))];

tau = M*ddq + C*dq + G;
end
