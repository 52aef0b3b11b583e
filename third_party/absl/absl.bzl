"""Debian's Abseil, one target a library. Its headers are system headers: targets carry links."""

def absl_library(name, libs = [], deps = []):
    """Declares a library.

    Args:
      name: as in Abseil's own BUILD files, without the package.
      libs: its own -labsl_ names, dependents first.
      deps: other targets here; Bazel links them after this one.
    """
    native.cc_library(
        name = name,
        linkopts = ["-labsl_" + lib for lib in libs],
        visibility = ["//third_party:own"],
        deps = deps,
    )
