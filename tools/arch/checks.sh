# The architecture checks, one function each. A check walks the tree whose root it is given and
# prints one line a violation: place, then what is wrong. No output means that the rule holds.
# arch_test.sh runs them on this repository, checks_test.sh on small trees that break each rule.

readonly PACKAGES=(base data lstm losses asr bench)

# Lines of the own packages that match: source_grep ROOT PATTERN INCLUDE... -> path:line:text
source_grep() {
  local root="$1" pattern="$2" package
  shift 2
  for package in "${PACKAGES[@]}" tools; do
    [[ -d "${root}/${package}" ]] || continue
    (cd "${root}" && grep -rnE "${@/#/--include=}" --exclude-dir=arch -e "${pattern}" "${package}")
  done
  return 0
}

# Files of the own packages by name: source_files ROOT NAME... -> paths relative to ROOT
source_files() {
  local root="$1" package name
  shift
  for package in "${PACKAGES[@]}"; do
    [[ -d "${root}/${package}" ]] || continue
    for name in "$@"; do (cd "${root}" && find "${package}" -type f -name "${name}"); done
  done | sort
}

# A <- B: what each package may depend on besides itself and third_party.
allowed_packages() {
  case "$1" in
    base) echo "" ;;
    data | lstm | losses) echo "base" ;;
    asr) echo "base data lstm losses" ;;
    bench) echo "base data lstm losses asr" ;;
  esac
}

# Labels in BUILD files and #include lines point only in the allowed direction.
check_direction() {
  local root="$1" package other allowed
  for package in "${PACKAGES[@]}"; do
    [[ -d "${root}/${package}" ]] || continue
    allowed=" ${package} $(allowed_packages "${package}") "
    for other in "${PACKAGES[@]}" tools; do
      [[ "${allowed}" == *" ${other} "* ]] && continue
      (cd "${root}" &&
        grep -rnE --include=BUILD "^[^#]*\"//${other}([/:\"])" "${package}" |
          grep -vE ":__(pkg|subpackages)__" |
          sed "s|\$|  -- ${package} must not depend on ${other}|"
        grep -rnE --include=*.h --include=*.cc --include=*.cu --include=*.proto \
          "^ *(#include|import) *\"${other}/" "${package}" |
          sed "s|\$|  -- ${package} must not include ${other}|")
    done
  done
}

# An implementation is visible to //lstm only; everyone else goes through the registry. The kernels of lstm/simd may also
# be seen by //bench, which times them.
check_lstm_visibility() {
  local root="$1" build path allowed
  for build in "${root}"/lstm/*/BUILD; do
    [[ -f "${build}" ]] || continue
    path="${build#"${root}"/}"
    allowed='//visibility:private|//lstm:__pkg__|//lstm:__subpackages__'
    [[ "${path}" == lstm/simd/BUILD ]] && allowed+='|//bench:__pkg__'
    # All strings inside a visibility list, with their line.
    awk -v path="${path}" -v allowed="^(${allowed})$" '
      /visibility *=/ { inside = 1 }
      inside {
        line = $0
        while (match(line, /"[^"]*"/)) {
          label = substr(line, RSTART + 1, RLENGTH - 2)
          if (label !~ allowed)
            print path ":" NR ": " label "  -- visible to //lstm only"
          line = substr(line, RSTART + RLENGTH)
        }
      }
      inside && /\]/ { inside = 0 }
    ' "${build}"
  done
}

# Every folder of lstm with a BUILD file, but for those of tests, is a row of the registry.
check_lstm_registry() {
  local root="$1" build name
  [[ -f "${root}/lstm/registry.cc" ]] || return 0
  for build in "${root}"/lstm/*/BUILD; do
    [[ -f "${build}" ]] || continue
    name="$(basename "$(dirname "${build}")")"
    [[ "${name}" == testing || "${name}" == testdata ]] && continue
    grep -qF "\"${name}\"" "${root}/lstm/registry.cc" ||
      echo "lstm/registry.cc: no row \"${name}\"  -- every lstm/*/BUILD is in the registry"
    grep -qE "\"//lstm/${name}[\":]" "${root}/lstm/BUILD" ||
      echo "lstm/BUILD: no dependency on //lstm/${name}  -- every lstm/*/BUILD is in the registry"
  done
}

