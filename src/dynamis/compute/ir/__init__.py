"""Programs as LLVM IR: what is common to all machines, and the code of each kind of machine."""
