"""Machine code by LLVM: vectorised kernels, an interpreter for short runs, a cache on disk."""