# Command-line flags exist in mains only.
check_flags() {
  source_grep "$1" '#include [<"]gflags/|^ *(DEFINE|DECLARE)_[a-z0-9]+\(' '*.h' '*.cc' '*.cu' |
    grep -vE '^([^:]*_main\.cc|base/program\.h):' | sed 's|$|  -- flags only in *_main.cc|'
  # base/program.h is the mains' own.
  source_grep "$1" '#include "base/program\.h"' '*.h' '*.cc' '*.cu' |
    grep -vE '^[^:]*_main\.cc:' | sed 's|$|  -- for *_main.cc alone|'
}

# Each vendor header and where it is at home (extended regular expressions).
readonly VENDOR_HEADERS='
cblas\.h|openblas[a-z_]*\.h       ^(base/gemm|bench/)
sndfile\.hh?                      ^data/
samplerate\.h                     ^data/
kissfft/.*|kiss_fft.*             ^data/
netcdf[a-z_]*\.h                  ^data/
zlib\.h                           ^(base|data)/
hwy/.*                            ^(base/|losses/|asr/optimizer|bench/peak|lstm/simd/|lstm/gate_)
dnnl.*|oneapi/.*                  ^(lstm/onednn|bench)/
fst/.*                            ^asr/decode/
benchmark/.*                      ^bench/
gtest/.*|gmock/.*                 (_test\.cc|/testing/.*|_testing\.h)$
cuda.*|cublas.*|cudnn.*|nccl.*    ^(lstm/cu[a-z_]*|[a-z]+/cuda)/
'
check_vendor_includes() {
  local root="$1" header home
  while read -r header home; do
    [[ -n "${header}" ]] || continue
    source_grep "${root}" "#include +[<\"](${header})[>\"]" '*.h' '*.cc' '*.cu' | while IFS= read -r hit; do
      [[ "${hit%%:*}" =~ ${home} ]] || echo "${hit}  -- at home in ${home}"
    done
  done <<<"${VENDOR_HEADERS}"
}

# Only base/textproto parses text protobufs (nesting limit), and no shell is started behind data/command.h.
check_forbidden_calls() {
  source_grep "$1" 'TextFormat::(Parse|Merge)|TextFormat::Parser' '*.h' '*.cc' '*.cu' |
    grep -v '^base/textproto\.cc:' | sed 's|$|  -- use base/textproto.h|'
  source_grep "$1" '(^|[^A-Za-z0-9_])(system|popen) *\(' '*.h' '*.cc' '*.cu' |
    sed 's|$|  -- starts a shell|'
  source_grep "$1" 'march=native' BUILD '*.bzl' | sed 's|$|  -- Highway or per-target copts|'
}

# Files are written through base only (whole files, logs, locks), so that none is ever seen half-written.
check_file_writing() {
  source_grep "$1" '(^|[^A-Za-z0-9_.])(rename|renameat2?) *\(|ofstream|fopen *\([^)]*"[wa]|O_WRONLY|O_CREAT' \
    '*.h' '*.cc' '*.cu' |
    grep -vE '^(base/[a-z_]+\.cc|[^:]*_test\.cc|[^:]*/testing/[^:]*):' |
    sed 's|$|  -- write through base/file.h or base/line_log.h|'
}

