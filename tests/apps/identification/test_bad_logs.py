"""Bad logs: each is recognised, and said in one sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dynamis
from dynamis.base.arrays import Array
from dynamis.errors import ArgumentError, FormatError, UnknownNameError
from dynamis.identification import Identification, with_mass_error
from tests.support.logs import log, rough_log


@pytest.fixture(scope="module")
def arm() -> dynamis.Robot:
    return dynamis.load("puma560")


@pytest.fixture
def data(arm: dynamis.Robot) -> dict[str, Array]:
    return log(arm, noise=0.05, samples=2000)


def identify(arm: dynamis.Robot, data: object, **options: object) -> Identification:
    return dynamis.identify(arm, data, physical=False, **options)  # type: ignore[arg-type]


def test_too_few_samples(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    few = {key: values[:20] for key, values in data.items()}
    with pytest.raises(ArgumentError, match="20 usable samples are too few for"):
        identify(arm, few)
    with pytest.raises(ArgumentError, match="data must be a file"):
        identify(arm, None)
    with pytest.raises(ArgumentError, match="has 4 usable samples of 4"):
        identify(arm, {key: values[:4] for key, values in data.items()})


def test_no_motion(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    still = {**data, "q": 0 * data["q"], "qd": 0 * data["q"], "qdd": 0 * data["q"]}
    with pytest.raises(ArgumentError, match="no joint moves"):
        identify(arm, still)
    with pytest.raises(ArgumentError, match="no joint moves"):
        identify(arm, {key: still[key] for key in ("t", "q", "tau")}, cutoff=5)
    with pytest.raises(ArgumentError, match="trim, filter, standstill and decimation leave no samples"):
        identify(arm, data, trim=5)


def test_a_constant_joint_keeps_what_it_does_not_tell(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    for key in ("q", "qd", "qdd"):
        data[key][:, 5] = 0.0
    data["tau"] = arm.inverse_dynamics(data["q"], data["qd"], data["qdd"])
    result = identify(arm, data)
    assert any("never moves" in text for text in result.suspicions)
    assert "damping6" in [result.names[k] for k in result.excitation.free]
    assert any("The motion does not tell" in text for text in result.words())
    assert np.isinf(result.standard_errors).any()


def test_positions_and_speeds_at_odds(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    """A joint with speeds of zero whose positions change moves all the same."""
    data["qd"][:, 5] = 0.0
    said = " ".join(identify(arm, data).suspicions)
    assert "joint 6 (q6): positions and speeds contradict each other" in said
    assert "never move" not in said
    with pytest.raises(ArgumentError, match="positions and speeds contradict"):
        identify(arm, {**data, "qd": 0 * data["qd"]})


def test_the_torque_of_a_joint_that_stands_still_may_have_to_change(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    for key in ("q", "qd", "qdd"):
        data[key][:, 1] = 0.0
    data["tau"] = arm.inverse_dynamics(data["q"], data["qd"], data["qdd"])
    data["tau"][:, 1] = 3.0
    said = " ".join(identify(arm, data).suspicions)
    assert "joint 2 (q2) never moves" in said
    assert "never changes, though that of the given links does" in said


def test_rows_of_nan_and_time_stamps_are_repaired(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    truth = arm.inverse_dynamics(data["q"], data["qd"], data["qdd"])
    data["tau"] = truth
    data["tau"][100, 2] = np.nan
    data["t"] = data["t"] + 1e-3 * np.random.default_rng(0).random(len(data["t"]))
    data["t"][500] = data["t"][499]
    data["t"][1000:] += 3.0
    result = identify(arm, data)
    remarks = " ".join(result.stamps[0].remarks)
    assert "1 of 2000 rows are not numbers" in remarks
    assert "1 time stamps repeat or go back" in remarks
    assert "the longest of" in remarks
    assert "jitter" in remarks

    assert "3e+03" not in remarks
    order = np.random.default_rng(0).permutation(2000)
    with pytest.raises(ArgumentError, match=r"the time goes back at \d+ of 2000 rows"):
        identify(arm, {key: values[order] for key, values in data.items()})

    data["q"][4:, 1] = np.nan
    with pytest.raises(ArgumentError, match="has 4 usable samples of 2000"):
        identify(arm, data, cutoff=5)
    data["q"][1:, 1] = np.nan
    with pytest.raises(ArgumentError, match="at most one row of the log has all its numbers"):
        identify(arm, {key: data[key] for key in ("t", "q", "tau")})


def test_stamps_that_repeat_but_for_rounding(arm: dynamis.Robot) -> None:
    """As tables have them that were merged; slopes between them would be noise."""
    data = log(arm, noise=0.05, samples=500)
    twice = {key: np.repeat(values, 2, axis=0) for key, values in data.items()}
    twice["t"][1::2] = np.nextafter(twice["t"][1::2], np.inf)
    twice["q"][1::2] *= 1 + 1e-12
    result = identify(arm, twice, cutoff=5)
    assert "500 time stamps repeat or go back" in result.stamps[0].remarks[0]
    np.testing.assert_allclose(result.beta, identify(arm, data, cutoff=5).beta, rtol=1e-6, atol=1e-6)


def test_degrees(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    only = {"t": data["t"], "q": np.degrees(data["q"]), "tau": data["tau"]}
    with pytest.raises(ArgumentError, match=r"it looks like degrees \(degrees=True\)"):
        identify(arm, only)
    assert (identify(arm, only, degrees=True).errors.shares < 0.2).all()
    with pytest.raises(ArgumentError, match=r"position is in degrees and the velocity in rad/s"):
        identify(arm, {**data, "q": np.degrees(data["q"])})
    both = {**data, "q": np.degrees(data["q"]), "qd": np.degrees(data["qd"]), "qdd": np.degrees(data["qdd"])}
    assert any("look like degrees" in text for text in identify(arm, both).suspicions)


def test_milliseconds(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    with pytest.raises(ArgumentError, match="the time is in milliseconds"):
        identify(arm, {**data, "t": 1e3 * data["t"]})


def test_swapped_velocities(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    with pytest.raises(ArgumentError, match="columns are swapped"):
        identify(arm, {**data, "qd": data["qd"][:, [1, 0, 2, 3, 4, 5]]})


@pytest.mark.parametrize("joints", [(1, 2), (2, 4)])
def test_swapped_torques(arm: dynamis.Robot, data: dict[str, Array], joints: tuple[int, int]) -> None:
    order = list(range(6))
    order[joints[0]], order[joints[1]] = joints[1], joints[0]
    result = identify(arm, {**data, "tau": data["tau"][:, order]})
    first, second = (f"joint {j + 1} (q{j + 1})" for j in joints)
    assert f"with the torques of {first} and {second} in each other's place" in result.suspicions[0]
    assert result.words()[0].startswith("Do not trust")


def test_torque_of_the_wrong_sign(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    for sign in (-np.ones(6), np.array([1, -1, 1, 1, 1, 1.0])):
        result = identify(arm, {**data, "tau": data["tau"] * sign})
        assert any("joint 2 (q2)" in text and "opposite to the gravity torque" in text for text in result.suspicions)
        assert result.words()[0].startswith("Do not trust")
    light = arm.with_inertial_parameters(0 * arm.inertial_parameters())
    result = identify(light, {**data, "tau": -data["tau"]})
    assert any("negative inertia" in text for text in result.suspicions)


def test_torque_in_another_unit(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    result = identify(arm, {**data, "tau": 1e3 * data["tau"]})
    assert any("their unit is not N m" in text for text in result.suspicions)


def test_a_wrong_gain(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    """Ten times the torque at a joint, or at all of them, which no fit is worse for."""
    for gains in (np.array([1, 10.0, 1, 1, 1, 1]), 10 * np.ones(6)):
        result = identify(arm, {**data, "tau": data["tau"] * gains})
        assert any("joint 2 (q2) (10 times)" in text and "drive gain" in text for text in result.suspicions)
    small = identify(arm, {**data, "tau": -0.1 * data["tau"]})  # a wrong sign shows in its factor
    assert any("joint 2 (q2) (-0.1 times)" in text and "check sign" in text for text in small.suspicions)
    assert not identify(arm, data).suspicions


def test_torques_that_were_not_measured(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    with pytest.raises(ArgumentError, match="the torques never change"):
        identify(arm, {**data, "tau": 0 * data["tau"]})
    data["tau"][:, 1] = 3.0
    result = identify(arm, data)
    assert any("joint 2 (q2) never changes" in text for text in result.suspicions)


def test_friction_that_drives(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    result = identify(arm, {**data, "tau": data["tau"] - 2 * data["qd"] - np.sign(data["qd"])})
    assert any("friction would drive" in text for text in result.suspicions)


def test_times(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    only = {key: data[key] for key in ("t", "q", "tau")}
    with pytest.raises(ArgumentError, match="the time looks like milliseconds"):
        identify(arm, {**only, "t": 1e3 * data["t"]})
    with pytest.raises(ArgumentError, match="never increase"):
        identify(arm, {**only, "t": 0 * data["t"]})
    missing = data["t"].copy()
    missing[70] = np.nan
    assert identify(arm, {**only, "t": missing}).preparation.cutoff == identify(arm, only).preparation.cutoff


def test_a_log_that_is_held_out_and_fitted(arm: dynamis.Robot, data: dict[str, Array]) -> None:
    with pytest.raises(ArgumentError, match="are the same log"):
        identify(arm, data, held_out=data)


def test_a_log_of_another_robot(arm: dynamis.Robot) -> None:
    other = log(dynamis.load("ur5"), samples=2000)
    for physical in (False, None):
        result = dynamis.identify(arm, other, physical=physical)
        assert result.words()[0].startswith("Do not trust")
        assert not any(word.startswith("Trust") for word in result.words())


@pytest.mark.parametrize(("given", "seed"), [("ur5", 3), ("stanford", 1)])
def test_a_log_of_another_robot_that_friction_fits(given: str, seed: int) -> None:
    """Most joints are predicted within 15 %, mostly by friction, but the given masses are worse than none."""
    result = identify(dynamis.load(given), rough_log("puma560", seed, 20.0)[1])
    assert (result.errors.shares < 0.15).sum() >= 3
    assert "worse than zero" in result.suspicions[0]
    assert "of another robot" in result.suspicions[0]
    assert not result.trusted


def test_columns_that_are_not_there(arm: dynamis.Robot, data: dict[str, Array], tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="no torques"):
        identify(arm, {key: data[key] for key in ("t", "q")})
    with pytest.raises(ArgumentError, match=r"q has 5 columns .* needs 6"):
        identify(arm, {**data, "q": data["q"][:, :5]})
    with pytest.raises(ArgumentError, match=r"q has 6 rows and 2000 columns; .*: transpose it"):
        identify(arm, {**data, "q": data["q"].T})
    with pytest.raises(ArgumentError, match="all columns of a log need as many samples"):
        identify(arm, {**data, "tau": data["tau"][:50]})
    with pytest.raises(ArgumentError, match="the log has torques; drive gains are for motor currents"):
        identify(arm, data, gains=np.ones(6))
    with pytest.raises(ArgumentError, match="give the drive gains"):
        identify(arm, {"t": data["t"], "q": data["q"], "current": data["tau"]})
    with pytest.raises(UnknownNameError, match='unknown column "effort"'):
        identify(arm, data, columns={"t": "t", "q": "q", "tau": "effort"})
    with pytest.raises(FormatError, match="there is no file"):
        identify(arm, tmp_path / "log.csv")
    (tmp_path / "log.csv").write_text("t,q1\n0,x\n")
    with pytest.raises(FormatError, match=r'log.csv:2: "x" is not a number'):
        identify(arm, tmp_path / "log.csv")


@pytest.mark.parametrize("name", ["log.csv", "log.parquet", "log.npz"])
def test_files(arm: dynamis.Robot, data: dict[str, Array], name: str, tmp_path: Path) -> None:
    """The same data from a file, with names of the robot's joints, gives the same parameters."""
    import pandas as pd

    file = tmp_path / name
    if name.endswith("npz"):
        np.savez(file, **data)
    else:
        heads = {"q": "position", "qd": "velocity", "qdd": "acceleration", "tau": "effort"}
        table = {"time [ms]": 1e3 * data["t"]}
        for key, head in heads.items():
            table |= {f"{x.name}_{head}": data[key][:, j] for j, x in enumerate(arm.coordinates)}
        frame = pd.DataFrame(table)
        frame.to_csv(file, index=False) if name.endswith("csv") else frame.to_parquet(file)
        np.testing.assert_allclose(identify(arm, frame).beta, identify(arm, data).beta, atol=1e-6)
    np.testing.assert_allclose(identify(arm, file).beta, identify(arm, data).beta, atol=1e-6)


