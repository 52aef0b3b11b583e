#!/bin/bash
# Training under attack: the trainer is killed at its file system calls and at random moments, resumed,
# and must end with the same bytes as a run that nobody disturbed, with each step once in
# metrics.jsonl. Also: which runs must give the same weights bit for bit.
#
#   train_crash_test.sh ATTACK TRAIN      ATTACK: calls, damage, errors, random, same_bits or steps; TRAIN: //asr:train
set -u
source tools/crash/attack.sh

attack="$1"
train="$(realpath "$2")"
make_work train_crash
dir="${work}/run"

# Little-endian integer: le VALUE BYTES
le() {
  local escaped="" i
  for ((i = 0; i < $2; ++i)); do escaped+="$(printf '\\x%02x' $(($1 >> (8 * i) & 255)))"; done
  printf '%b' "${escaped}"
}

# A recording in FSDD's form: a tone whose pitch is the digit, with noise that depends on the take.
wav() {
  local path="$1" digit="$2" take="$3" samples=$((1600 + 80 * $3))
  {
    printf RIFF && le $((36 + 2 * samples)) 4 && printf 'WAVEfmt ' && le 16 4 && le 1 2 && le 1 2
    le 8000 4 && le 16000 4 && le 2 2 && le 16 2 && printf data && le $((2 * samples)) 4
    printf '%b' "$(awk -v n="${samples}" -v f=$((300 + 400 * digit)) -v k="${take}" 'BEGIN {
      for (i = 0; i < n; ++i) {
        v = int(8000 * sin(6.2831853 * f * i / 8000) + i * i * (k + 7) % 1001)
        if (v < 0) v += 65536
        printf "\\x%02x\\x%02x", v % 256, int(v / 256)
      }
    }')"
  } >"${path}"
}

make_corpus() {
  local digit take
  mkdir "${work}/corpus"
  for digit in 0 1 2; do
    for take in 0 5 10 11 12 13 14 15 16 17; do wav "${work}/corpus/${digit}_me_${take}.wav" "${digit}" "${take}"; done
  done
}

# A small net with everything that a resumed run must pick up again: dropout, augmentation, shuffling, Adam's moments,
# a schedule with state, the best error. Six steps an epoch.
make_recipe() {
  cat >"${work}/crash.textproto" <<'END'
name: "crash"
features { sample_rate: 8000 num_mel_bins: 8 delta_order: 0 }
tokens { unit: WORD token: "zero" token: "one" token: "two" }
augment { speed: 0.9 speed: 1 gain_deviation: 1 noise_deviation: 0.1 max_band_mask: 2 max_time_mask: 0.1 }
batch { max_utterances: 4 bucket_batches: 2 }
model {
  lstm { implementation: "simd" num_levels: 2 hidden_size: 8 bidirectional: true dropout: 0.2 }
  output_dropout: 0.1
}
loss { kind: CTC }
optimizer { kind: ADAM learning_rate: 3e-3 }
schedule { kind: HALVE_ON_PLATEAU }
epochs: 4
threads: 2
log_steps: 1
END
}

# Starts the run, or goes on with it where there is something to go on with.
#   go [COMMAND...]: under COMMAND
go() {
  local how=(--recipe="${work}/crash.textproto" --data="${work}/corpus" "${sets[@]}")
  [[ -e "${dir}/last.safetensors" || -e "${dir}/previous.safetensors" ]] && how=(--resume)
  # A killed trainer can take a moment to be gone.
  [[ -e "${dir}/lock" ]] && flock --wait 60 "${dir}/lock" true
  # Bash would report each kill on the standard error of this shell, not of the inner one.
  code="$({
    "$@" "${train}" "${how[@]}" --out="${dir}" >"${work}/stdout" 2>"${work}/stderr"
    echo $?
  } 2>/dev/null)"
}

# metrics.jsonl without what is measured rather than computed.
metrics() { sed -E 's/"(seconds|frames_per_second)":[0-9.]+//g' "$1/metrics.jsonl"; }

# Goes on to the end and compares.
finish() {
  local file left
  go
  [[ "${code}" == 0 ]] || { fail "exit ${code} after resuming: $(<"${work}/stderr")"; return; }
  for file in last best; do
    cmp -s "${dir}/${file}.safetensors" "${work}/want/${file}.safetensors" || fail "${file}.safetensors differs"
  done
  [[ "$(metrics "${dir}")" == "$(metrics "${work}/want")" ]] || fail "metrics.jsonl differs"
  [[ "$(tail -n 1 "${work}/stdout")" == "$(<"${work}/want/last_line")" ]] || fail "the last line of the output differs"
  left="$(find "${dir}" -name '.*.tmp.*')"
  [[ -z "${left}" ]] || fail "left behind: ${left}"
}

