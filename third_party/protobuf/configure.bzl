"""@com_google_protobuf over the protobuf that the system has installed."""

_BUILD = """
package(default_visibility = ["//visibility:public"])

cc_library(
    name = "protobuf",
    linkopts = ["-lprotobuf"],
)

sh_binary(
    name = "protoc",
    srcs = ["protoc_system"],
)

proto_lang_toolchain(
    name = "cc_toolchain",
    blacklisted_protos = [],
    command_line = "--cpp_out=$(OUT)",
    runtime = ":protobuf",
)
"""

def _impl(ctx):
    protoc = ctx.which("protoc")
    if not protoc:
        fail("protoc is missing: tools/bazel installs it (Debian package protobuf-compiler)")
    ctx.symlink(protoc, "protoc_system")
    ctx.file("WORKSPACE", 'workspace(name = "com_google_protobuf")\n')
    ctx.file("BUILD", _BUILD)

protobuf_configure = repository_rule(implementation = _impl, local = True)