def test_numbered_columns_and_currents(arm: dynamis.Robot, data: dict[str, Array], tmp_path: Path) -> None:
    gains = np.array([10.0, 11, 12, 13, 14, 15])
    table = np.column_stack([data["t"], data["q"], data["qd"], data["qdd"], data["tau"] / gains])
    np.savetxt(tmp_path / "log.txt", table, delimiter=",")
    columns = "t=1 q=2-7 qd=8-13 qdd=14-19 current=20-25"
    result = identify(arm, tmp_path / "log.txt", columns=columns, gains=gains)
    np.testing.assert_allclose(result.beta, identify(arm, data, rotor=True).beta, atol=1e-6)


@pytest.mark.parametrize("joint", [0, 1])
def test_a_zero_that_is_elsewhere(joint: int) -> None:
    """A fit swallows it, with CoMs that lie elsewhere; the given masses give it away."""
    arm = dynamis.load("bar-2r")
    given, data = with_mass_error(arm, 20, seed=3), log(arm, noise=0.05, samples=1500)
    assert not dynamis.identify(given, data).suspicions
    for degrees, back in ((90, -90), (180, 180), (-60, 60)):
        moved = data["q"] + np.radians(degrees) * np.eye(2)[joint]
        result = dynamis.identify(given, {**data, "q": moved})
        assert result.words()[0].startswith("Do not trust")
        assert not any(word.startswith("Trust") for word in result.words())
        if joint:
            assert any(f"zero of joint 2 (q2) moved by {back} degrees" in x for x in result.suspicions)