# The undisturbed run: want OPTION...
want() {
  sets=("$@")
  rm -rf "${dir}" "${work}/want"
  case="undisturbed"
  go
  if [[ "${code}" != 0 ]]; then
    echo "FAILED: the undisturbed run: exit ${code}: $(<"${work}/stderr")"
    exit 1
  fi
  tail -n 1 "${work}/stdout" >"${dir}/last_line"
  mv "${dir}" "${work}/want"
}

# kill_at SYSCALL FIRST: kills at each call of SYSCALL from FIRST to the last.
kill_at() {
  local call="$1" n="$2"
  for (( ; ; ++n)); do
    case="kill at ${call} ${n}"
    rm -rf "${dir}"
    go strace -f -o /dev/null -e "trace=${call}" -e "inject=${call}:signal=SIGKILL:when=${n}"
    [[ "${code}" == 0 ]] && return
    [[ "${code}" == 137 ]] || fail "exit ${code}: $(<"${work}/stderr")"
    cases=$((cases + 1))
    finish
  done
}

# A short run with all that happens in a long one, few tensors (each is a call of write), and one thread (strace counts
# the calls of each thread by itself).
short=(--set="epochs: 1 checkpoint_steps: 3 threads: 1 model { lstm { num_levels: 1 bidirectional: false dropout: 0 } }")

# Every call that changes a file.
attack_calls() {
  local call
  want "${short[@]}"
  for call in write fsync rename unlink mkdir flock ftruncate pwrite64; do kill_at "${call}" 1; done
}

# A full or failing disk: each call of a short run that concerns its directory fails once, or it and all later ones.
# The trainer has to say so and stop.
attack_errors() {
  local call error n forever hit concerned
  local -A text=([ENOSPC]="No space left on device" [EIO]="Input/output error")
  want "${short[@]}"
  for call in write fsync rename pwrite64 ftruncate openat; do
    rm -rf "${dir}"
    go strace -f -y -o "${work}/trace" -e "trace=${call}"
    mapfile -t concerned < <(grep "^[0-9]* *${call}(" "${work}/trace" | grep -n -F "${dir}" | cut -d: -f1)
    for n in "${concerned[@]}"; do
      for error in ENOSPC EIO; do
        for forever in "" "+"; do
          [[ "${error}" == EIO && ("${call}" != fsync || -n "${forever}") ]] && continue
          case="${error} at ${call} ${n}${forever}"
          rm -rf "${dir}"
          go strace -f -y -o "${work}/trace" -e "trace=${call}" -e "inject=${call}:error=${error}:when=${n}${forever}"
          cases=$((cases + 1))
          hit="$(grep -m 1 -F INJECTED "${work}/trace")"
          if [[ "${code}" != 1 ]]; then
            fail "exit ${code} after ${hit}: $(<"${work}/stderr")"
          elif ! grep -qE "^error: .*${dir}[^ ]*: cannot [^:]+: ${text[${error}]}" "${work}/stderr"; then
            # With every write failing, the message cannot be written either.
            [[ "${call}${forever}" == "write+" ]] || fail "message: $(<"${work}/stderr")"
          fi
          finish
        done
      done
    done
  done
}

# Resumed after each of 24 steps: every save renames once or twice.
attack_steps() {
  want --set="checkpoint_steps: 1"
  kill_at rename 1
}

# Kills and polite signals at random moments, up to five a run, then to the end.
attack_random() {
  local start end length_ms run kills
  RANDOM=17
  want --set="epochs: 10 checkpoint_steps: 5"
  start="$(date +%s%N)"
  rm -rf "${dir}" && go
  end="$(date +%s%N)"
  length_ms=$(((end - start) / 1000000))
  echo "an undisturbed run takes ${length_ms} ms; RANDOM=17"
  for ((run = 1; cases < 100; ++run)); do
    rm -rf "${dir}"
    for ((kills = 1 + RANDOM % 5; kills > 0; --kills)); do
      local signal=KILL wait
      ((RANDOM % 4 == 0)) && signal=TERM
      wait="$(printf '%d.%03d' $((RANDOM % length_ms / 1000)) $((RANDOM % length_ms % 1000)))"
      case="run ${run}, SIG${signal} after ${wait} s"
      go timeout --preserve-status -s "${signal}" "${wait}"
      # 75: stopped and resumable; 143: SIGTERM before training began. A run that ended before counts for nothing.
      case "${signal} ${code}" in
        "KILL 137" | "TERM 75" | "TERM 143") cases=$((cases + 1)) ;;
        *" 0") ;;
        *) fail "exit ${code}: $(<"${work}/stderr")" ;;
      esac
    done
    case="run ${run}"
    finish
  done
}

