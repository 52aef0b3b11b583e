#!/bin/bash
# Leave-one-speaker-out on FSDD: trains once for each speaker, with all recordings of that speaker as the test set and
# none of them in training or model selection, and prints each accuracy and their mean. Features are normalised with each
# speaker's own mean and variance (no label is used), which takes the microphone and the voice's level away; more speeds
# stand for more voices.
#   tools/leave_one_speaker_out.sh FSDD_FOLDER [RECIPE [FLAG...]]        RECIPE: digits (default) or isolated_digits
# The flags go to //asr:train, e.g. --lstm=blas. Run directories: ${OUT:-exp/leave_one_speaker_out}/SPEAKER.
set -euo pipefail

fsdd="${1:?usage: $0 FSDD_FOLDER [RECIPE [FLAG...]]}"
recipe="${2:-digits}"
shift $(( $# < 2 ? $# : 2 ))
[[ -d "${fsdd}" ]] || { echo "error: ${fsdd}: no such folder" >&2; exit 1; }
fsdd="$(readlink -f "${fsdd}")"
out="$(readlink -m "${OUT:-exp/leave_one_speaker_out}")"
cd "$(dirname "$0")/.."

mapfile -t speakers < <(find "${fsdd}" -name '[0-9]_*_*.wav' -printf '%f\n' | cut -d_ -f2 | sort -u)
(( ${#speakers[@]} > 1 )) || { echo "error: ${fsdd}: expected files {digit}_{speaker}_{take}.wav of several speakers" >&2; exit 1; }

tools/bazel build //asr:train >&2
printf '%-12s %9s %8s\n' speaker 'accuracy' seconds
sum=0
for speaker in "${speakers[@]}"; do
  bazel-bin/asr/train --recipe="${recipe}" --data="${fsdd}" --set="corpus { held_out_speaker: '${speaker}' }" \
    --set='features { normalization: SPEAKER }' --set='augment { speed: 0.8 speed: 0.9 speed: 1 speed: 1.1 speed: 1.25 }' \
    --out="${out}/${speaker}" --overwrite "$@" >/dev/null
  # The accuracy of isolated digits: utterances without any error.
  error="$(sed -n 's/.*"sentence_error": *\([0-9.]*\).*/\1/p' "${out}/${speaker}/result.json")"
  seconds="$(sed -n 's/.*"train_seconds": *\([0-9.]*\).*/\1/p' "${out}/${speaker}/result.json")"
  [[ -n "${error}" ]] || { echo "error: ${out}/${speaker}/result.json: no number as sentence_error" >&2; exit 1; }
  accuracy="$(awk -v e="${error}" 'BEGIN { printf "%.2f", 100 - e }')"
  printf '%-12s %7s %% %8s\n' "${speaker}" "${accuracy}" "${seconds}"
  sum="$(awk -v s="${sum}" -v a="${accuracy}" 'BEGIN { print s + a }')"
done
printf '%-12s %7s %%\n' mean "$(awk -v s="${sum}" -v n="${#speakers[@]}" 'BEGIN { printf "%.2f", s / n }')"
