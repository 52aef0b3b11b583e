#!/bin/bash
# Lists whose "files" are commands, pipes, devices, links in a circle or paths that lead elsewhere: no program starts
# another one, none connects to anything, none hangs, and nothing is written but what was asked for.
#   paths_test.sh TRAIN DECODE SCORE FEATURES CONVERT
set -u

if ! command -v strace >/dev/null || ! strace -o /dev/null true 2>/dev/null; then
  echo "SKIPPED: tools/hostile/paths_test.sh: needs strace and the right to trace"
  exit 0
fi
train="$(realpath "$1")" decode="$(realpath "$2")" score="$(realpath "$3")" features="$(realpath "$4")"
convert="$(realpath "$5")"
work="$(realpath "$(mktemp -d "${TEST_TMPDIR:-/tmp}/paths.XXXXXX")")"
trap 'rm -rf "${work}"' EXIT
unset BUILD_WORKING_DIRECTORY
# A program with the address sanitizer takes terabytes of addresses for itself.
grep -q __asan_init "${features}" && limit=unlimited || limit=4194304
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"  # looking for leaks is tracing too, and two cannot trace
export HOME="${work}/home" XDG_CACHE_HOME="${work}/home/cache"
readonly calls=execve,connect,open,openat,creat,rename,renameat2,unlink,unlinkat,mkdir,mkdirat,link,symlink
checks=0 failures=0

fail() {
  failures=$((failures + 1))
  echo "FAILED: ${case}: $*"
}

# watch CASE STATUS COMMAND...: runs it in ${work}/in, at most 20 s and 4 GiB of addresses, with nothing on stdin. STATUS is "refused"
# (exit 1 and one last line "error: ...") or "read" (exit 0).
watch() {
  local status="$2" code
  case="$1"
  shift 2
  checks=$((checks + 1))
  (cd "${work}/in" && ulimit -v "${limit}" &&
    timeout -k 1 20 strace -f -qq -o "${work}/trace" -e trace="${calls}" "$@" </dev/null >"${work}/out" 2>"${work}/err")
  code=$?
  case "${status}" in
    read) [[ "${code}" == 0 ]] || fail "exit ${code}: $(tail -n 1 "${work}/err")" ;;
    refused)
      [[ "${code}" == 1 ]] || fail "exit ${code}, expected 1: $(tail -n 1 "${work}/err")"
      tail -n 1 "${work}/err" | grep -q '^error: ' || fail "no error: $(tail -n 1 "${work}/err")"
      ;;
  esac
  LC_ALL=C grep -q '[^[:print:][:space:]]' "${work}/err" && fail "control characters on stderr: $(cat -v "${work}/err")"
  [[ "$(grep -c 'execve(' "${work}/trace")" == 1 ]] || fail "starts a program: $(grep 'execve(' "${work}/trace" | tail -n 1)"
  grep 'connect(' "${work}/trace" && fail "connects"
  # Whatever is opened for writing, renamed, made or removed lies in ${work}/in/out or the home folder.
  grep -E 'O_WRONLY|O_RDWR|O_CREAT|creat\(|rename|unlink|mkdir|link\(' "${work}/trace" |
    grep -vE '"(/dev/(null|tty)"|(\./)?\.?out[./"]|'"${work}"'/(home|in/\.?out)[./"])|= -1 (ENOENT|EEXIST)' >"${work}/written"
  [[ -s "${work}/written" ]] && fail "writes elsewhere: $(head -n 1 "${work}/written")"
  compgen -G "${work}/PWNED*" >/dev/null && fail "ran the command"
  compgen -G "${work}/in/PWNED*" >/dev/null && fail "ran the command"
  return 0
}

# Little-endian integer: le VALUE BYTES
le() {
  local escaped="" i
  for ((i = 0; i < $2; ++i)); do escaped+="$(printf '\\x%02x' $(($1 >> (8 * i) & 255)))"; done
  printf '%b' "${escaped}"
}
wav() {
  printf RIFF && le 16036 4 && printf 'WAVEfmt ' && le 16 4 && le 1 2 && le 1 2
  le 16000 4 && le 32000 4 && le 2 2 && le 16 2 && printf data && le 16000 4 && head -c 16000 "${features}"
}

fresh() {
  rm -rf "${work:?}/in" "${work:?}/home"
  mkdir -p "${work}/in/dir" "${work}/home"
  wav >"${work}/in/good.wav"
}

