"""Tests of one reader with hostile files."""

def reader_test(name, srcs, seeds, deps, size = "small", **kwargs):
    """An ordinary test NAME and, for `tools/fuzz.sh`, a libFuzzer program NAME_fuzz.

    Args:
      name: of the test; ends in _reader_test.
      srcs: the source that defines kReaderUnderTest (base/testing/reader_under_test.h).
      seeds: files in the reader's format, good or bad; at least one good one of at most 2 KiB.
      deps: what srcs needs.
      size: of the test.
      **kwargs: more attributes of the test.
    """
    native.cc_test(
        name = name,
        size = size,
        srcs = srcs,
        args = ["$(rootpaths %s)" % seed for seed in seeds],
        data = seeds,
        deps = deps + ["//base/testing:reader_test_main"],
        **kwargs
    )
    native.cc_binary(
        name = name + "_fuzz",
        testonly = True,
        srcs = srcs,
        data = seeds,
        tags = ["fuzz", "manual"],
        deps = deps + ["//base/testing:reader_fuzz"],
    )
