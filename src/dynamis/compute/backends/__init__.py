"""What turns programs into functions of arrays.

One call, noun by noun: `robot.inverse_dynamics(q, qd, qdd)`.

1. `RunnableRobot` (runnable_robot.py) is the robot with its backend and threads; `_run` takes the arguments of a verb.
2. Its `Engine` (engine.py) has the functions by quantity, options, kinds of loads. The first call traces the robot to a
   `Program` (../program/) and hands it to the backend; later calls find the function, and a single state goes to its
   `quick_call` at once.
3. A `Backend` (backend.py) makes an `ArrayFunction` of a program, and an `ArrayLoop` of a step that is repeated;
   `BACKENDS` has the names. The arguments are checked in numpy_call.py, which also has Dask's lazy calls and `out`.

These are the contract: program/program.py (`Program`, `OPERATIONS`), backend.py and numpy_call.py. A backend for
another machine needs nothing of the rest: casadi_backend.py is one, in a hundred lines. differentiable/
has those of PyTorch and JAX, which run programs and their derivatives. What follows is private to the CPU.

4. `Function` (function.py) is the `ArrayFunction` of LLVM and of NumPy, `Loop` (loop.py) their `ArrayLoop`. It calls a
   kernel first and has the arguments checked only if that refuses them; it splits large batches
   (llvm/crew.py; threads.py where NumPy must cut them).
5. `Tiers` (tiers.py) counts states and calls, and so chooses the kernel. The first call runs in the interpreter:
   `Bytecode` (llvm/bytecode.py) for the loop of llvm/interpreter.py, which is compiled once for all programs. So does
   the second, and every other until machine code is found or pays: from sixteen states on it is looked for on disk, and
   made when it costs less than it saves, or before that by another process (llvm/background.py). From then on
   `Function` has it, by dtype. On NumPy (numpy_backend.py) there is one tier alone, operation by operation.
6. A `Source` (llvm/source.py) is LLVM IR and its key on disk (llvm/cache.py): the kernel, which is the loop of a
   program (llvm/kernel.py) or of a repeated one (llvm/loop_kernel.py), and the quick call of one state
   (llvm/one_state_call.py), in the vocabulary of lanes.py, rows.py and sincos.py. LLVM compiles it in llvm/machine.py,
   long ones in another process (llvm/subprocess_compiler.py).
7. llvm/raw_layout.py makes a NumPy generalised ufunc of the address of a loop, and a builtin of that of the quick call,
   which becomes `Function.quick_call`. It alone knows how NumPy and CPython lie in memory.
"""
