"""@com_google_protobuf over the protobuf that the system has installed."""

# The well-known types that proto_library targets may depend on, by file name.
_WELL_KNOWN = ["any", "duration", "struct", "timestamp", "wrappers"]

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

_PROTO = """
proto_library(
    name = "{0}_proto",
    srcs = ["google/protobuf/{0}.proto"],
)
"""

def _impl(ctx):
    protoc = ctx.which("protoc")
    if not protoc:
        fail("protoc is missing: tools/bazel installs it (Debian package protobuf-compiler)")
    ctx.symlink(protoc, "protoc_system")
    for name in _WELL_KNOWN:
        path = "google/protobuf/%s.proto" % name
        ctx.symlink("/usr/include/" + path, path)
    ctx.file("WORKSPACE", 'workspace(name = "com_google_protobuf")\n')
    ctx.file("BUILD", _BUILD + "".join([_PROTO.format(name) for name in _WELL_KNOWN]))

protobuf_configure = repository_rule(implementation = _impl, local = True)
