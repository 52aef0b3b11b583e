"""Benchmarks from their configurations."""

def embedded_configs(name, configs):
    """A source file with the texts of configs/CONFIG.textproto (bench/embedded_configs.h).

    Args:
      name: of the target; the file is NAME.cc.
      configs: names of configurations.
    """
    files = ["configs/%s.textproto" % config for config in configs]
    commands = ["echo '#include \"bench/embedded_configs.h\"'", "echo 'namespace earshot {'"]
    commands.append("echo 'const std::vector<EmbeddedConfig>& EmbeddedConfigs() {'")
    commands.append("echo 'static const auto* const configs = new std::vector<EmbeddedConfig>{'")
    for file in files:
        commands.append("echo '{\"bench/%s\", R\"textproto('; cat $(location %s); echo ')textproto\"},'" % (file, file))
    commands.append("echo '}; return *configs; }'; echo '}  // namespace earshot'")
    native.genrule(
        name = name,
        srcs = files,
        outs = [name + ".cc"],
        cmd = "{ %s; } > $@" % "; ".join(commands),
    )

def benchmark(name, configs = None):
    """//bench:NAME times configs/NAME.textproto, or several; NAME_test runs it on a few frames.

    Args:
      name: of the configuration.
      configs: where there are several.
    """
    embedded_configs(name + "_configs", configs or [name])
    native.cc_binary(
        name = name,
        srcs = [":%s_configs" % name],
        visibility = ["//tools:__subpackages__"],
        deps = [":bench_main"],
    )
    if configs:
        return
    native.cc_test(
        name = name + "_test",
        size = "medium",
        srcs = [":%s_configs" % name],
        deps = [":config_test_main"],
    )