# Every line of wav.scp that is no plain file.
fresh
mkfifo "${work}/fifo"
ln -s loop2 "${work}/loop1"
ln -s loop1 "${work}/loop2"
lines=(
  "touch ${work}/PWNED |"
  "touch PWNED|"
  "cat good.wav | tee PWNED |"
  "| tee PWNED"
  "| sh -c 'touch PWNED'"
  "good.wav; touch PWNED"
  "good.wav && touch PWNED"
  "\$(touch PWNED)"
  "\`touch PWNED\`"
  "<(touch PWNED)"
  "-rf"
  "--help"
  "-"
  "~/x.wav"
  "/dev/zero"
  "/dev/stdin"
  "/dev/fd/0"
  "/proc/self/mem"
  "${work}/fifo"
  "${work}/loop1"
  "${work}"
  "../../../../../../../../etc/passwd"
  "http://127.0.0.1/x.wav"
  "tcp:127.0.0.1:80"
  $'\x1b[2J'
)
for line in "${lines[@]}"; do
  fresh
  printf 'u1 %s\n' "${line}" >"${work}/in/dir/wav.scp"
  printf 'u1 one\n' >"${work}/in/dir/text"
  printf 'u1 s1\n' >"${work}/in/dir/utt2spk"
  watch "features of a Kaldi directory: ${line}" refused "${features}" --out=ark:out.ark dir
  watch "features of an scp: ${line}" refused "${features}" --out=ark:out.ark dir/wav.scp
  rm "${work}/in/dir/wav.scp"
  printf 'u1 %s\n' "${line}" >"${work}/in/dir/feats.scp"
  watch "features of feats.scp: ${line}" refused "${features}" --out=ark:out.ark dir
  escaped="${line//\\/\\\\}"
  [[ "${line}" == *$'\x1b'* ]] && escaped='\u001b[2J'
  printf '{"audio_filepath": "%s", "text": "one"}\n' "${escaped//\"/\\\"}" >"${work}/in/list.jsonl"
  watch "features of a manifest: ${line}" refused "${features}" --out=ark:out.ark list.jsonl
done

# A corpus to train on, and its conversion: commands are refused before anything runs.
for part in train test; do
  fresh
  for p in train dev test; do
    mkdir -p "${work}/in/dir/${p}"
    printf 'u-%s good.wav\n' "${p}" >"${work}/in/dir/${p}/wav.scp"
    printf 'u-%s one\n' "${p}" >"${work}/in/dir/${p}/text"
    printf 'u-%s s1\n' "${p}" >"${work}/in/dir/${p}/utt2spk"
  done
  printf 'u-%s touch PWNED |\n' "${part}" >"${work}/in/dir/${part}/wav.scp"
  watch "training: ${part}" refused "${train}" --recipe=digits --data=dir --out=out --set='epochs: 1'
  watch "conversion: ${part}" refused "${convert}" --to=nemo dir out
done
fresh
printf '{"id": "a", "sources": [{"type": "command", "channels": [0], "source": "touch PWNED"}], "sampling_rate": 16000, "num_samples": 8000, "channel_ids": [0]}\n' \
  >"${work}/in/recordings.jsonl"
printf '{"id": "u1", "recording_id": "a", "start": 0, "duration": 0.5, "channel": 0, "text": "one"}\n' >"${work}/in/supervisions.jsonl"
watch "Lhotse's command" refused "${features}" --out=ark:out.ark recordings.jsonl
watch "Lhotse's command, converted" refused "${convert}" --to=kaldi supervisions.jsonl out
watch "taken over when allowed, and still not run" read "${convert}" --allow_commands --to=kaldi supervisions.jsonl out

# Ids that would be paths.
for id in ../x /tmp/x a/../../x .. .; do
  fresh
  printf '%s good.wav\n' "${id}" >"${work}/in/dir/wav.scp"
  watch "id ${id}" refused "${features}" --out=npy:out dir
done

# Things that are no lists, models or texts.
for path in /dev/zero "${work}/fifo" "${work}/loop1" "${work}" ../../../../../../../../etc/passwd $'no\x1b[2J\nfile' "%s%n"; do
  fresh
  watch "reference ${path}" refused "${score}" --ref="${path}" --hyp=dir
  watch "model ${path}" refused "${decode}" --model="${path}" good.wav
  watch "recipe ${path}" refused "${train}" --recipe="${path}" --out=out
  watch "input ${path}" refused "${features}" --out=ark:out.ark "${path}"
  watch "list ${path}" refused "${convert}" --to=kaldi "${path}" out
done

# An output that is a device: root would put a file in its place.
fresh
printf 'u1 good.wav\n' >"${work}/in/dir/wav.scp"
printf 'u1 one\n' >"${work}/in/text"
ln -s /dev/null "${work}/in/out.link"
watch "archive in place of a device" refused "${features}" --out=ark:out.link dir
watch "array in place of a device" refused "${features}" --out=out.link dir/wav.scp
watch "JSON in place of a device" refused "${score}" --ref=text --hyp=text --json=out.link
[[ "$(readlink "${work}/in/out.link")" == /dev/null && -c /dev/null ]] || fail "it was replaced"

# The control: a plain file is read, and what is written is seen.
fresh
printf 'u1 good.wav\n' >"${work}/in/dir/wav.scp"
watch "a plain file" read "${features}" --out=ark:out.ark dir
[[ -s "${work}/in/out.ark" ]] || fail "no features"
before="${failures}"
watch "writing elsewhere is seen" read "${features}" --out=ark:dir/elsewhere.ark dir >/dev/null
if [[ "${failures}" == "${before}" ]]; then fail "not seen"; else failures="${before}"; fi
printf 'u1 cat good.wav |\n' >"${work}/in/dir/wav.scp"
watch "a command is seen" read "${features}" --allow_commands --out=ark:out.ark dir >/dev/null
if [[ "${failures}" == "${before}" ]]; then fail "not seen"; else failures="${before}"; fi

echo "${checks} cases, ${failures} failed"
exit $((failures > 0))
