"""Programs as machine code for other processors: IR for LLVM, object files, static libraries, WebAssembly modules."""
