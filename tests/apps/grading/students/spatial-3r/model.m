function tau = model_3r(x, ddq)
% anthropomorphic arm, 3R
global m1 m2 m3 a2 a3 r2 r3 I1 I2 I3 g
q1 = x(1); q2 = x(2); q3 = x(3);
dq1 = x(4); dq2 = x(5); dq3 = x(6);
c2 = cos(q2); c3 = cos(q3); s2 = sin(q2); s3 = sin(q3);
c23 = cos(q2 + q3);  s23 = sin(q2 + q3);

M = [I1 + (I2 + m2*r2^2)*c2^2 + I3*c23^2 + m3*(a2*c2 + r3*c23)^2, 0, 0
     0, I2 + m2*r2^2 + I3 + m3*(a2^2 + r3^2 + 2*a2*r3*c3), I3 + m3*(r3^2 + a2*r3*c3)
     0, I3 + m3*(r3^2 + a2*r3*c3), I3 + m3*r3^2];

%{
velocity terms from the Christoffel symbols:
c1 = 2*h1*dq1*dq2 + ...
%}
h12 = (I2 + m2*r2^2)*c2*s2 + I3*c23*s23 + m3*(a2*c2 + r3*c23)*(a2*s2 + r3*s23);
h13 = I3*c23*s23 + m3*r3*s23*(a2*c2 + r3*c23);
c(1,1) = -2*h12*dq1*dq2 - 2*h13*dq1*dq3;
c(2,1) = h12*dq1^2 - m3*a2*r3*s3*(2*dq2*dq3 + dq3^2);
c(3,1) = h13*dq1^2 + m3*a2*r3*s3*dq2^2;

G = [0; m2*g*r2*c2 + m3*g*(a2*c2 + r3*c23); m3*g*r3*c23];
tau = M*ddq + c + G;
end
