"""Robots on PyTorch: values, gradients by PyTorch's own checkers, and what is refused."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings

import dynamis
import dynamis.torch
from dynamis.quantities.registry import QUANTITIES
from tests.support.functions import options, private_cache, states
from tests.support.strategies import Case, coupled, robots

torch = pytest.importorskip("torch")
gradcheck, gradgradcheck = torch.autograd.gradcheck, torch.autograd.gradgradcheck

__all__ = ["private_cache"]

FLOATS = (torch.float64, torch.float32)


def tensors(*shapes: tuple[int, ...], dtype: Any = torch.float64, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [torch.tensor(rng.uniform(-1, 1, shape), dtype=dtype, requires_grad=True) for shape in shapes]


def leaves(*values: Any) -> list[Any]:
    return [x.detach() for x in values]


@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity(name: str) -> None:
    robot = dynamis.load("stanford")
    inputs = [torch.from_numpy(x) for x in states(np.random.default_rng(3), name, robot.n, 2)]
    values = robot.on("torch").prepared(name, **options(robot, name))(*inputs)
    expected = robot.prepared(name, **options(robot, name))(*(x.numpy() for x in inputs))
    pairs = zip(values, expected, strict=True) if isinstance(expected, tuple) else [(values, expected)]
    for ours, array in pairs:
        assert ours.dtype == torch.float64
        np.testing.assert_array_equal(ours.numpy(), array)


ARM = dynamis.torch.load("bar-2r")
"""With friction."""


@pytest.mark.parametrize(
    "name", ["inverse_dynamics", "forward_dynamics", "bias_torque", "mass_matrix", "gravity_torque", "kinetic_energy"]
)
def test_gradients_of_two_orders(name: str) -> None:
    inputs = tensors(*[(2, 2)] * len(QUANTITIES[name].inputs))
    assert gradcheck(getattr(ARM, name), inputs, check_forward_ad=True)
    assert gradgradcheck(getattr(ARM, name), inputs)


@given(robots(joints=(2, 4)).filter(lambda case: len(case.moving) > 1))
@settings(max_examples=3, phases=(Phase.generate,))
def test_coupled_joints(case: Case) -> None:
    """Power is torque times velocity, whichever joints move together; and the gradients of torques hold."""
    robot = coupled(case, 5)[0].on("torch")
    q, qd, qdd = tensors((robot.n,), (2, robot.n), (robot.n,), seed=2)
    assert gradcheck(robot.inverse_dynamics, (q, qd, qdd), fast_mode=True, atol=1e-4)
    (slope,) = torch.autograd.grad(robot.kinetic_energy(q, qd).sum(), qd)
    torch.testing.assert_close(slope, (robot.mass_matrix(q) @ qd[..., None])[..., 0])


@given(robots(joints=(1, 3)).filter(lambda case: bool(case.moving)))
@settings(max_examples=5, phases=(Phase.generate,))
def test_random_robots(case: Case) -> None:
    """Trees, prismatic joints, rotors and friction, under loads; the derivative of dry friction is zero."""
    robot = case.robot().on("torch")
    inputs = tensors((robot.n,), (2, robot.n), (robot.n,), seed=2)

    def torques(*values: Any) -> Any:
        return robot.inverse_dynamics(*values, loads=case.loads, gravity=case.gravity_given)

    assert gradcheck(torques, inputs, fast_mode=True, atol=1e-4)
    assert gradcheck(robot.forward_dynamics, inputs, fast_mode=True, atol=1e-4, rtol=1e-2)
    q = inputs[0].detach().numpy()
    d = case.robot().inverse_dynamics_derivatives(q, inputs[1].detach().numpy(), inputs[2].detach().numpy())
    J = torch.autograd.functional.jacobian(lambda v: robot.inverse_dynamics(inputs[0], v, inputs[2]), inputs[1])
    np.testing.assert_allclose(J[0, :, 0], d.dtau_dqd[0], atol=1e-9)


def test_parameters_at_run_time() -> None:
    tau = dynamis.load("bar-2r").on("torch").compile("inverse_dynamics", parameters=["m2", "link2.inertia.zz"])
    assert gradcheck(tau, tensors((3, 2), (2,), (2,), (1, 2)))
    assert gradgradcheck(tau, tensors((3, 2), (2,), (2,), (2,)))


def test_the_regressor() -> None:
    """tau = Y pi: the gradient of pi is Y^T w."""
    q, qd, qdd = tensors((4, 2), (4, 2), (4, 2))
    pi = torch.tensor(np.asarray(ARM.parameter_vector()), requires_grad=True)
    tau = (ARM.full_regressor(q, qd, qdd) @ pi[:, None])[..., 0]
    np.testing.assert_allclose(tau.detach(), ARM.inverse_dynamics(q, qd, qdd).detach(), atol=1e-12)
    tau.sum().backward()
    np.testing.assert_allclose(pi.grad, ARM.full_regressor(*leaves(q, qd, qdd)).sum((0, 1)))


def test_the_operator_by_opcheck() -> None:
    from dynamis.backends.differentiable.torch_backend import operator

    q, qd, qdd = tensors((3, 2), (3, 2), (1, 2))
    key = ARM.compile("inverse_dynamics").key  # type: ignore[attr-defined]
    torch.library.opcheck(operator, (key, [q, qd, qdd], 1))
    assert gradgradcheck(lambda *x: operator(key, list(x), 1)[0], [q, qd, qdd])
    torch.func.vmap(lambda x: operator(key, [x, qd[0].detach(), qdd.detach()], 1)[0])(q.detach())


def test_compiled_whole() -> None:
    """Backend "aot_eager" has all of the compiler but the last step, which needs a C++ compiler."""
    q, qd, qdd = tensors((3, 2), (2,), (3, 2))

    def loss(q: Any, qd: Any, qdd: Any) -> Any:
        return (2 * ARM.inverse_dynamics(q, qd, qdd)).square().sum() + ARM.gravity_torque(q).sum()

    value = loss(q, qd, qdd)
    expected = torch.autograd.grad(value, [q, qd, qdd])
    compiled = torch.compile(loss, fullgraph=True, backend="aot_eager")(q, qd, qdd)
    torch.testing.assert_close(compiled, value)
    torch.testing.assert_close(torch.autograd.grad(compiled, [q, qd, qdd]), expected)


def test_compiled_before_the_first_call() -> None:
    """The compiler need not follow how programs are made."""
    robot = dynamis.torch.load("genova-rp")
    q = tensors((3, 2))[0]
    threaded, moon = robot.threads(2), robot.prepared("inverse_dynamics", gravity=(0, 0, -1.6))

    def everything(q: Any) -> Any:
        tau = robot.inverse_dynamics(q) + threaded.forward_dynamics(q, q, q) + moon(q, q, q)
        return tau + robot.jacobian(q, frame="tool").sum() + robot.inverse_dynamics_derivatives(q, q, q).dtau_dq[:, 0]

    compiled = torch.compile(everything, fullgraph=True, backend="aot_eager")(q)
    torch.testing.assert_close(compiled, everything(q))
    gradients = [torch.autograd.grad(x.sum(), q)[0] for x in (compiled, everything(q))]
    torch.testing.assert_close(*gradients)


def test_functional_transforms() -> None:
    q, qd, qdd = leaves(*tensors((4, 2), (2,), (2, 4)))
    func = torch.func
    each = func.vmap(ARM.inverse_dynamics, in_dims=(0, None, 1), out_dims=1)(q, qd, qdd)
    torch.testing.assert_close(each.T, ARM.inverse_dynamics(q, qd, qdd.T))
    stiffness = func.vmap(func.jacrev(ARM.gravity_torque))(q)
    for hessian in (func.hessian, lambda f: func.jacrev(func.jacrev(f)), lambda f: func.jacfwd(func.jacfwd(f))):
        torch.testing.assert_close(func.vmap(hessian(ARM.potential_energy))(q), stiffness)
    value, slope = func.jvp(ARM.gravity_torque, (q,), (torch.ones_like(q),))
    torch.testing.assert_close(slope, stiffness.sum(-1))
    torch.testing.assert_close(value, ARM.gravity_torque(q))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("batch", [(), (1,), (0,), (0, 3), (2, 1, 3)])
def test_batches(batch: tuple[int, ...], dtype: str) -> None:
    kind = getattr(torch, dtype)
    q, qd, qdd = tensors((*batch, 2), (2,), (*batch[-1:], 2), dtype=kind)
    for result, shape in ((ARM.inverse_dynamics(q, qd, qdd), (2,)), (ARM.mass_matrix(q), (2, 2))):
        assert result.shape == (*batch, *shape)
        assert result.dtype is kind
    ARM.inverse_dynamics(q, qd, qdd).sum().backward()
    assert [x.grad.shape for x in (q, qd, qdd)] == [x.shape for x in (q, qd, qdd)]
    assert ARM.inverse_dynamics(q).dtype is kind
    assert ARM.inverse_dynamics(q, gravity=(0, 0, -1.6)).dtype is kind


def test_gradients_in_single_precision() -> None:
    exact, single = ([x.detach().to(kind).requires_grad_() for x in tensors((5, 2), (5, 2), (5, 2))] for kind in FLOATS)
    for inputs in (exact, single):
        ARM.forward_dynamics(*inputs).square().sum().backward()
    for x, y in zip(single, exact, strict=True):
        assert x.grad.dtype is torch.float32
        np.testing.assert_allclose(x.grad, y.grad, atol=1e-4 * float(y.grad.abs().max()))


def test_strides_and_types() -> None:
    q, qd, qdd = leaves(*tensors((2, 5), (5, 4), (5, 2)))
    expected = dynamis.load("bar-2r").inverse_dynamics(q.T.numpy(), qd[:, ::2].numpy(), qdd.numpy())
    np.testing.assert_array_equal(ARM.inverse_dynamics(q.T, qd[:, ::2], qdd), expected)
    negative = torch.conj(torch.complex(qdd, qdd)).imag  # a view that says "negated"
    np.testing.assert_array_equal(ARM.inverse_dynamics(qdd, qdd, negative), ARM.inverse_dynamics(qdd, qdd, -qdd))
    mixed = ARM.inverse_dynamics(q.T.float(), qd[:, ::2], qdd)
    assert mixed.dtype is torch.float64
    assert ARM.gravity_torque(torch.tensor([1, 0])).dtype is torch.float32
    assert isinstance(ARM.gravity_torque(np.zeros(2)), np.ndarray)


def test_values_are_not_copied() -> None:
    """A result of machine code is the tensor's memory: its strides are those of a fresh array."""
    q, qd, qdd = leaves(*tensors((1000, 2), (1000, 2), (1000, 2)))
    before = q.clone()
    tau = ARM.threads(2).inverse_dynamics(q, qd, qdd)
    np.testing.assert_array_equal(tau, dynamis.load("bar-2r").inverse_dynamics(q.numpy(), qd.numpy(), qdd.numpy()))
    assert tau.is_contiguous()
    assert torch.equal(q, before)


