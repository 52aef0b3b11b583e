#!/bin/bash
# The command lines of //asr:train and //asr:decode: command_line_test.sh TRAIN DECODE MAKE_TONES
set -u
source base/testing/programs.sh
train="$(realpath "$1")" decode="$(realpath "$2")" make_tones="$(realpath "$3")"
start command_line

mkdir tones
"${make_tones}" tones
cat >tiny.textproto <<'END'
name: "tiny"
features { sample_rate: 8000 num_mel_bins: 12 delta_order: 0 }
tokens { unit: WORD token: "zero" token: "one" token: "two" }
batch { max_utterances: 8 }
model { lstm { hidden_size: 12 bidirectional: true } }
loss { kind: CROSS_ENTROPY_LAST_FRAME }
optimizer { learning_rate: 0.02 }
epochs: 6
log_steps: 1
END
tiny=("${train}" --recipe=./tiny.textproto --data=tones)

# Usage.
run "train help" 0 "${train}" --help
for word in digits isolated_digits continuous -resume -overwrite; do prints "${word}"; done
run "train help, short" 0 "${train}" -help
run "no recipe" 2 "${train}"
says 'error: --recipe is missing, expected one of .*digits'
run "unknown flag" 2 "${train}" --recipe=digits --sed=3
says 'error: flag --sed=3 '
run "no number" 2 "${train}" --recipe=digits --seed=three
says 'error: flag --seed=three '
run "negative seed" 2 "${train}" --recipe=digits --seed=-2
says 'error: flag --seed=-2, expected'
run "flag without a value" 2 "${train}" --recipe
run "argument" 2 "${train}" --recipe=digits tones
says 'error: unexpected argument tones'
run "two wishes" 2 "${train}" --recipe=digits --resume --overwrite
run "unknown recipe" 1 "${train}" --recipe=digit
says 'error: --recipe=digit: expected one of .*isolated_digits'
run "unknown implementation" 1 "${tiny[@]}" --lstm=blass
says 'blass.*reference'
for lstm in blass cudnn; do
  run "no corpus is read for ${lstm}" 1 "${train}" --recipe=./tiny.textproto --data=nowhere --lstm="${lstm}"
  says "^error: model.lstm.implementation: LSTM implementation '${lstm}' is .* expected one of reference, .*, simd\$"
done
run "bad value" 1 "${tiny[@]}" --set='model { lstm { dropout: 1.5 } }'
says 'model.lstm.dropout: 1.5, expected'
run "typing error" 1 "${tiny[@]}" --set='epochs: 3' --set='epocs: 3'
says 'set (number 2):1:'
run "no corpus" 1 "${train}" --recipe=./tiny.textproto --data=nowhere --out=none
says 'error: .*nowhere'
run "nothing to resume" 1 "${tiny[@]}" --out=none --resume
check "mistakes leave no run" test ! -e exp

# A run, in the default directory; --set adds up.
run "training" 0 "${tiny[@]}" --seed=5 --set='epochs: 7' --set='epochs: 6' --set 'patience: 6'
check "last line" grep -qxE '%WER [0-9.]+ \[ [0-9]+ / 15, [0-9]+ ins, [0-9]+ del, [0-9]+ sub \]' <(tail -n 1 out)
check "learns" grep -q '^%WER 0.00 ' out
for file in config.textproto metrics.jsonl best.safetensors last.safetensors previous.safetensors result.json; do
  check "leaves ${file}" test -s "exp/tiny/${file}"
done
for field in '"recipe": "tiny"' '"lstm": "simd"' '"seed": 5' '"parameters": [1-9]' '"train_seconds": [0-9]' '"epochs": 6' \
  '"test": {"utterances": 15, "words": 15, "wer": 0' '"cer": 0' '"sentence_error": 0'; do
  check "result.json" grep -qe "${field}" exp/tiny/result.json
