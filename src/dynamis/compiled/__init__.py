"""The compiled engine: an algorithm is traced once, and the trace runs as machine code over batches."""
