"""A benchmark from its configuration."""

def benchmark(name):
    """//bench:NAME times configs/NAME.textproto; NAME_test runs it on a few frames.

    Args:
      name: of the configuration.
    """
    config = "configs/%s.textproto" % name
    native.genrule(
        name = name + "_config",
        srcs = [config],
        outs = [name + "_config.cc"],
        cmd = "{ echo 'namespace earshot {'; " +
              "echo 'extern const char kBenchConfigName[] = \"bench/%s\";'; " % config +
              "echo 'extern const char kBenchConfigText[] = R\"textproto('; cat $<; " +
              "echo ')textproto\";'; echo '}'; } > $@",
    )
    native.cc_binary(
        name = name,
        srcs = [":%s_config" % name],
        visibility = ["//tools:__subpackages__"],
        deps = [":bench_main"],
    )
    native.cc_test(
        name = name + "_test",
        size = "medium",
        srcs = [":%s_config" % name],
        deps = [":config_test_main"],
    )
