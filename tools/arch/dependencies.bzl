"""Bazel's own view of the dependency direction, for everything that the programs reach."""

def _reached(name, expression, programs):
    native.genquery(
        name = name,
        testonly = True,
        expression = expression,
        scope = programs,
    )

def dependency_tests(programs, allowed):
    """For each package, a query for what its targets must not reach, and a test that it is empty.

    Args:
      programs: labels; only what these depend on is looked at.
      allowed: package to the packages that it may depend on, besides itself and third_party.
    """
    everything = "deps(%s)" % " + ".join(programs)
    for package, others in allowed.items():
        targets = 'filter("^//%s[:/]", %s)' % (package, everything)
        forbidden = [p for p in allowed.keys() + ["tools"] if p != package and p not in others]
        _reached(package + "_targets", targets, programs)
        _reached(
            package + "_reaches",
            'filter("^//(%s)[:/]", deps(%s))' % ("|".join(forbidden), targets),
            programs,
        )
        native.sh_test(
            name = package + "_dependencies_test",
            size = "small",
            srcs = ["dependencies_test.sh"],
            args = [
                "$(location %s_reaches)" % package,
                "$(location %s_targets)" % package,
            ],
            data = [
                package + "_reaches",
                package + "_targets",
            ],
        )

    # The control: the same query finds what asr does reach, and the same script then fails.
    _reached(
        "control_reaches",
        'filter("^//lstm[:/]", deps(filter("^//asr[:/]", %s)))' % everything,
        programs,
    )
    native.sh_test(
        name = "control_dependencies_test",
        size = "small",
        srcs = ["dependencies_control_test.sh"],
        args = [
            "$(location dependencies_test.sh)",
            "$(location control_reaches)",
            "$(location asr_targets)",
        ],
        data = [
            "asr_targets",
            "control_reaches",
            "dependencies_test.sh",
        ],
    )
