"""What a sweep keeps has a name of its own, which says what it is: in the data, the report and its JSON."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import DynamisError, sweep
from dynamis.apps.sweeps.sweep_file import load_sweep
from dynamis.errors import ArgumentError
from dynamis.sweeps import Sweep, box, exceeds, histogram, pareto, quantile, sobol

KEEP = [
    "max", "variance", "q5", "q50", "q99.9", exceeds(3), exceeds([3, 2]), exceeds([3, 1]), exceeds(3.0000001),
    histogram(4, -1, 1), histogram(5, [-2, -3], [2, 3]), pareto("q1", "-|q2|", 20), pareto("-q1", "q2", 20),
]  # fmt: skip


def swept(keep: list[Any], by: dict[str, Any] | None = None) -> Sweep:
    return sweep(dynamis.load("bar-2r"), "gravity_torque", {"q": box(3)}, sobol(4096), by, keep)


def test_each_has_its_own_values() -> None:
    x = swept(KEEP)
    ds, tau = x.run(), x.parts.measured(0, 0, 4096)
    assert [name for name in ds if not str(name).startswith("arg")] == [
        "count", "max", "variance", "q5", "q50", "q99.9", "beyond_3", "beyond_limits", "beyond_limits2",
        "beyond_3.0000001", "histogram", "histogram2", "front", "front2",
    ]  # fmt: skip
    for name, share in {"q5": 0.05, "q50": 0.5, "q99.9": 0.999}.items():
        exact = np.quantile(tau, share, axis=0, method="inverted_cdf")
        assert (np.abs(ds[name] - exact) <= np.multiply(ds[name].attrs["largest_error"], 1 + 1e-9)).all()
    for name, limits in {"beyond_3": 3, "beyond_limits": [3, 2], "beyond_limits2": [3, 1]}.items():
        np.testing.assert_array_equal(ds[name], (np.abs(tau) > limits).mean(0))
        assert np.all(ds[name].attrs["limits"] == np.atleast_1d(limits))
    for name, bins, edges in (("histogram", 4, [(-1, 1)] * 2), ("histogram2", 5, [(-2, 2), (-3, 3)])):
        plain = [
            np.histogram(column, [-np.inf, *np.linspace(*edge, bins + 1), np.inf])[0]
            for column, edge in zip(tau.T, edges, strict=True)
        ]
        np.testing.assert_array_equal(ds[name], plain)
    assert ds["histogram2"].attrs["least"] == [-2, -3]
    assert ds["variance"].attrs["units"] == "(N m)^2"


def test_quantiles_tell_the_error_of_every_value(tmp_path: Path) -> None:
    """A length of a metre has not the error of a torque of 15 N m; the words give the largest of each unit."""
    over, names = {"q": box(3)}, ["gravity_torque", "tool"]
    x = sweep(dynamis.load("bar-2r"), names, over, sobol(2**12), keep=["q90", "max", "min"])
    ds = x.run(store=tmp_path / "a.nc")
    errors = np.array(ds["q90"].attrs["largest_error"])
    assert errors.shape == ds["q90"].shape
    exact = np.quantile(x.parts.measured(0, 0, 2**12), 0.9, axis=0, method="inverted_cdf")
    assert (np.abs(ds["q90"] - exact) <= errors * (1 + 1e-9)).all()
    assert (errors <= 1e-11 + 0.01 * (ds["max"] - ds["min"])).all()
    told = f"Quantile q90: right to {errors[:2].max():.3g} N m, {errors[2:].max():.3g} m."
    assert told in x.report(ds).words()
    assert told in x.report(x.run(store=tmp_path / "a.nc")).words()
    one = sweep(dynamis.load("bar-2r"), "manipulability", over, sobol(64), keep=["q90"])
    one.run(store=tmp_path / "b.nc")
    assert "Quantile q90: right to 0.00" in one.report(one.run(store=tmp_path / "b.nc")).words()[-1]


def test_the_report_and_its_json_tell_them_all(tmp_path: Path) -> None:
    x = swept(KEEP)
    ds = x.run(store=tmp_path / "a.nc")
    again = x.run(store=tmp_path / "a.nc")
    data = json.loads(x.report(again).page("json"))
    first = data["values"][0]
    for name in ("q5", "q50", "q99.9", "beyond_3", "beyond_limits", "beyond_limits2", "variance"):
        assert first[name] == pytest.approx(float(ds[name][0]), rel=1e-15)
    assert [(front["name"], front["first"], front["second"]) for front in data["fronts"]] == [
        ("front", "q1", "-|q2|"), ("front2", "-q1", "q2")
    ]  # fmt: skip
    point = data["fronts"][1]["points"][0]
    tau = x.parts.robot.gravity_torque(point["state"]["q"])
    np.testing.assert_allclose(tau, point["values"], atol=1e-12)
    text = x.report(ds).page()
    assert "variance [(N m)²]" in text
    assert "The front of -q1 and q2" in text
    assert "Quantiles q5, q50, q99.9: right to 0.146 N m." in text
    cells = swept(KEEP, {"a": ("q.q1", 3)})
    told = json.loads(cells.report(cells.run()).page("json"))
    assert not told["fronts"]
    assert "Quantiles are of single cells, and in the data alone." in " ".join(told["words"])


def test_the_same_store_is_only_of_the_same_reductions(tmp_path: Path) -> None:
    """A median from a store of 90 % quantiles would be wrong, though both come from the same bins."""
    swept(["q50"]).run(store=tmp_path / "a.nc")
    for other in (["q90"], ["q50", "max"], [quantile(0.5, 20)]):
        with pytest.raises(ArgumentError, match="nothing was overwritten"):
            swept(other).run(store=tmp_path / "a.nc")


def test_words_of_quantiles(tmp_path: Path) -> None:
    assert swept(["q50", "q0.5"]) == swept([quantile(0.5), quantile(0.005)])
    assert swept(["q50", "q50"]).run()["q50"].shape == (2,)
    for keep, sentence in {
        ("q999",): 'a quantile is "q" and a percentage between 0 and 100, such as "q99.9", got "q999"',
        ("q0",): "between 0 and 100",
        ("q100",): "between 0 and 100",
        ("qq",): 'unknown reduction "qq"',
        (exceeds("velocity"),): "limits of velocity are in rad/s, gravity_torque in N m: give numbers",
        (pareto("q1", "q3"),): 'unknown value "q3"; did you mean',
        (quantile(0.5, 20), "q50"): "keep has q50 twice, with 20 and 200 bins; give one",
    }.items():
        with pytest.raises(DynamisError) as error:
            swept(list(keep))
        assert sentence in str(error.value)
    file = tmp_path / "a.toml"
    file.write_text('quantity = "gravity_torque"\nkeep = ["q99.9", { quantile = 0.5 }]\n[over]\nq = { box = 3 }\n')
    assert load_sweep(file, dynamis.load("bar-2r")).parts.keep == (quantile(0.999), quantile(0.5))