# expect_error TEXT: the run just ended with exit 1 and this on stderr.
expect_error() {
  [[ "${code}" == 1 ]] || fail "exit ${code}: $(<"${work}/stderr")"
  grep -qF "$1" "${work}/stderr" || fail "message: $(<"${work}/stderr")"
}

# Checkpoints cut short, with a flipped bit, full of zeros; a file size limit; two trainers in one directory.
attack_damage() {
  local last="${dir}/last.safetensors" size cut n
  want --set="checkpoint_steps: 1"
  for n in 30 31; do  # one of them is not between the two renames of a save
    rm -rf "${dir}"
    go strace -f -o /dev/null -e trace=rename -e "inject=rename:signal=SIGKILL:when=${n}"
    [[ -e "${last}" ]] && break
  done
  cp -r "${dir}" "${work}/middle"
  size="$(stat -c %s "${last}")"
  for cut in 0 1 8 $((size / 4)) $((size / 2)) $((size - 1)) flip zeros; do
    case="last.safetensors: ${cut}"
    cases=$((cases + 1))
    rm -rf "${dir}" && cp -r "${work}/middle" "${dir}"
    case "${cut}" in
      flip) printf '\x7f' | dd of="${last}" bs=1 seek=$((size / 2)) conv=notrunc status=none ;;
      zeros) head -c "${size}" /dev/zero >"${last}" ;;
      *) truncate -s "${cut}" "${last}" ;;
    esac
    finish
    grep -qE "warning: ${last}: byte [0-9]+: expected .*; using ${dir}/previous.safetensors of step [0-9]+" \
      "${work}/stderr" || fail "no warning: $(<"${work}/stderr")"
  done

  case="both damaged"
  cases=$((cases + 1))
  rm -rf "${dir}" && cp -r "${work}/middle" "${dir}"
  truncate -s 100 "${last}" "${dir}/previous.safetensors"
  go
  expect_error "error: ${last}: byte 35: expected the CRC-32C"

  case="file size limit"
  cases=$((cases + 1))
  rm -rf "${dir}" && cp -r "${work}/middle" "${dir}"
  go bash -c 'ulimit -f 8; exec "$@"' bash
  [[ "${code}" != 0 ]] || fail "exit 0"
  finish

  case="two trainers"
  cases=$((cases + 1))
  rm -rf "${dir}" && cp -r "${work}/middle" "${dir}"
  go flock "${dir}/lock"
  expect_error "${dir}/lock: held by another process with the id "
  finish
}

# SHA-256 of the tensors alone (the header holds the configuration).
tensors() {
  local length
  length="$(od -An -tu8 -N8 "$1/best.safetensors")"
  tail -c +$((9 + length)) "$1/best.safetensors" | sha256sum | cut -d' ' -f1
}

# The definition for any number of threads; the others with the same number.
attack_same_bits() {
  local lstm threads first
  for lstm in reference basic fused_cell blas; do
    first=""
    for threads in 1 2 3 4 8; do
      [[ "${lstm}" == reference ]] || threads=2  # five runs alike
      sets=(--lstm="${lstm}" --set="threads: ${threads}")
      case="${lstm}, ${threads} threads"
      rm -rf "${dir}"
      go
      cases=$((cases + 1))
      [[ "${code}" == 0 ]] || { fail "exit ${code}: $(<"${work}/stderr")"; continue; }
      first="${first:-$(tensors "${dir}")}"
      [[ "$(tensors "${dir}")" == "${first}" ]] || fail "other bits than the first run"
    done
    [[ -n "${first}" ]] && echo "${lstm}: ${first}"
  done
}

make_corpus
make_recipe
case "${attack}" in
  calls | damage | errors | steps) need_strace ;;
esac
"attack_${attack}"
echo "${attack}: ${cases} cases, ${failures} failures"
((failures == 0 && cases > 0))
