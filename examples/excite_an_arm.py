"""How much does an exciting motion tell, against a random one? Run: python examples/excite_an_arm.py"""

import numpy as np

import dynamis

real = dynamis.load("parallelogram")
guess = dynamis.identification.with_mass_error(real, 20)
rng = np.random.default_rng(0)

for name, iterations in (("random", 0), ("exciting", 100)):
    motion = dynamis.identification.excite(guess, acceleration=10, iterations=iterations)
    q, qd, qdd = motion.motion  # one period; of a real robot they are measured
    tau = real.inverse_dynamics(q, qd, qdd) + rng.normal(scale=0.5, size=q.shape)
    log = {"t": np.arange(len(q)) / motion.rate, "q": q, "qd": qd, "qdd": qdd, "tau": tau}
    result = dynamis.identify(guess, log, cutoff=None, physical=False)
    print(f"{name} motion: condition number {motion.excitation.condition:.0f}, standard errors")
    for symbol, error, unit in zip(result.names, result.standard_errors, result.units, strict=True):
        print(f"  {symbol:10} {error:8.2g} {unit}")
