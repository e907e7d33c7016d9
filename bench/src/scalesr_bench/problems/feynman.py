"""A hundred laws of the Feynman lectures, by volume, chapter and equation, with the usual uniform ranges.

`h` is Planck's constant, so that h/(2*pi) is the reduced one. The column order is the usual one.
"""

from __future__ import annotations

from typing import Final

from scalesr_bench.problems.listing import read_listing
from scalesr_bench.problems.problem import Sampling

_MECHANICS: Final = """
    I.6.2a   | exp(-theta^2/2)/sqrt(2*pi)                         | theta [1, 3]
    I.6.2    | exp(-(theta/sigma)^2/2)/(sqrt(2*pi)*sigma)         | sigma theta [1, 3]
    I.6.2b   | exp(-((theta - theta1)/sigma)^2/2)/(sqrt(2*pi)*sigma) | sigma theta theta1 [1, 3]
    I.8.14   | sqrt((x2 - x1)^2 + (y2 - y1)^2)                    | x1 x2 y1 y2 [1, 5]
    I.9.18   | G*m1*m2/((x2 - x1)^2 + (y2 - y1)^2 + (z2 - z1)^2)  | m1 m2 G [1, 2]; x1 [3, 4]; x2 [1, 2]; \
y1 [3, 4]; y2 [1, 2]; z1 [3, 4]; z2 [1, 2]
    I.10.7   | m_0/sqrt(1 - (v/c)^2)                              | m_0 [1, 5]; v [1, 2]; c [3, 10]
    I.11.19  | x1*y1 + x2*y2 + x3*y3                              | x1 x2 x3 y1 y2 y3 [1, 5]
    I.12.1   | mu*Nn                                              | mu Nn [1, 5]
    I.12.2   | q1*q2/(4*pi*epsilon*r^2)                           | q1 q2 epsilon r [1, 5]
    I.12.4   | q1/(4*pi*epsilon*r^2)                              | q1 epsilon r [1, 5]
    I.12.5   | q2*Ef                                              | q2 Ef [1, 5]
    I.12.11  | q*(Ef + B*v*sin(theta))                            | q Ef B v theta [1, 5]
    I.13.4   | m*(v^2 + u^2 + w^2)/2                              | m v u w [1, 5]
    I.13.12  | G*m1*m2*(1/r2 - 1/r1)                              | m1 m2 r1 r2 G [1, 5]
    I.14.3   | m*g*z                                              | m g z [1, 5]
    I.14.4   | k_spring*x^2/2                                     | k_spring x [1, 5]
    I.15.3x  | (x - u*t)/sqrt(1 - (u/c)^2)                        | x [5, 10]; u [1, 2]; c [3, 20]; t [1, 2]
    I.15.3t  | (t - u*x/c^2)/sqrt(1 - (u/c)^2)                    | x [1, 5]; c [3, 10]; u [1, 2]; t [1, 5]
    I.15.1   | m_0*v/sqrt(1 - (v/c)^2)                            | m_0 [1, 5]; v [1, 2]; c [3, 10]
    I.16.6   | (u + v)/(1 + u*v/c^2)                              | c v u [1, 5]
    I.18.4   | (m1*r1 + m2*r2)/(m1 + m2)                          | m1 m2 r1 r2 [1, 5]
    I.18.12  | r*F*sin(theta)                                     | r F [1, 5]; theta [0, 5]
    I.18.14  | m*r*v*sin(theta)                                   | m r v theta [1, 5]
    I.24.6   | m*(omega^2 + omega_0^2)*x^2/4                      | m omega omega_0 x [1, 3]
    I.25.13  | q/`C`                                              | q C [1, 5]
"""