done
check "config.textproto" grep -qx 'epochs: 6' exp/tiny/config.textproto
check "config.textproto" grep -qx 'seed: 5' exp/tiny/config.textproto
steps="$(grep -c '"grad_norm"' exp/tiny/metrics.jsonl)"
check "every step is logged" test "$(grep -o '"step":[0-9]*,"epoch":[0-9]*,"loss"' exp/tiny/metrics.jsonl | sort -u | wc -l)" = "${steps}"
check "every epoch is logged" test "$(grep -c '"dev_loss"' exp/tiny/metrics.jsonl)" = 6
check "plain progress" test "$(tr -cd '\r\033' <err | wc -c)" = 0
run "a run is not overwritten" 1 "${tiny[@]}"
says 'holds a run already; --resume .*--overwrite'
before="$(cat out; cksum <exp/tiny/last.safetensors)"
run "a finished run goes on to its end" 0 "${tiny[@]}" --resume
prints '^%WER 0.00 '
check "and is not changed" test "$(cksum <exp/tiny/last.safetensors)" = "${before##*$'\n'}"
run "a copy of the configuration is a recipe" 0 "${train}" --recipe=exp/tiny/config.textproto --data=tones --out=again --quiet
check "quiet" test ! -s err
check "same weights" cmp -s exp/tiny/last.safetensors again/last.safetensors
run "overwriting needs a corpus" 1 "${tiny[@]}" --data=nowhere --out=again --overwrite
check "the old run is still there" test -s again/best.safetensors -a -s again/result.json
run "overwriting needs an implementation" 1 "${tiny[@]}" --lstm=cudnn --set='epochs: 1' --out=again --overwrite
check "the old run is still there" test -s again/best.safetensors -a -s again/result.json
check "with its configuration" grep -qx 'epochs: 6' again/config.textproto
run "resuming needs an implementation" 1 "${tiny[@]}" --data=nowhere --lstm=cudnn --out=again --resume
says "^error: again/last.safetensors: model.lstm.implementation: LSTM implementation 'cudnn' is not available here: "
run "overwrite" 0 "${tiny[@]}" --out=again --overwrite --set='epochs: 1'
check "overwritten" test "$(grep -c '"dev_loss"' again/metrics.jsonl)" = 1

run "more epochs for a finished run" 0 "${tiny[@]}" --out=again --resume --set='epochs: 3'
check "they are trained" test "$(grep -c '"dev_loss"' again/metrics.jsonl)" = 3
run "fewer epochs" 1 "${tiny[@]}" --out=again --resume --set='epochs: 2'
says 'error: .*again/last.safetensors: .*3 epochs behind it'
check "a refused resumption changes no file" grep -qx 'epochs: 3' again/config.textproto
check "a refused resumption changes no file" test -s again/result.json
run "another net" 1 "${tiny[@]}" --out=again --resume --set='model { lstm { hidden_size: 13 } }'
says 'error: .*again/last.safetensors: tensor "lstm.weight_ih_l0": expected shape'
run "other features" 1 "${tiny[@]}" --out=again --resume --set='features { num_mel_bins: 10 }'
says 'error: .*again/last.safetensors: tensor features.mean: shape \[13\], expected \[11\]'

# A damaged file of the test set counts as words that were not recognised.
cp -r tones damaged_tones
: >damaged_tones/2_tone_4.wav
run "damaged test file" 0 "${train}" --recipe=./tiny.textproto --data=damaged_tones --out=damaged
says 'test set: 1 utterance skipped: 2_tone_4 ('
prints '^Scored 15 sentences, 1 not present in hyp'
prints '^%WER 6.67 \[ 1 / 15, 0 ins, 1 del, 0 sub \] \[PARTIAL\]'
check "result.json" grep -q '"utterances": 15, "words": 15, "wer": 6.66' damaged/result.json

# A corpus that has moved: named once.
cp -r again moved_run
mv tones moved
run "moved corpus" 1 "${train}" --out=moved_run --resume --set='epochs: 4'
says 'error: .*tones'
check "and no file is changed" grep -qx 'epochs: 3' moved_run/config.textproto
run "moved corpus, named" 0 "${train}" --out=moved_run --resume --set='epochs: 4' --data=moved
run "moved corpus, not named again" 0 "${train}" --out=moved_run --resume --set='epochs: 5'
mv moved tones

# A signal, then --resume: by then one step more is done at most, and nothing is done twice.
slow=("${tiny[@]}" --out=stopped --lstm=reference --set='model { lstm { hidden_size: 40 } } epochs: 30')
cp -r again stopped
rm stopped/metrics.jsonl
for signal in TERM INT; do
  echo '{}' >stopped/result.json  # of an earlier end
  "${slow[@]}" $([[ "${signal}" == TERM ]] && echo --overwrite || echo --resume) >out 2>err &
  pid=$!
  lines="$(cat stopped/metrics.jsonl 2>/dev/null | wc -l)"
  for _ in $(seq 400); do
    [[ "$(cat stopped/metrics.jsonl 2>/dev/null | wc -l)" -ge $((lines + 5)) ]] && break
    sleep 0.02
  done
  kill -s "${signal}" "${pid}"
  wait "${pid}"
  status=$?
  check "SIG${signal}: exit 75" test "${status}" = 75
  says 'resume goes on'
  check "SIG${signal}: a checkpoint" test -s stopped/last.safetensors
  check "SIG${signal}: no result" test ! -e stopped/result.json
done
run "resumed" 0 "${slow[@]}" --resume
says 'resuming at epoch'
steps="$(grep -c '"grad_norm"' stopped/metrics.jsonl)"
check "every step once" test "$(grep -o '"step":[0-9]*,"epoch":[0-9]*,"loss"' stopped/metrics.jsonl | sort -u | wc -l)" = "${steps}"
check "all steps" grep -q "\"step\":${steps}," stopped/metrics.jsonl

