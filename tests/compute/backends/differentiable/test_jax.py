"""Robots on JAX: values, derivatives by JAX's own checker in both modes, transforms, and what is refused."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

import dynamis
import dynamis.jax
from dynamis.compute.quantities.registry import QUANTITIES
from dynamis.errors import ArgumentError
from tests.support.functions import options, private_cache, states
from tests.support.strategies import Case, robots

jax = pytest.importorskip("jax")
jnp = jax.numpy
check_grads = pytest.importorskip("jax.test_util").check_grads

__all__ = ["private_cache"]


@pytest.fixture(autouse=True)
def double_precision() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


def arrays(*shapes: tuple[int, ...], dtype: Any = np.float64, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [jnp.asarray(rng.uniform(-1, 1, shape), dtype) for shape in shapes]


ARM = dynamis.jax.load("bar-2r")
"""With friction."""


@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity(name: str) -> None:
    robot = dynamis.load("stanford")
    inputs = states(np.random.default_rng(3), name, robot.n, 2)
    values = robot.on("jax").prepared(name, **options(robot, name))(*map(jnp.asarray, inputs))
    expected = robot.prepared(name, **options(robot, name))(*inputs)
    pairs = zip(values, expected, strict=True) if isinstance(expected, tuple) else [(values, expected)]
    for ours, array in pairs:
        np.testing.assert_array_equal(ours, array)


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "mass_matrix", "potential_energy"])
def test_derivatives_in_both_modes(name: str) -> None:
    check_grads(getattr(ARM, name), arrays(*[(2, 2)] * len(QUANTITIES[name].inputs)), order=2)


@given(robots(joints=(1, 3)).filter(lambda case: bool(case.moving)))
@settings(max_examples=2, phases=(Phase.generate,), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_robots(case: Case) -> None:
    """Trees, prismatic joints, rotors and friction, under loads; the derivative of dry friction is zero."""
    robot = case.robot().on("jax")
    q, qd, qdd = arrays((robot.n,), (2, robot.n), (robot.n,), seed=2)

    def torques(*values: Any) -> Any:
        return robot.inverse_dynamics(*values, loads=case.loads, gravity=case.gravity_given)

    check_grads(torques, (q, qd, qdd), order=1, rtol=1e-3, atol=1e-3)
    J = jax.jacfwd(robot.inverse_dynamics, argnums=1)(q, qd[0], qdd)
    np.testing.assert_allclose(J, case.robot().inverse_dynamics_derivatives(*map(np.asarray, (q, qd[0], qdd))).dtau_dqd)


def test_parameters_at_run_time() -> None:
    tau = dynamis.load("bar-2r").on("jax").compile("inverse_dynamics", parameters=["m2", "link2.inertia.zz"])
    check_grads(tau, arrays((3, 2), (2,), (2,), (1, 2)), order=1)


def test_transforms_in_any_order() -> None:
    q, qd, qdd = arrays((4, 2), (2,), (2, 4))
    each = jax.jit(jax.vmap(ARM.inverse_dynamics, in_axes=(0, None, 1), out_axes=1))(q, qd, qdd)
    np.testing.assert_allclose(each.T, ARM.inverse_dynamics(q, qd, qdd.T))
    stiffness = jax.vmap(jax.jacrev(ARM.gravity_torque))(q)
    for hessian in (jax.hessian, lambda f: jax.jacrev(jax.jacrev(f)), lambda f: jax.jacrev(jax.jacfwd(f))):
        np.testing.assert_allclose(jax.jit(jax.vmap(hessian(ARM.potential_energy)))(q), stiffness, atol=1e-12)
    np.testing.assert_allclose(jax.vmap(ARM.mass_matrix)(q), ARM.mass_matrix(q))
    slopes = jax.vmap(jax.grad(lambda x, v: ARM.kinetic_energy(x, v).sum(), argnums=1), in_axes=(0, None))(q, qd)
    np.testing.assert_allclose(slopes, ARM.mass_matrix(q) @ qd)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("batch", [(), (0, 3), (2, 1, 3)])
def test_batches(batch: tuple[int, ...], dtype: str) -> None:
    q, qd, qdd = arrays((*batch, 2), (2,), (*batch[-1:], 2), dtype=dtype)
    for result, shape in ((ARM.inverse_dynamics(q, qd, qdd), (2,)), (ARM.mass_matrix(q), (2, 2))):
        assert result.shape == (*batch, *shape)
        assert result.dtype == dtype
    gradients = jax.grad(lambda *x: ARM.inverse_dynamics(*x).sum(), argnums=(0, 1, 2))(q, qd, qdd)
    assert [x.shape for x in gradients] == [x.shape for x in (q, qd, qdd)]
    assert ARM.inverse_dynamics(q).dtype == dtype


def test_where_nothing_is_compiled() -> None:
    q = arrays((3, 2))[0]
    with jax.disable_jit():
        stiffness = jax.vmap(jax.jacrev(jax.jit(ARM.gravity_torque)))(q)
    np.testing.assert_array_equal(stiffness, jax.vmap(jax.jacrev(ARM.gravity_torque))(q))


def test_types() -> None:
    q, qd, qdd = arrays((5, 2), (5, 2), (5, 2))
    assert ARM.inverse_dynamics(q.astype(np.float32), qd, qdd).dtype == np.float64
    assert ARM.gravity_torque(jnp.array([1, 0])).dtype == np.float64
    assert isinstance(ARM.gravity_torque(np.zeros(2)), np.ndarray)
    with jax.enable_x64(False):
        assert ARM.gravity_torque(jnp.array([1, 0])).dtype == np.float32


def test_a_spoilt_state_spoils_itself_only() -> None:
    q, qd, tau = arrays((3, 2), (3, 2), (3, 2))
    q = q.at[1, 0].set(jnp.nan)
    qdd, back = jax.vjp(ARM.forward_dynamics, q, qd, tau)
    for values in (qdd, *back(jnp.ones_like(qdd))):
        assert jnp.isfinite(values[np.array([0, 2])]).all()
    assert jnp.isnan(qdd[1]).any()


def test_a_singular_state_spoils_itself_only() -> None:
    """A forearm without mass and inertia, in one state of three."""
    qdd = dynamis.load("bar-2r").on("jax").compile("forward_dynamics", parameters=["m2", "link2.inertia.zz"])
    parameters = jnp.array([[1.0, 0.1], [0.0, 0.0], [1.0, 0.2]])
    result, back = jax.vjp(qdd, *arrays((3, 2), (3, 2), (3, 2)), parameters)
    for values in (result, *back(jnp.ones_like(result))):
        assert jnp.isfinite(values[np.array([0, 2])]).all()
    assert not jnp.isfinite(result[1]).all()


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (lambda: (jnp.zeros(2, jnp.float16),), "q is of float16; arrays must be float32 or float64"),
        (lambda: (jnp.zeros(2), jnp.zeros(2, jnp.float16)), "qd is of float16; arrays must be float32 or float64"),
        (lambda: (jnp.zeros(2, jnp.bfloat16),), "q is of bfloat16; arrays must be float32 or float64"),
        (lambda: (jnp.zeros(2, jnp.complex64),), "q is of complex64; arrays must be"),
        (lambda: (jax.random.key(0),), "q is of key<fry>; arrays must be float32 or float64"),
        (lambda: (jnp.zeros(3),), 'q must have one value per joint, got 3 values; robot "bar-2r" has 2 joints'),
        (lambda: (jnp.zeros((3, 2)), jnp.zeros((4, 2))), "do not fit together"),
    ],
)
def test_refused_in_one_sentence(values: Any, sentence: str) -> None:
    for verb in (ARM.inverse_dynamics, jax.jit(ARM.inverse_dynamics)):
        with pytest.raises(ArgumentError) as error:
            verb(*values())
        assert sentence in str(error.value)
        assert "\n" not in str(error.value)


def test_on_two_devices() -> None:
    first, second = jax.devices()[:2]
    q, qd, qdd = arrays((2,), (4, 2), (4, 2))
    moved = [jax.device_put(x, second) for x in (q, qd, qdd)]
    assert ARM.inverse_dynamics(*moved).devices() == {second}
    with pytest.raises(ArgumentError, match=r"qd is on .*1 and q on .*0; put all on one device"):
        ARM.inverse_dynamics(jax.device_put(q, first), moved[1])

    def effort(*values: Any) -> Any:
        return (ARM.inverse_dynamics(*values) ** 2).sum()

    mesh, split = jax.sharding.Mesh([first, second], "b"), jax.P("b")
    parts = jax.shard_map(jax.grad(effort, argnums=(0, 1)), mesh=mesh, in_specs=(jax.P(), split, split),
                          out_specs=(jax.P(), split))  # fmt: skip
    for part, whole in zip(parts(q, qd, qdd), jax.grad(effort, argnums=(0, 1))(q, qd, qdd), strict=True):
        np.testing.assert_allclose(part, whole)  # that of q, which both share, is the sum
    spread = [jax.device_put(x, jax.sharding.NamedSharding(mesh, split)) for x in (qd, qdd)]
    np.testing.assert_array_equal(ARM.inverse_dynamics(q, *spread), ARM.inverse_dynamics(q, qd, qdd))


def test_exported_for_batches_of_any_length() -> None:
    from jax import export

    q = arrays((3, 2))[0]
    some = jax.ShapeDtypeStruct((*export.symbolic_shape("b"), 2), q.dtype)
    allowed = [export.DisabledSafetyCheck.custom_call("dynamis_program")]
    slope = export.export(jax.jit(jax.vmap(jax.grad(ARM.potential_energy))), disabled_checks=allowed)(some)
    np.testing.assert_allclose(slope.call(q), ARM.gravity_torque(q), atol=1e-12)


def test_arrays_of_others_beside() -> None:
    """They are read as the engine reads them: labels, units and masks count."""
    labelled = pytest.importorskip("pandas").DataFrame([[0.4, 0.3]], columns=["q2", "q1"])
    q = jnp.array([[1.0, 0.5]])
    np.testing.assert_array_equal(ARM.inverse_dynamics(q, labelled), ARM.inverse_dynamics(q, jnp.array([[0.3, 0.4]])))
    with pytest.raises(ArgumentError, match="qd has masked values"):
        ARM.inverse_dynamics(q, np.ma.masked_array([[0.4, 0.3]], mask=[[True, False]]))
    with pytest.raises(ArgumentError, match="qd must have one value per joint, got an array of type <U1"):
        ARM.inverse_dynamics(q, np.array([["1", "2"]]))  # type: ignore[arg-type]


def test_what_is_no_array() -> None:
    with pytest.raises(ArgumentError, match=r"q is a list of tensors or arrays; give jax.numpy.stack\(q\)"):
        jax.jit(lambda x: ARM.gravity_torque([x, x]))(1.0)
    with pytest.raises(ArgumentError, match='qd must have one value per joint, got "fast"'):
        ARM.inverse_dynamics(jnp.zeros(2), "fast")  # type: ignore[arg-type]


def test_out_is_for_arrays_of_numpy() -> None:
    with pytest.raises(ArgumentError, match="out takes NumPy's arrays; JAX's are returned"):
        ARM.gravity_torque(jnp.zeros(2), out=np.zeros(2))


def test_what_goes_wrong_inside_is_an_error_of_jax() -> None:
    """A key that no robot of this process has, as in a graph that was kept on disk."""
    from dynamis.compute.backends.differentiable import derived_programs
    from dynamis.compute.backends.differentiable.jax_backend import run

    function = dynamis.load("genova-rp").on("jax").compile("kinetic_energy")
    key = function.key  # type: ignore[attr-defined]
    call = jax.jit(lambda x: run(key, 1, [x, x])).lower(jnp.zeros(2)).compile()
    removed = derived_programs._PROGRAMS.pop(key)
    with pytest.raises(jax.errors.JaxRuntimeError, match="load its robot and call it once"):
        call(jnp.zeros(2))[0].block_until_ready()
    derived_programs._PROGRAMS[key] = removed
    assert call(jnp.zeros(2))[0] == 0


def test_pickled() -> None:
    function = pickle.loads(pickle.dumps(ARM.compile("gravity_torque")))
    q = jnp.array([0.3, 0.4])
    assert (function(q) == ARM.gravity_torque(q)).all()


def test_on_a_gpu() -> None:
    if jax.default_backend() != "gpu":  # not asked before: it starts JAX's threads
        pytest.skip("needs an NVIDIA GPU and JAX for it")
    there = arrays((3, 2), (2,), (3, 2))
    expected = dynamis.load("bar-2r").inverse_dynamics(*map(np.asarray, there))
    np.testing.assert_allclose(jax.jit(ARM.inverse_dynamics)(*there), expected, atol=1e-12)
    check_grads(ARM.inverse_dynamics, there, order=2)
    here = jax.device_put(there[1], jax.devices("cpu")[0])
    with pytest.raises(ArgumentError, match="put all on one device"):
        ARM.inverse_dynamics(jax.device_put(there[0], jax.devices()[0]), here, there[2])
