clc; clear all; close all;
syms m1 m2 l1 l2 lc1 lc2 I1 I2 g real
syms q1 q2 dq1 dq2 ddq1 ddq2 real
q  = [q1; q2];
dq = [dq1; dq2];
ddq = [ddq1; ddq2];

%% Kinetic energy
T1 = 1/2*m1*lc1^2*dq1^2 + 1/2*I1*dq1^2;
T2 = 1/2*m2*(l1^2*dq1^2 + lc2^2*(dq1+dq2)^2 + 2*l1*lc2*cos(q2)*dq1*(dq1+dq2)) + 1/2*I2*(dq1+dq2)^2;
T = T1 + T2;

%% Potential energy
U = m1*g*lc1*sin(q1) + m2*g*(l1*sin(q1) + lc2*sin(q1+q2));

M = [m1.*lc1.^2 + m2.*(l1.^2 + lc2.^2 + 2.*l1.*lc2.*cos(q2)) + I1 + I2, m2.*(lc2.^2 + l1.*lc2.*cos(q2)) + I2;
     m2.*(lc2.^2 + l1.*lc2.*cos(q2)) + I2, m2.*lc2.^2 + I2];
C = m2*l1*lc2*sin(q2)*[-dq2, -(dq1+dq2); dq1, 0];
G = [m1*g*lc1*cos(q1) + m2*g*(l1*cos(q1) + lc2*cos(q1+q2)); m2*g*lc2*cos(q1+q2)];
tau = M*[ddq1;ddq2] + C*[dq1;dq2] + G;
tau = simplify(tau)
disp(tau)
T = simplify(0.5*dq.'*M*dq);