def test_joints_in_each_others_place(data: dict[str, Array], arm: dynamis.Robot) -> None:
    """In positions and torques alike, so that nothing contradicts itself."""
    order = [1, 0, 2, 3, 4, 5]
    result = identify(arm, {key: x if key == "t" else x[:, order] for key, x in data.items()})
    assert any("joint 1 (q1) and joint 2 (q2) in each other's place" in text for text in result.suspicions)


def test_a_log_that_is_too_short(arm: dynamis.Robot) -> None:
    """Stretches of a short log predict each other; other motions are another matter, and so is the truth there."""
    short = identify(arm, log(arm, noise=0.2, samples=300))
    assert any("in other motions than that of the log" in word for word in short.words())
    assert not any(word.startswith("Trust") for word in short.words())
    longer = identify(arm, log(arm, noise=0.2, samples=3000))
    assert not any("in other motions" in word for word in longer.words())
    assert longer.errors.shares_elsewhere.max() < 0.2 * short.errors.shares_elsewhere.max()


def test_errors_elsewhere_are_those_of_the_truth() -> None:
    """Over 30 logs of one second, errors at other states are as large as noise explains, and no larger than said."""
    from dynamis.apps.identification.judging.elsewhere import elsewhere
    from tests.support.logs import fourier

    arm, rng = dynamis.load("bar-2r"), np.random.default_rng(0)
    t, q, qd, qdd = fourier(2, 300)
    tau = arm.inverse_dynamics(q, qd, qdd)
    squares, said, cautious = [], [], []
    states = [rng.uniform(x.min(axis=0), x.max(axis=0), (200, 2)) for x in (q, qd, qdd)]
    for _ in range(30):
        data = {"t": t, "q": q, "qd": qd, "qdd": qdd, "tau": tau + rng.normal(size=tau.shape)}
        result = identify(arm, data)
        squares.append((result.torques(*states) - arm.inverse_dynamics(*states)) ** 2)
        by_noise = elsewhere(result.model, (q, qd, qdd), result.covariance, [result.beta]).error
        said.append(by_noise**2)
        cautious.append(result.errors.elsewhere**2)
    error = np.sqrt(np.mean(squares, axis=(0, 1)))
    ratio, with_jackknife = error / np.sqrt(np.mean(said, axis=0)), error / np.sqrt(np.mean(cautious, axis=0))
    assert ((ratio > 0.6) & (ratio < 1.5)).all(), ratio
    assert ((with_jackknife > 0.3) & (with_jackknife < 1)).all(), with_jackknife