_LIGHT_AND_HEAT: Final = """
    I.26.2   | asin(n*sin(theta2))                                | n [0, 1]; theta2 [1, 5]
    I.27.6   | 1/(1/d1 + n/d2)                                    | d1 d2 n [1, 5]
    I.29.4   | omega/c                                            | omega c [1, 10]
    I.29.16  | sqrt(x1^2 + x2^2 - 2*x1*x2*cos(theta1 - theta2))   | x1 x2 theta1 theta2 [1, 5]
    I.30.3   | Int_0*(sin(n*theta/2)/sin(theta/2))^2              | Int_0 theta n [1, 5]
    I.30.5   | asin(lambd/(n*d))                                  | lambd [1, 2]; d [2, 5]; n [1, 5]
    I.32.5   | (q*a)^2/(6*pi*epsilon*c^3)                         | q a epsilon c [1, 5]
    I.32.17  | 4/3*pi*epsilon*c*(Ef*r)^2*omega^4/(omega^2 - omega_0^2)^2 | epsilon c Ef r omega [1, 2]; omega_0 [3, 5]
    I.34.8   | q*v*B/p                                            | q v B p [1, 5]
    I.34.1   | omega_0/(1 - v/c)                                  | c [3, 10]; v [1, 2]; omega_0 [1, 5]
    I.34.14  | omega_0*(1 + v/c)/sqrt(1 - (v/c)^2)                | c [3, 10]; v [1, 2]; omega_0 [1, 5]
    I.34.27  | h*omega/(2*pi)                                     | omega h [1, 5]
    I.37.4   | I1 + I2 + 2*sqrt(I1*I2)*cos(delta)                 | I1 I2 delta [1, 5]
    I.38.12  | epsilon*h^2/(pi*m*q^2)                             | m q h epsilon [1, 5]
    I.39.1   | 1.5*pr*V                                           | pr V [1, 5]
    I.39.11  | pr*V/(gamma - 1)                                   | gamma [2, 5]; pr V [1, 5]
    I.39.22  | n*kb*T/V                                           | n T V kb [1, 5]
    I.40.1   | n_0*exp(-m*g*x/(kb*T))                             | n_0 m x T g kb [1, 5]
    I.41.16  | h*omega^3/(2*pi^3*c^2*(exp(h*omega/(2*pi*kb*T)) - 1)) | omega T h kb c [1, 5]
    I.43.16  | mu_drift*q*Volt/d                                  | mu_drift q Volt d [1, 5]
    I.43.31  | mob*kb*T                                           | mob T kb [1, 5]
    I.43.43  | kb*v/(A*(gamma - 1))                               | gamma [2, 5]; kb A v [1, 5]
    I.44.4   | n*kb*T*log(V2/V1)                                  | n kb T V1 V2 [1, 5]
    I.47.23  | sqrt(gamma*pr/rho)                                 | gamma pr rho [1, 5]
    I.48.2   | m*c^2/sqrt(1 - (v/c)^2)                            | m [1, 5]; v [1, 2]; c [3, 10]
    I.50.26  | x1*(cos(omega*t) + alpha*cos(omega*t)^2)           | x1 omega t alpha [1, 3]
"""