# A second signal, before there is a checkpoint: one step an epoch, which takes seconds.
long=("${tiny[@]}" --lstm=reference --set='model { lstm { hidden_size: 1100 } } optimizer { kind: SGD } threads: 1'
  --set='batch { max_utterances: 64 }')
# twice SECONDS NAME: starts a run, sends SIGTERM in its first step and again after so many seconds; its exit status.
twice() {
  : >err
  "${long[@]}" --out="$2" >out 2>err &
  local pid=$!
  for _ in $(seq 400); do
    grep -q 'run directory' err && break
    sleep 0.02
  done
  sleep 0.1
  kill -s TERM "${pid}"
  sleep "$1"
  kill -s TERM "${pid}"
  wait "${pid}"
}
twice 0.1 at_once
check "two at once, as timeout sends them, are one" test $? = 75
check "a checkpoint" test -s at_once/last.safetensors
twice 1.3 impatient
check "a later one ends the run without a promise" test $? = 143
check "there is the checkpoint of its beginning" test -s impatient/last.safetensors

# Killed in its first epoch, a run goes on from its beginning; without a run there is nothing to go on with.
: >err
"${tiny[@]}" --out=killed --set='batch { max_utterances: 1 } epochs: 2' >out 2>err &
pid=$!
while ! grep -q 'run directory' err; do sleep 0.02; done
kill -s KILL "${pid}"
wait "${pid}"
run "resumed from the beginning" 0 "${train}" --out=killed --resume
prints '^%WER '
run "no run" 1 "${train}" --out=nothing_here --resume
says 'error: .*nothing_here: no run to go on with (no last.safetensors); start without --resume'

# Where results cannot be written.
run "stdout full" 1 bash -c '"$@" >/dev/full' - "${tiny[@]}" --resume
says 'error: cannot write the results to stdout'
run "stdout closed" 1 bash -c '"$@" >&-' - "${tiny[@]}" --resume
says 'error: stdout is closed'

# Decoding.
model=exp/tiny/best.safetensors
run "decode help" 0 "${decode}" --help
prints 'id<TAB>text'
run "no model" 2 "${decode}" tones
run "no input" 2 "${decode}" --model="${model}"
run "unknown flag" 2 "${decode}" --modell="${model}" tones
says 'error: flag --modell='
run "too many threads" 2 "${decode}" --model="${model}" --threads=1000000 tones
says 'error: flag --threads=1000000, expected 0 to 1024'
run "missing model" 1 "${decode}" --model=nowhere.safetensors tones
says 'error: .*nowhere.safetensors'
mkdir inputs
cp tones/0_tone_0.wav tones/1_tone_0.wav tones/2_tone_0.wav inputs
run "a folder" 0 "${decode}" --model="${model}" inputs
check "ids and texts" cmp -s out <(printf '0_tone_0\tzero\n1_tone_0\tone\n2_tone_0\ttwo\n')
run "files" 0 "${decode}" --model "${model}" --lstm=reference inputs/2_tone_0.wav tones/0_tone_1.wav
check "ids and texts" cmp -s out <(printf '2_tone_0\ttwo\n0_tone_1\tzero\n')
run "JSON" 0 "${decode}" --json --model="${model}" inputs/1_tone_0.wav
check "JSON" grep -qxE '\{"id": "1_tone_0", "text": "one", "seconds": 0\.[0-9]+, "confidence": [01]\.[0-9]+\}' out
head -c 1000 tones/1_tone_0.wav >inputs/1_tone_0.wav
: >inputs/3_empty.wav
run "broken files" 1 "${decode}" --model="${model}" inputs
says 'error: .*inputs/1_tone_0.wav: '
says 'error: .*inputs/3_empty.wav: '
says 'error: 2 of 4 inputs could not be decoded'
check "the others are decoded" cmp -s out <(printf '0_tone_0\tzero\n2_tone_0\ttwo\n')
run "decode, stdout full" 1 bash -c '"$@" >/dev/full' - "${decode}" --model="${model}" tones/0_tone_0.wav
says 'error: cannot write'
run "decode, stdout closed" 1 bash -c '"$@" >&-' - "${decode}" --model="${model}" tones/0_tone_0.wav

# One changed byte in a checkpoint.
damage() { printf 'X' | dd of="$1" bs=1 seek=$(($(stat -c %s "$1") / 2)) conv=notrunc status=none; }
damage "${model}"
run "damaged model" 1 "${decode}" --model="${model}" tones
says "error: .*${model}: "
damage again/last.safetensors
damage again/previous.safetensors
run "damaged checkpoints" 1 "${tiny[@]}" --out=again --resume
says 'error: .*again/last.safetensors.*again/previous.safetensors'
damage stopped/last.safetensors
run "the one before steps in" 0 "${slow[@]}" --resume
says 'warning: .*stopped/last.safetensors.*; using .*stopped/previous.safetensors'

finish
