"""CUDA: programs as kernels of one state per thread, PTX by LLVM, launched through the driver."""
