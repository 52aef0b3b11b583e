"""What stands for a CUDA library on a machine without CUDA: an error that says what to do."""

def _impl(_ctx):
    fail("--config=cuda needs a CUDA toolkit: set CUDA_HOME or install it at /usr/local/cuda; " +
         "without --config=cuda the build needs none")

missing = rule(implementation = _impl)
