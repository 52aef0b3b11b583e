#!/bin/bash
# Negative controls: every check of checks.sh finds what it is there for, in a small tree that breaks
# the rule, and finds nothing in one that does not. Arguments: the checks that run on the repository.
set -u
source "$(dirname "$0")/checks.sh"

failures=0
tree=""
declare -A broken=()

# Starts a tree that breaks no rule.
fresh_tree() {
  tree="$(mktemp -d "${TEST_TMPDIR:-/tmp}/tree.XXXXXX")"
  put base/file.cc 'int x = rename("a", "b"); int fd = open(p, O_WRONLY | O_CREAT);'
  put base/textproto.cc 'google::protobuf::TextFormat::Parser parser;'
  put base/BUILD 'cc_library(name = "file", visibility = ["//lstm:__subpackages__"])'
  put lstm/BUILD 'deps = ["//base:file", "//lstm/basic"]'
  put lstm/registry.cc '#include "base/file.h"' '{"basic", "..."}'
  put lstm/basic/BUILD 'cc_library(' '    name = "basic",' \
    '    visibility = ["//lstm:__pkg__"],' '    deps = ["//base:file"],' ')'
  put lstm/simd/x.cc '#include <hwy/highway.h>'
  put asr/train.proto 'syntax = "proto2";'
  put asr/BUILD 'cc_binary(name = "train", deps = ["//lstm:registry"])'
  put asr/train_main.cc '#include <gflags/gflags.h>' 'DEFINE_string(recipe, "", "");'
  put data/audio_file.cc '#include <sndfile.h>' 'file_system(1); mypopen(2);'
  put data/audio_file_test.cc '#include "gtest/gtest.h"' 'std::ofstream out;'
  put README.md '```sh' 'tools/bazel run //asr:train -- --set="//x:y"' '```' '```' 'not ( shell' '```'
  put CONTRIBUTING.md 'text'
  put tools/bazel ''
}

put() {
  local path="${tree}/$1"
  shift
  mkdir -p "$(dirname "${path}")"
  printf '%s\n' "$@" >"${path}"
}

lines() { seq "$1" | sed 's/.*/x/' >"${tree}/$2"; }

# expect CHECK COUNT [TEXT]: the check prints COUNT lines, and TEXT is in them.
expect() {
  local output count=0
  output="$("check_$1" "${tree}")"
  [[ "$2" != 0 ]] && broken["$1"]=1
  [[ -n "${output}" ]] && count="$(wc -l <<<"${output}")"
  if [[ "${count}" != "$2" || "${output}" != *"${3:-}"* ]]; then
    echo "FAILED: check_$1 should print $2 lines with '${3:-}'; it printed ${count}:"
    echo "${output}"
    failures=$((failures + 1))
  fi
}

checks="$(compgen -A function | sed -n 's/^check_//p')"
fresh_tree
for check in ${checks}; do expect "${check}" 0; done
if [[ "$(printf '%s\n' "$@" | sort)" != "$(sort <<<"${checks}")" ]]; then
  echo "FAILED: BUILD runs" "$@" "but checks.sh has" ${checks}
  failures=$((failures + 1))
fi

put data/BUILD 'deps = [' '    "//lstm:lstm",' '    # "//asr:model",' ']'
expect direction 1 'data/BUILD:2'
put losses/ctc.cc '#include "data/batch.h"'
expect direction 2 'losses must not include data'
put base/x.proto 'import "asr/train.proto";'
expect direction 3 'base must not include asr'
put bench/BUILD '"//tools:x"'
expect direction 4 'bench must not depend on tools'

fresh_tree
put lstm/basic/BUILD 'visibility = [' '    "//lstm:__pkg__",' '    "//asr:__pkg__",' ']'
expect lstm_visibility 1 'lstm/basic/BUILD:3'
put lstm/basic/BUILD 'package(default_visibility = ["//visibility:public"])'
expect lstm_visibility 1 'public'
put lstm/basic/BUILD 'visibility = ["//bench:__pkg__"]'
expect lstm_visibility 1 'lstm/basic/BUILD:1: //bench:__pkg__'
fresh_tree
put lstm/simd/BUILD 'visibility = ["//bench:__pkg__"]'
expect lstm_visibility 0
put lstm/simd/BUILD 'visibility = ["//bench:__subpackages__", "//bench:__pkg__", "//asr:__pkg__"]'
expect lstm_visibility 2 'lstm/simd/BUILD:1: //asr:__pkg__'

fresh_tree
put lstm/extra/BUILD ''
expect lstm_registry 2 'extra'

fresh_tree
put asr/trainer.cc 'DEFINE_int32(steps, 1, "");'
expect flags 1 'asr/trainer.cc:1'
put asr/model.h '#include "gflags/gflags.h"'
expect flags 2 'asr/model.h:1'

fresh_tree
put asr/model.cc '#include <sndfile.h>'
put lstm/basic/x.cc '#include <cblas.h>' '#include "hwy/highway.h"'
put lstm/simd/x.h '#include <gtest/gtest.h>'
put losses/ctc.cc '#include <cuda_runtime.h>'
expect vendor_includes 5 'cuda_runtime'
put losses/cuda/ctc.cc '#include <cuda_runtime.h>'
expect vendor_includes 5

fresh_tree
put asr/a.cc 'TextFormat::ParseFromString(a, &b);' 'system("ls");' ' = popen (x, "r");' 'std::system(x);'
expect forbidden_calls 4
put lstm/simd/BUILD 'copts = ["-march=native"]'
expect forbidden_calls 5 'march'

fresh_tree
put asr/a.cc 'std::ofstream f(path);' 'rename(a, b);' 'fopen(path, "wb");' 'fopen(path, "rb");' 'open(p, O_CREAT);'
expect file_writing 4

fresh_tree
lines 121 base/big.h
lines 301 base/big.cc
lines 300 base/fine.cc
expect sizes 2 'base/big.h'
put tools/arch/size_allowlist.txt '# comment' 'base/big.h 121' 'base/big.cc 400' 'base/gone.cc 310' 'base/fine.cc 310'
expect sizes 2 'base/gone.cc'
put tools/arch/size_allowlist.txt 'base/big.h 121' 'base/big.cc 300'
expect sizes 1 'may only shrink'

fresh_tree
mkdir -p "${tree}/asr/utils"
put asr/a.h '// the fastest backend'
put asr/b.proto 'syntax = "proto3";'
expect names 3

fresh_tree
put asr/a_test.sh '[[ "$1" != 0 || ("$1" == 0) == "$2" ]]'
put tools/bazel 'if true'
put data/b_test.sh '[[ "$1" != 0 ]] || (( ($1 == 0) != ($2 == 0) ))'
expect scripts 2 'asr/a_test.sh: line 1'

fresh_tree
put README.md '```sh' 'tools/bazel run //asr:decode -- a.wav' 'tools/bazel run //nowhere:train' \
  'if then' 'tools/bazel test //base/... //fst/... -//data:x' 'tools/none.sh' \
  'tools/bazel build \' '  //asr:gone' '```'
expect documents 7 'README.md:7'
rm "${tree}/CONTRIBUTING.md"
expect documents 8 'CONTRIBUTING.md: missing'

for check in ${checks}; do
  [[ -n "${broken[${check}]:-}" ]] && continue
  echo "FAILED: no tree breaks check_${check}"
  failures=$((failures + 1))
done

[[ "${failures}" == 0 ]] && echo "all controls hold"
exit "${failures}"