@pytest.mark.parametrize("seed", [4, 6, 9])
def test_short_logs_are_not_trusted_for_what_no_noise_explains(seed: int) -> None:
    """Filters and friction bias a log of a second; the covariance knows only noise."""
    robot, short = rough_log("bar-2r", seed, 1.0)
    assert not any(word.startswith("Trust") for word in identify(robot, short).words())
    robot, longer = rough_log("bar-2r", seed, 10.0)
    assert identify(robot, longer).words()[0].startswith("Trust")


@pytest.mark.parametrize("name", ["puma560", "stanford"])
@pytest.mark.parametrize("friction", [0.1, 0.4])
@pytest.mark.parametrize("seed", range(3))
def test_rough_logs_of_the_right_robot_raise_no_alarm(name: str, friction: float, seed: int) -> None:
    robot, data = rough_log(name, seed, 20.0, friction)
    assert not identify(robot, data).suspicions


def test_a_wrong_gain_beside_heavy_rotors_and_friction() -> None:
    robot, data = rough_log("puma560", 0, 20.0)
    said = identify(robot, {**data, "tau": 4 * data["tau"]}).suspicions
    assert any("drive gain" in text for text in said)


def test_tables_of_other_programs(tmp_path: Path) -> None:
    """Decimal commas between semicolons, names in a comment, dates in the place of times: as the plain file."""
    import pandas as pd

    arm = dynamis.load("bar-2r")
    data = log(arm, noise=0.05, samples=300)
    names = ["t", "q1", "q2", "qd1", "qd2", "tau1", "tau2"]
    table = np.column_stack([data["t"], data["q"], data["qd"], data["tau"]])
    frame = pd.DataFrame(table, columns=names)
    frame.to_csv(tmp_path / "plain.csv", index=False)
    frame.to_csv(tmp_path / "comma.csv", index=False, sep=";", decimal=",")
    frame.to_csv(tmp_path / "pipe.csv", index=False, sep="|")
    np.savetxt(
        tmp_path / "savetxt.csv", table, delimiter=",", header="run 7, left arm\n" + ",".join(names), fmt="%.17g"
    )
    dated = frame.assign(t=pd.to_datetime(1_700_000_000 + frame["t"], unit="s"))
    dated.to_parquet(tmp_path / "dates.parquet")
    plain = identify(arm, tmp_path / "plain.csv", cutoff=20)
    for other in (*(tmp_path / name for name in ("comma.csv", "pipe.csv", "savetxt.csv", "dates.parquet")), dated):
        np.testing.assert_allclose(identify(arm, other, cutoff=20).beta, plain.beta, atol=5e-4)  # dates are rounded