def test_a_spoilt_state_spoils_itself_only() -> None:
    q, qd, tau = tensors((3, 2), (3, 2), (3, 2))
    with torch.no_grad():
        q[1, 0] = torch.nan
    qdd = ARM.forward_dynamics(q, qd, tau)
    qdd.sum().backward()
    for values in (qdd, q.grad, qd.grad):
        assert torch.isfinite(values[[0, 2]]).all()
    assert torch.isnan(qdd[1]).any()


def test_a_singular_state_spoils_itself_only() -> None:
    """A forearm without mass and inertia, in one state of three."""
    qdd = dynamis.load("bar-2r").on("torch").compile("forward_dynamics", parameters=["m2", "link2.inertia.zz"])
    parameters = torch.tensor([[1.0, 0.1], [0.0, 0.0], [1.0, 0.2]], dtype=torch.float64, requires_grad=True)
    inputs = [*tensors((3, 2), (3, 2), (3, 2)), parameters]
    result = qdd(*inputs)
    result.sum().backward()
    for values in (result, *(x.grad for x in inputs)):
        assert torch.isfinite(values[[0, 2]]).all()
    assert not torch.isfinite(result[1]).all()


def test_arrays_of_others_beside() -> None:
    """They are read as the engine reads them: any memory, labels, units and masks."""
    labelled = pytest.importorskip("pandas").DataFrame([[0.4, 0.3]], columns=["q2", "q1"])
    q, expected = torch.tensor([[1.0, 0.5]]), torch.tensor([[0.3, 0.4]])
    others = np.array([[0.4, 0.3]])[:, ::-1], np.array([[0.3, 0.4]], ">f8"), labelled
    for qd in others:
        assert torch.equal(ARM.inverse_dynamics(q, qd), ARM.inverse_dynamics(q, expected))
    with pytest.raises(dynamis.ArgumentError, match="qd has masked values"):
        ARM.inverse_dynamics(q, np.ma.masked_array([[0.4, 0.3]], mask=[[True, False]]))
    number = torch.tensor(0.3, requires_grad=True)
    with pytest.raises(dynamis.ArgumentError, match="qd must have one value per joint"):
        ARM.inverse_dynamics(q, [[number, number]])


