#!/bin/bash
# One corpus through every front door: front_doors_test.sh TRAIN DECODE FEATURES CONVERT MAKE_TONES
# An AN4 folder, the same as Kaldi data directories, as NeMo's and Lhotse's manifests, as TSV and as ready features
# trains with the same losses, bit for bit. With EARSHOT_DATA the corpus is AN4 itself, else tones in AN4's layout.
set -u
source base/testing/programs.sh
train="$(realpath "$1")" decode="$(realpath "$2")" features="$(realpath "$3")" convert="$(realpath "$4")"
make_tones="$(realpath "$5")"
start front_doors

# 240 utterances to train on (100 of them are held out) and 12 to test on, of digits that are tones.
make_an4() {
  mkdir -p flat "$1/etc"
  "${make_tones}" flat
  local file part take id words=(ZERO ONE TWO)
  for file in flat/*.wav; do
    file="$(basename "${file}" .wav)"
    take="${file##*_}"
    for copy in a b c d; do
      part=train
      [[ "${take}" -lt 4 ]] && part=test
      [[ "${part}" == test && "${copy}" != a ]] && continue
      id="u${file}${copy}"
      mkdir -p "$1/wav/${part}/s$((take % 5))"
      cp "flat/${file}.wav" "$1/wav/${part}/s$((take % 5))/${id}.wav"
      echo "${part}/s$((take % 5))/${id}" >>"$1/etc/an4_${part}.fileids"
      echo "<s> ${words[${file%%_*}]} </s> (${id})" >>"$1/etc/an4_${part}.transcription"
    done
  done
}

cat >small.textproto <<'END'
name: "small"
features { sample_rate: 8000 resample: true num_mel_bins: 20 delta_order: 1 }
tokens { unit: CHARACTER }
augment { noise_deviation: 0.1 max_time_mask: 0.05 }
batch { max_frames: 2000 max_utterances: 16 }
model { lstm { hidden_size: 24 bidirectional: true } output_dropout: 0.2 }
loss { kind: CTC reduction: MEAN_UTTERANCE }
epochs: 1
log_steps: 1
END
echo 'sample_rate: 8000 resample: true num_mel_bins: 20 delta_order: 1' >features.textproto

if [[ -n "${EARSHOT_DATA:-}" ]]; then
  an4="${EARSHOT_DATA}/an4"
else
  echo "SKIPPED: front_doors_test: needs EARSHOT_DATA for AN4 itself; tones in its layout take its place"
  an4="${dir}/an4"
  make_an4 an4
fi

for kind in kaldi nemo lhotse lhotse-cuts tsv; do run "convert to ${kind}" 0 "${convert}" --to="${kind}" "${an4}" "${kind}"; done
run "convert on" 0 "${convert}" --to=kaldi lhotse kaldi_again
run "features" 0 "${features}" --config=features.textproto --out=kaldi:ready "${an4}"
rm -f ready/*/wav.scp # features alone
run "compressed features" 0 "${features}" --config=features.textproto --out=kaldi:cm2 --compress=cm2 tsv

# What the training said of its steps: loss and gradient norm with all their digits.
steps() { sed -E 's/,"(seconds|frames_per_second)":[0-9.]+//g' "$1/metrics.jsonl"; }

run "train an4" 0 "${train}" --recipe=./small.textproto --data="${an4}" --out=run_an4 --quiet
steps run_an4 >expected
check "there are steps" test "$(grep -c '"loss"' expected)" -ge 3
for kind in kaldi nemo lhotse lhotse-cuts tsv kaldi_again ready; do
  run "train ${kind}" 0 "${train}" --recipe=./small.textproto --data="${kind}" --out="run_${kind}" --quiet
  steps "run_${kind}" >actual
  check "${kind}: the same steps" diff expected actual
done
run "train compressed" 0 "${train}" --recipe=./small.textproto --data=cm2 --out=run_cm2 --quiet
steps run_cm2 >actual
check "compressed features are others" test "$(diff expected actual | wc -l)" -gt 0

# A model of audio decodes every kind of list to the same text, one of features the features.
"${decode}" --model=run_an4/best.safetensors kaldi/test 2>/dev/null | sort >expected
check "there is text" test "$(wc -l <expected)" -ge 12
for input in nemo/test.jsonl tsv/test.tsv lhotse-cuts/cuts_test.jsonl.gz kaldi/test/wav.scp; do
  "${decode}" --model=run_an4/best.safetensors "${input}" 2>err | sort >actual
  check "decode ${input}" diff expected actual
done
"${decode}" --model=run_ready/best.safetensors ready/test 2>err | sort >actual
check "decode features" diff expected actual
"${decode}" --model=run_ready/best.safetensors kaldi/test >out 2>said
check "a model of features refuses audio" grep -q "audio; features of 42 columns expected" said
"${decode}" --model=run_an4/best.safetensors - <"$(awk 'NR == 1 { print $2 }' kaldi/test/wav.scp)" >actual 2>err
check "decode standard input" grep -q "^stdin"$'\t' actual

finish
