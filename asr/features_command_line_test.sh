#!/bin/bash
# The command line of //asr:features: features_command_line_test.sh FEATURES MAKE_TONES
set -u
source base/testing/programs.sh
features="$(realpath "$1")" make_tones="$(realpath "$2")"
start features

# As under `bazel run`: the program starts elsewhere than the user is.
mkdir here
elsewhere() { (cd "${dir}/here" && BUILD_WORKING_DIRECTORY="${dir}" "${features}" "$@"); }
run() { run_program "$1" "$2" elsewhere "${@:3}"; }

mkdir tones
"${make_tones}" tones
rate=(--set='sample_rate: 8000' --set='num_mel_bins: 12 delta_order: 0')

run "help" 0 --help
check "help lists --compress" grep -q -e -compress out
run "no input" 2 --out=x.npy
says 'error: no input, expected recordings'
run "no output" 2 tones
says 'error: --out is missing'
run "unknown output" 1 "${rate[@]}" --out=x.csv tones/0_tone_0.wav
says 'error: --out=x.csv: expected FILE.npy, FILE.htk'
run "bad field" 1 --set='num_mel_bins: 0' --out=x.npy tones/0_tone_0.wav
says 'error: features.num_mel_bins: 0; 1 to 512 expected'
run "normalised" 1 --set='normalization: UTTERANCE' --out=x.npy tones/0_tone_0.wav
says 'error: features.normalization: UTTERANCE; NONE expected'
run "another rate" 1 --out=x.npy tones/0_tone_0.wav
says 'error: .*tones/0_tone_0.wav: 0_tone_0: sample rate 8000 Hz; 16000 Hz expected'
check "nothing is left" test ! -e x.npy

# One utterance through every format and back: the same numbers.
run "npy" 0 "${rate[@]}" --out=a.npy tones/0_tone_0.wav
run "ark" 0 "${rate[@]}" --out=ark,scp:a.ark,a.scp tones/0_tone_0.wav
run "standard input" 0 "${rate[@]}" --out=s.npy - <tones/0_tone_0.wav
check "standard input is the same" cmp a.npy s.npy
run "from npy" 0 --out=ark,scp:b.ark,b.scp a.npy
run "from scp" 0 --out=c.npy a.scp
check "the same through an archive" cmp a.npy c.npy
run "from ark" 0 --out=d.npy ark:b.ark
check "the same from an archive" cmp a.npy d.npy
run "to htk" 0 --out=e.htk a.npy
run "from htk" 0 --out=f.npy e.htk
check "the same through htk" cmp a.npy f.npy
run "text" 0 --out=ark,t:t.ark scp:a.scp
check "text" grep -q '^0_tone_0  \[$' t.ark
run "deltas of ready features" 0 --set='precomputed_dims: 13 delta_order: 1' --out=g.npy a.npy
check "twice as much" test "$(stat -c %s g.npy)" -gt $((2 * $(stat -c %s a.npy) - 200))
check "the scp has the user's folder" grep -qx "0_tone_0 ${dir}/a.ark:[0-9]*" a.scp

# Damage costs one utterance and the exit status, not the others; permissive tables skip it.
cp -r tones damaged
: >damaged/1_tone_1.wav
run "damaged" 1 "${rate[@]}" --out=ark,scp:h.ark,h.scp damaged/../damaged/0_tone_0.wav damaged/1_tone_1.wav damaged/2_tone_2.wav
says 'error: .*1_tone_1.wav: '
says 'error: no features of 1 of 3 inputs; the others are written'
check "the others" test "$(wc -l <h.scp)" = 2
sed -i "1a gone ${dir}/gone.ark:5" h.scp
run "missing entry" 1 --out=npy:n scp:h.scp
check "the others of an scp" test "$(ls n | wc -l)" = 2
run "tables beside other inputs" 0 --out=ark,scp:m.ark,m.scp ark:b.ark g.npy scp,p:h.scp
check "all of them" test "$(cut -d' ' -f1 m.scp | tr '\n' ' ')" = "a g 0_tone_0 2_tone_2 "
run "permissive" 0 --out=npy:n2 scp,p:h.scp
says 'warning: scp,p:h.scp: 1 entries skipped'
check "two files" test "$(ls n2 | wc -l)" = 2
printf 'gone %s/gone.ark:5\n' "${dir}" >gone.scp
run "nothing is left" 1 --out=npy:n3 scp,p:gone.scp
says 'error: the inputs have no utterance that can be read'
: >empty.ark
run "empty archive" 1 --out=p.npy ark:empty.ark
says 'error: the inputs have no utterance that can be read'
printf 'a  [ ]\nb  [\n 1 nan ]\nc  [\n 1 2 ]\n' >odd.ark
run "odd entries" 1 --set='precomputed_dims: 2 delta_order: 0' --out=ark,t:q.ark ark:odd.ark
says 'error: ark:odd.ark: a: expected frames of features, found a matrix of 0 x 0'
says 'error: ark:odd.ark: b: feature 1 of frame 0 is not finite'
says 'error: no features of 2 of 3 inputs; the others are written'
check "the good entry" grep -q '^c  \[$' q.ark
run "twice" 1 "${rate[@]}" --out=ark:i.ark tones/0_tone_0.wav tones/0_tone_0.wav
says 'error: utterance "0_tone_0": comes twice'
check "no archive" test ! -e i.ark

# A corpus with parts.
run "corpus into one archive" 0 "${rate[@]}" --out=ark,scp:j.ark,j.scp tones
check "all parts" test "$(wc -l <j.scp)" = "$(ls tones | wc -l)"
mkdir few fsdd
cp tones/1_tone_1.wav few
cp -r tones fsdd/recordings
run "a few recordings with the names of a corpus" 0 "${rate[@]}" --out=ark,scp:o.ark,o.scp few
run "a corpus beside other inputs" 0 "${rate[@]}" --out=ark,scp:p.ark,p.scp fsdd a.npy
check "all parts and one" test "$(wc -l <p.scp)" = "$(($(ls tones | wc -l) + 1))"
run "corpus" 0 "${rate[@]}" --out=kaldi:k --threads=1 tones
run "corpus, threads" 0 "${rate[@]}" --out=kaldi:k3 --threads=3 tones
for part in train dev test; do check "${part}: threads do not matter" cmp "k/${part}/feats.ark" "k3/${part}/feats.ark"; done
run "again" 1 "${rate[@]}" --out=kaldi:k tones
says 'is a Kaldi data directory already'

finish