@pytest.mark.filterwarnings("ignore")
def test_traced_graphs_are_no_constants() -> None:
    q, other = tensors((3, 2), (3, 2))
    graph = torch.jit.trace(lambda x: ARM.gravity_torque(x), (q,), check_trace=False)
    assert torch.equal(graph(other), ARM.gravity_torque(other))


KINDS = "tensors must be dense, float32 or float64, on the CPU or a CUDA device"
MANY = 'one value per joint, got 3 values; robot "bar-2r" has 2 joints'


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (lambda: (torch.zeros(2, dtype=torch.float16),), f"q is of torch.float16; {KINDS}"),
        (lambda: (torch.zeros(2), torch.zeros(2, dtype=torch.float16)), f"qd is of torch.float16; {KINDS}"),
        (lambda: (torch.zeros(2, dtype=torch.complex64),), f"q is of torch.complex64; {KINDS}"),
        (lambda: (torch.zeros(2, device="meta"),), f"q is on meta; {KINDS}"),
        (lambda: (torch.zeros(2).to_sparse(),), f"q is of the layout torch.sparse_coo; {KINDS}"),
        (lambda: (torch.zeros(2), torch.zeros(2, device="meta")), "qd is on meta and another tensor on cpu; put all"),
        (lambda: ([torch.zeros(()), 1.0],), "q is a list of tensors or arrays; give torch.stack(q)"),
        (lambda: (torch.zeros(3),), f"q must have {MANY}"),
        (lambda: (torch.zeros(2), [1, 2, 3]), f"qd must have {MANY}"),
        (lambda: (torch.zeros(2), "fast"), 'qd must have one value per joint, got "fast"'),
        (lambda: (torch.zeros(3, 2), torch.zeros(4, 2)), "do not fit together"),
        (lambda: (torch.tensor(1.0),), "q must have one value per joint"),
    ],
)
def test_refused_in_one_sentence(values: Any, sentence: str) -> None:
    with pytest.raises(dynamis.ArgumentError) as error:
        ARM.inverse_dynamics(*values())
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_out_is_for_arrays() -> None:
    with pytest.raises(dynamis.ArgumentError, match="out takes NumPy's arrays; tensors are returned"):
        ARM.gravity_torque(torch.zeros(2), out=torch.zeros(2))