_FIELDS: Final = """
    II.2.42  | kappa*(T2 - T1)*A/d                                | kappa T1 T2 A d [1, 5]
    II.3.24  | Pwr/(4*pi*r^2)                                     | Pwr r [1, 5]
    II.4.23  | q/(4*pi*epsilon*r)                                 | q epsilon r [1, 5]
    II.6.11  | p_d*cos(theta)/(4*pi*epsilon*r^2)                  | epsilon p_d theta r [1, 3]
    II.6.15a | 3*p_d*z*sqrt(x^2 + y^2)/(4*pi*epsilon*r^5)         | epsilon p_d r x y z [1, 3]
    II.6.15b | 3*p_d*cos(theta)*sin(theta)/(4*pi*epsilon*r^3)     | epsilon p_d theta r [1, 3]
    II.8.7   | 3*q^2/(20*pi*epsilon*d)                            | q epsilon d [1, 5]
    II.8.31  | epsilon*Ef^2/2                                     | epsilon Ef [1, 5]
    II.10.9  | sigma_den/(epsilon*(1 + chi))                      | sigma_den epsilon chi [1, 5]
    II.11.3  | q*Ef/(m*(omega_0^2 - omega^2))                     | q Ef m [1, 3]; omega_0 [3, 5]; omega [1, 2]
    II.11.17 | n_0*(1 + p_d*Ef*cos(theta)/(kb*T))                 | n_0 kb T theta p_d Ef [1, 3]
    II.11.20 | n_rho*p_d^2*Ef/(3*kb*T)                            | n_rho p_d Ef kb T [1, 5]
    II.11.27 | n*alpha*epsilon*Ef/(1 - n*alpha/3)                 | n alpha [0, 1]; epsilon Ef [1, 2]
    II.11.28 | 1 + n*alpha/(1 - n*alpha/3)                        | n alpha [0, 1]
    II.13.17 | I/(2*pi*epsilon*c^2*r)                             | epsilon c I r [1, 5]
    II.13.23 | rho_c_0/sqrt(1 - (v/c)^2)                          | rho_c_0 [1, 5]; v [1, 2]; c [3, 10]
    II.13.34 | rho_c_0*v/sqrt(1 - (v/c)^2)                        | rho_c_0 [1, 5]; v [1, 2]; c [3, 10]
    II.15.4  | -mom*B*cos(theta)                                  | mom B theta [1, 5]
    II.15.5  | -p_d*Ef*cos(theta)                                 | p_d Ef theta [1, 5]
    II.21.32 | q/(4*pi*epsilon*r*(1 - v/c))                       | q epsilon r [1, 5]; v [1, 2]; c [3, 10]
    II.24.17 | sqrt((omega/c)^2 - (pi/d)^2)                       | omega [4, 6]; c [1, 2]; d [2, 4]
    II.27.16 | epsilon*c*Ef^2                                     | epsilon c Ef [1, 5]
    II.27.18 | epsilon*Ef^2                                       | epsilon Ef [1, 5]
    II.34.2a | q*v/(2*pi*r)                                       | q v r [1, 5]
    II.34.2  | q*v*r/2                                            | q v r [1, 5]
    II.34.11 | g_*q*B/(2*m)                                       | g_ q B m [1, 5]
    II.34.29a | q*h/(4*pi*m)                                      | q h m [1, 5]
    II.34.29b | 2*pi*g_*mom*B*Jz/h                                | g_ h Jz mom B [1, 5]
    II.35.18 | n_0/(exp(mom*B/(kb*T)) + exp(-mom*B/(kb*T)))       | n_0 kb T mom B [1, 3]
    II.35.21 | n_rho*mom*tanh(mom*B/(kb*T))                       | n_rho mom B kb T [1, 5]
    II.36.38 | mom*H/(kb*T) + mom*alpha*M/(epsilon*c^2*kb*T)      | mom H kb T alpha epsilon c M [1, 3]
    II.37.1  | mom*(1 + chi)*B                                    | mom B chi [1, 5]
    II.38.3  | Y*A*x/d                                            | Y A d x [1, 5]
    II.38.14 | Y/(2*(1 + sigma))                                  | Y sigma [1, 5]
"""

_QUANTA: Final = """
    III.4.32  | 1/(exp(h*omega/(2*pi*kb*T)) - 1)                  | h omega kb T [1, 5]
    III.4.33  | h*omega/(2*pi*(exp(h*omega/(2*pi*kb*T)) - 1))     | h omega kb T [1, 5]
    III.7.38  | 4*pi*mom*B/h                                      | mom B h [1, 5]
    III.8.54  | sin(2*pi*E_n*t/h)^2                               | E_n t [1, 2]; h [1, 4]
    III.9.52  | 8*pi*p_d*Ef*sin((omega - omega_0)*t/2)^2/(h*t*(omega - omega_0)^2) | p_d Ef t h [1, 3]; \
omega omega_0 [1, 5]
    III.10.19 | mom*sqrt(Bx^2 + By^2 + Bz^2)                      | mom Bx By Bz [1, 5]
    III.12.43 | n*h/(2*pi)                                        | n h [1, 5]
    III.13.18 | 4*pi*E_n*d^2*k/h                                  | E_n d k h [1, 5]
    III.14.14 | I_0*(exp(q*Volt/(kb*T)) - 1)                      | I_0 [1, 5]; q Volt kb T [1, 2]
    III.15.12 | 2*U*(1 - cos(k*d))                                | U k d [1, 5]
    III.15.14 | h^2/(8*pi^2*E_n*d^2)                              | h E_n d [1, 5]
    III.15.27 | 2*pi*alpha/(n*d)                                  | alpha n d [1, 5]
    III.17.37 | beta*(1 + alpha*cos(theta))                       | beta alpha theta [1, 5]
    III.19.51 | -m*q^4/(8*epsilon^2*h^2*n^2)                      | m q h n epsilon [1, 5]
    III.21.20 | -rho_c_0*q*A_vec/m                                | rho_c_0 q A_vec m [1, 5]
"""

FEYNMAN: Final = read_listing(
    "feynman",
    _MECHANICS + _LIGHT_AND_HEAT + _FIELDS + _QUANTA,
    Sampling(noise="size"),  # as SRBench has it
)