# Sizes: headers at most 120 lines, sources at most 300. The allow-list (path lines) may only shrink.
check_sizes() {
  local root="$1" allow="$1/tools/arch/size_allowlist.txt" path lines limit allowed
  local -A listed=()
  if [[ -f "${allow}" ]]; then
    while read -r path lines; do
      [[ -n "${path}" && "${path}" != \#* ]] && listed["${path}"]="${lines}"
    done <"${allow}"
  fi
  while IFS= read -r path; do
    limit=300
    [[ "${path}" == *.h ]] && limit=120
    lines="$(wc -l <"${root}/${path}")"
    allowed="${listed[${path}]:-}"
    unset "listed[${path}]"
    if [[ -z "${allowed}" ]]; then
      ((lines <= limit)) || echo "${path}: ${lines} lines  -- at most ${limit}; split it"
    elif ((lines <= limit)); then
      echo "${path}: ${lines} lines  -- now within ${limit}: take it off the allow-list"
    elif ((lines > allowed)); then
      echo "${path}: ${lines} lines  -- the allow-list says ${allowed}, and may only shrink"
    fi
  done < <(source_files "${root}" '*.h' '*.cc' '*.cu')
  for path in "${!listed[@]}"; do
    echo "${path}: on the allow-list but not in the tree  -- take it off"
  done
}

# Names that say nothing, and words that the project does not use.
check_names() {
  local root="$1"
  (cd "${root}" && find . -name .git -prune -o -type d -print |
    grep -E '/(utils?|commons?|helpers?|misc)$' | sed 's|$|  -- a name that says nothing|')
  source_grep "${root}" '(^|[^A-Za-z])([Bb]ackends?|LSTM engines?)([^A-Za-z]|$)' '*.h' '*.cc' '*.cu' '*.proto' |
    sed 's|$|  -- say implementation|'
  source_files "${root}" '*.proto' | while IFS= read -r path; do
    grep -q '^syntax = "proto2";' "${root}/${path}" || echo "${path}: not proto2"
  done
}

# Every script parses. Bash leaves some scripts that do not with exit code 0, and a test with that passes.
check_scripts() {
  local root="$1" path
  (cd "${root}" && find "${PACKAGES[@]}" tools .ci -type f \( -name '*.sh' -o -path tools/bazel -o -path .ci/run \) 2>/dev/null) |
    sort | while IFS= read -r path; do
      (cd "${root}" && bash -n "${path}" 2>&1 | head -n 1 | sed 's|$|  -- does not parse|')
    done
}

# The commands in a document's shell blocks: document:line:command, continuation lines joined.
document_commands() {
  awk -v name="$2" '
    /^```/ { inside = !inside && $0 ~ /^```(sh|bash|shell|console)/; next }
    inside && !/^ *(#|$)/ {
      line = $0
      sub(/^\$ /, "", line)
      if (!joined) start = NR
      text = joined line
      if (sub(/\\$/, "", text)) { joined = text; next }
      joined = ""
      print name ":" start ":" text
    }' "$1/$2"
}

# Command blocks of the documents parse as shell, and name targets and scripts that exist.
check_documents() {
  local root="$1" document line command word package target
  for document in README.md CONTRIBUTING.md; do
    [[ -f "${root}/${document}" ]] || { echo "${document}: missing"; continue; }
    while IFS= read -r line; do
      command="${line#*:*:}"
      bash -n -c "${command}" 2>/dev/null || { echo "${line}  -- does not parse"; continue; }
      # Options after -- belong to the program; its labels do not concern us.
      for word in ${command%% -- *}; do
        word="${word%%[;)]*}"
        case "${word}" in
          -//* | //*)
            word="${word#-}"
            package="${word#//}"
            package="${package%%:*}"
            target="${word##*:}"
            if [[ "${package}" == ... ]]; then continue; fi
            if [[ "${package}" == */... ]]; then
              [[ -d "${root}/${package%/...}" ]] || echo "${line}  -- no folder ${package%/...}"
              continue
            fi
            [[ "${word}" == *:* ]] || target="$(basename "${package}")"
            if [[ ! -f "${root}/${package}/BUILD" ]]; then
              echo "${line}  -- no package //${package}"
            elif [[ "${target}" != all ]] && ! grep -qF "\"${target}\"" "${root}/${package}/BUILD"; then
              echo "${line}  -- no target ${word}"
            fi
            ;;
          tools/* | ./tools/*)
            [[ -e "${root}/${word}" ]] || echo "${line}  -- no file ${word}"
            ;;
        esac
      done
    done < <(document_commands "${root}" "${document}")
  done
}