@pytest.mark.parametrize("backend", ["torch", "jax"])
def test_machine_code_on_request(backend: str) -> None:
    from dynamis.backends.differentiable.derived_programs import program_of

    pytest.importorskip(backend)
    robot = dynamis.load("genova-rp").on(backend)
    function: Any = robot.compile("mass_matrix")
    assert program_of(function.key).on_cpu._compiled
    assert robot.prepared("mass_matrix").key == function.key  # type: ignore[attr-defined]


def test_pickled() -> None:
    function = pickle.loads(pickle.dumps(ARM.compile("gravity_torque")))
    q = torch.tensor([0.3, 0.4])
    assert torch.equal(function(q), ARM.gravity_torque(q))


def test_imported_when_it_is_asked_for() -> None:
    script = """
import sys, dynamis, dynamis.torch, dynamis.jax
robot = dynamis.load("bar-2r")
robot.gravity_torque([0.0, 0.0])
assert "torch" not in sys.modules and "jax" not in sys.modules
sys.modules["torch"] = sys.modules["jax"] = None
for module in (dynamis.torch, dynamis.jax):
    try:
        module.load("bar-2r")
    except dynamis.ArgumentError as error:
        print(error)
"""
    text = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert text.splitlines() == [
        f'backend "{name}" needs {name}: pip install "dynamis[{name}]"' for name in ("torch", "jax")
    ]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs an NVIDIA GPU")
def test_on_a_gpu() -> None:
    inputs = tensors((3, 2), (2,), (3, 2))
    there = [x.detach().cuda().requires_grad_() for x in inputs]
    torch.testing.assert_close(ARM.inverse_dynamics(*there).cpu(), ARM.inverse_dynamics(*inputs))
    assert gradcheck(ARM.inverse_dynamics, there)
    assert gradgradcheck(ARM.inverse_dynamics, there)
    with pytest.raises(dynamis.ArgumentError, match="qd is on cpu and another tensor on cuda:0; put all on one"):
        ARM.inverse_dynamics(there[0], inputs[1], there[2])