def test_tables_that_are_none(tmp_path: Path) -> None:
    arm, file = dynamis.load("bar-2r"), tmp_path / "log.csv"
    file.write_text("t,q1,q2,tau1,tau2\n0,1,0,2,0,3,0,4,0,5\n")
    with pytest.raises(
        FormatError,
        match=r"have 10 values; the first has 5; where a comma is the decimal point, semicolons",
    ):
        identify(arm, file)
    data = log(arm, samples=300)
    with pytest.raises(ArgumentError, match=r"the torque of joint 1 \(q1\) goes to .*e\+300: it is not in SI"):
        identify(arm, {**data, "tau": data["tau"] * [1e300, 1]})
    np.savez(tmp_path / "log.npz", stamps=data["t"], angles=data["q"])
    with pytest.raises(FormatError, match="none of its arrays is called t, q, tau, qd or qdd; name them with"):
        identify(arm, tmp_path / "log.npz")
    np.savez(tmp_path / "log.npz", t=data["t"], q=np.array([{}] * 300), tau=data["tau"], allow_pickle=True)
    with pytest.raises(FormatError, match="cannot read the file as an array of numbers"):
        identify(arm, tmp_path / "log.npz")


def test_a_long_npz(tmp_path: Path) -> None:
    """More than a trajectory file may have: seven joints over 15 minutes at 1 kHz are 19 million numbers."""
    count = 1_100_000
    t = np.arange(count) / 1000
    q = np.column_stack([np.sin(t), np.cos(1.7 * t)]).astype(np.float32)
    np.savez(tmp_path / "log.npz", t=t, q=q, tau=q)
    from dynamis.apps.identification.logs.log_files import read_blocks

    assert len(next(read_blocks(tmp_path / "log.npz", 1000))["q"]) == count


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("empty.csv", "t,q1,q2,tau1,tau2\n" + ",,,,\n" * 20, "has no samples"),
        ("blank.csv", "t,q1,q2,tau1,tau2\n\n  \n", "has no samples"),
        ("names.csv", "t,q1,q2,tau1,tau2\n", "has no samples"),
        ("long.csv", "t,q1,q2,tau1,tau2\n0,0,0,0," + "1" * 140_000 + "x\n", "is not a CSV file: field larger than"),
        ("head.csv", "t,q1," + "q" * 140_000 + "\n0,0,0\n", "is not a CSV file: field larger than"),
        ("ends.csv", "\n" * 300_000, "has more than 100000 lines without numbers"),
        ("remarks.csv", "# a\n" * 300_000, "has more than 100000 lines without numbers"),
        ("within.csv", "t,q1,q2,tau1,tau2\n0,0,0,0,0\n" + "\n" * 300_000, "has more than 100000 lines without numbers"),
        ("line.csv", "1," * 600_000, "has a line of more than 1000000 characters"),
        ("twice.csv", ",".join(f"a{k}" for k in range(9000)) + ",a7\n0\n", 'column "a7" stands there twice'),
        ("wide.csv", "," * 200_000 + "\n0\n", "has 200001 columns; at most 10000 are read"),
    ],
)
def test_files_that_hold_no_log(name: str, text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError, match=sentence):
        dynamis.identify(dynamis.load("bar-2r"), tmp_path / name)


