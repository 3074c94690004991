"""Exports to CUDA, without a GPU: the PTX is that of LLVM, which NVIDIA's assembler and compiler take where they are;
runner and self-check run in Python, with the same kernels on the CPU in the place of CuPy's."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.apps.exports.exported import Export
from dynamis.compute.ir.cuda.kernel import kernel
from tests.support.export_checks import hostile
from tests.support.kernels_on_cpu import run

pytestmark = pytest.mark.filterwarnings("ignore::dynamis.errors.UnphysicalWarning")


class CpuArray(np.ndarray):
    """An array with an address, as CuPy's have; `data` of NumPy's own has none."""

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self.ctypes.data)


def cupy(export: Export) -> ModuleType:
    """What the runner takes of CuPy; kernels run on the CPU, one thread after the other."""

    def raw_module(path: str) -> Any:
        file = Path(path)
        text = file.read_text()
        assert f".visible .entry {export.name}_{file.stem}(" in text
        function = next(x for x in export.functions if x.name == file.stem)
        dtype = {"double": "float64", "float": "float32"}[file.parent.name]
        code = kernel(function.program, dtype, [False] * len(function.inputs), 1, copies=False)

        def launch(blocks: Any, threads: Any, arguments: Any, shared_mem: int) -> None:
            states, *arrays = arguments
            assert (blocks, threads) == ((-(-int(states) // 64),), (64,))
            assert all(x.dtype == dtype and x.flags.c_contiguous for x in arrays)
            assert (
                shared_mem == kernel(function.program, dtype, [False] * len(function.inputs), 64, copies=False).shared
            )
            run(code, [int(states)], arrays)

        return SimpleNamespace(get_function=lambda name: launch if name == f"{export.name}_{file.stem}" else None)

    module: Any = ModuleType("cupy")
    module.asarray = lambda x, dtype=None: np.asarray(x, dtype).view(CpuArray)
    module.ascontiguousarray = lambda x, dtype=None: np.ascontiguousarray(x, dtype).view(CpuArray)
    module.broadcast_to = np.broadcast_to
    module.empty = lambda shape, dtype: np.full(shape, np.nan, dtype).view(CpuArray)
    module.asnumpy = np.asarray
    module.cuda = SimpleNamespace(Device=lambda: SimpleNamespace(id=0))
    module.RawModule = raw_module
    return module


def test_runner_and_launcher(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    result = dynamis.export(
        hostile(), "cuda", folder, functions=["inverse_dynamics", "regressor"], parameters=["lambda", "payload"]
    )
    monkeypatch.setitem(sys.modules, "cupy", cupy(result))
    monkeypatch.syspath_prepend(str(folder))
    runpy.run_path(str(folder / "check.py"), run_name="__main__")
    assert "all functions agree with the reference" in capsys.readouterr().out
    module = __import__(result.name)
    q = np.arange(6.0).reshape(3, 1, 2)
    tau = module.inverse_dynamics(q, np.zeros((4, 2)), np.zeros(2), np.array([0.2, 0, 0, 0, 0]))
    assert tau.shape == (3, 4, 2)
    assert np.allclose(tau[:, 0], hostile().inverse_dynamics(q[:, 0], np.zeros(2), np.zeros(2)))
    monkeypatch.delitem(sys.modules, result.name)
    if shutil.which("ptxas"):
        command = ["ptxas", "-arch=sm_90", "-o", "x.cubin", "float/regressor.ptx"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
    if shutil.which("nvcc"):
        command = ["nvcc", "-c", "-o", "x.o", f"{result.name}.cu"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
