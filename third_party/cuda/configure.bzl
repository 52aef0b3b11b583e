"""@cuda over a local CUDA toolkit: $CUDA_HOME, then /usr/local/cuda; a stand-in when there is none."""

_FOUND = """
package(default_visibility = ["//visibility:public"])

config_setting(
    name = "available",
    values = {{"define": "earshot_cuda=on"}},
)

filegroup(
    name = "nvcc",
    srcs = ["bin/nvcc"],
)

[cc_library(
    name = lib,
    linkopts = ["-L{home}/lib64", "-Wl,-rpath,{home}/lib64", "-l" + lib],
) for lib in ["cublas", "cublasLt", "cudart", "cudnn", "nccl"]]

cc_library(
    name = "headers",
    hdrs = glob(["include/**"]),
    includes = ["include"],
)
"""

_MISSING = """
load("@earshot//third_party/cuda:missing.bzl", "missing")

package(default_visibility = ["//visibility:public"])

# True for no build: two values of one define.
config_setting(
    name = "available",
    define_values = {"earshot_cuda": "on", "earshot_cuda_toolkit": "missing"},
)

[missing(name = name) for name in [
    "cublas", "cublasLt", "cudart", "cudnn", "headers", "nccl", "nvcc",
]]
"""

def _impl(ctx):
    home = ctx.os.environ.get("CUDA_HOME") or "/usr/local/cuda"
    ctx.file("WORKSPACE", 'workspace(name = "cuda")\n')
    if ctx.path(home + "/bin/nvcc").exists:
        ctx.symlink(home + "/bin/nvcc", "bin/nvcc")
        ctx.symlink(home + "/include", "include")
        ctx.file("BUILD", _FOUND.format(home = home))
    else:
        ctx.file("BUILD", _MISSING)

cuda_configure = repository_rule(
    implementation = _impl,
    environ = ["CUDA_HOME"],
    local = True,
)