def test_a_message_is_short_whatever_it_quotes(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("t,q1,q2," + "x" * 131_000 + "\n0,0,0,0\n")
    with pytest.raises(ArgumentError, match="the log has no torques of all 2 joints; its columns are") as error:
        dynamis.identify(dynamis.load("bar-2r"), tmp_path / "log.csv")
    assert len(error.value.message) < 500


def test_a_parquet_file_without_rows_and_one_without_end(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table({name: np.zeros(1_000_000) for name in ("t", "q1", "q2", "tau1", "tau2")})
    pyarrow.parquet.write_table(table.slice(0, 0), tmp_path / "none.parquet")
    with pytest.raises(FormatError, match="has no samples"):
        dynamis.identify(dynamis.load("bar-2r"), tmp_path / "none.parquet")
    with pyarrow.parquet.ParquetWriter(tmp_path / "many.parquet", table.schema) as writer:
        for _ in range(2):
            writer.write_table(table)
    with pytest.raises(FormatError, match="has more than 5000000 numbers, many more than its size is for"):
        dynamis.identify(dynamis.load("bar-2r"), tmp_path / "many.parquet")


def test_long_tables_are_read_piece_by_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces end where they have enough rows or enough characters; lines of both ends are there once."""
    from dynamis.apps.identification.logs import log_files

    rows = np.random.default_rng(0).random((1000, 3))
    np.savetxt(tmp_path / "log.csv", rows, delimiter=",", fmt="%.17g", header="t,q1,tau1")
    monkeypatch.setattr(log_files, "BLOCK_CHARACTERS", 2000)
    blocks = list(log_files.read_blocks(tmp_path / "log.csv", 300))
    assert 20 < len(blocks) < 50
    table = np.concatenate([np.column_stack([*block.values()]) for block in blocks])
    assert (table == rows).all()
