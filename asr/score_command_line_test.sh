#!/bin/bash
# The command line of //asr:score: score_command_line_test.sh SCORE
set -u
source base/testing/programs.sh
score="$(realpath "$1")"
start score

# run NAME STATUS FLAG...: a failure is one line on stderr and nothing on stdout.
run() {
  run_program "$1" "$2" "${score}" "${@:3}"
  [[ "$2" == 0 ]] && return
  check "$1: one line" test "$(wc -l <err)" = 1
  check "$1: no output" test ! -s out
}
says() { check "says $1" grep -qFe "$1" err; }
prints() { check "prints" cmp -s out <(printf '%s\n' "$@"); }

printf 'u1 a b\nu2 c d e\nu3 f\n' >ref
printf 'u1\ta b\nu3\tg\nu9\tx\n' >hyp
printf 'u1 a b\nu3 g\n' >part

run "help" 0 --help
check "help" grep -q 'trn' out
run "no reference" 2 --hyp=hyp
says 'error: --ref is missing'
run "no hypothesis" 2 --ref=ref
run "unknown flag" 2 --ref=ref --hyp=hyp --wer
says 'error: flag --wer'
run "a flag without a name" 2 --ref=ref --hyp=hyp --=x
says 'error: flag --=x has no meaning'
run "argument" 2 --ref=ref --hyp=hyp more
says 'error: unexpected argument more'
run "mode" 2 --ref=ref --hyp=hyp --mode=some
says 'error: flag --mode=some, expected strict, present or all'

run "all" 0 --ref=ref --hyp=hyp --mode=all --json=all.json
check "all: JSON" grep -qF '"missing": 1,' all.json
check "all: hypotheses without a reference" grep -qF '"without_reference": ["u9"]}' all.json
prints '%WER 66.67 [ 4 / 6, 0 ins, 3 del, 1 sub ] [PARTIAL]' '%SER 66.67 [ 2 / 3 ]' \
  'Scored 3 sentences, 1 not present in hyp.'
says 'warning: hyp: 1 hypotheses have no reference and are left out, the first is "u9"'
run "present" 0 --ref=ref --hyp=hyp --mode=present
prints '%WER 33.33 [ 1 / 3, 0 ins, 0 del, 1 sub ] [PARTIAL]' '%SER 50.00 [ 1 / 2 ]' \
  'Scored 2 sentences, 1 not present in hyp.'
run "strict: too many" 1 --ref=ref --hyp=hyp
says 'error: hyp:3: expected an id of ref, found "u9"'
run "strict: too few" 1 --ref=ref --hyp=part
says 'error: ref:2: expected a hypothesis for every utterance in part, found none for "u2"'

# Swapped arguments are another question.
printf 'u1 one two three four\n' >long
printf 'u1 one two\n' >short
run "deletions" 0 --ref=long --hyp=short
check "deletions" grep -qxF '%WER 50.00 [ 2 / 4, 0 ins, 2 del, 0 sub ]' out
run "insertions" 0 --ref=short --hyp=long
check "insertions" grep -qxF '%WER 100.00 [ 2 / 2, 2 ins, 0 del, 0 sub ]' out

# trn, Windows line ends, a byte order mark; characters are code points.
printf '\xef\xbb\xbf;; comment\r\nfür größe (u1)\r\n' >ref.trn
printf 'u1 fur grosse\n' >hyp.text
run "trn" 0 --ref=ref.trn --hyp=hyp.text --cer --worst=1 --json=score.json
prints '%WER 100.00 [ 2 / 2, 0 ins, 0 del, 2 sub ]' '%CER 44.44 [ 4 / 9, 1 ins, 0 del, 3 sub ]' '%SER 100.00 [ 1 / 1 ]' \
  'Scored 1 sentences, 0 not present in hyp.' u1 'REF:  für größe' 'HYP:  fur grosse' 'EVAL: S   S'
check "JSON" cmp -s score.json <(
  echo '{"reference": "ref.trn", "hypothesis": "hyp.text", "mode": "strict",'
  echo ' "wer": 100, "words": {"errors": 2, "substitutions": 2, "deletions": 0, "insertions": 0, "reference": 2},'
  echo ' "cer": 44.4444444, "characters": {"errors": 4, "substitutions": 3, "deletions": 0, "insertions": 1, "reference": 9},'
  echo ' "sentence_error": 100, "sentences": 1, "wrong_sentences": 1, "missing": 0,'
  echo ' "without_reference": []}'
)

# Files that are no such files.
run "missing file" 1 --ref=nowhere --hyp=hyp
says 'error: '
says 'nowhere: '
run "a folder" 1 --ref=. --hyp=hyp
: >empty
run "empty reference" 1 --ref=empty --hyp=hyp --mode=all
says 'error: empty:1: expected at least one utterance, found none'
run "empty hypothesis, strict" 1 --ref=ref --hyp=empty
run "empty hypothesis, all" 0 --ref=ref --hyp=empty --mode=all
check "all deleted" grep -qxF '%WER 100.00 [ 6 / 6, 0 ins, 6 del, 0 sub ] [PARTIAL]' out
printf 'v1 a\nv2 b\n' >other
run "other ids" 1 --ref=ref --hyp=other --mode=all
says 'error: other:1: expected at least one id of ref, found none; the first is "v1"'
printf 'u1 a b\nu2 c\nu1 d\n' >twice
run "an id twice" 1 --ref=ref --hyp=twice --mode=all
says 'error: twice:3: expected each id once, found "u1", which line 1 has too'
printf 'u1 a b\nu2 c\xff\n' >bytes
run "not UTF-8" 1 --ref=ref --hyp=bytes --mode=all
says 'error: bytes:2: expected printable UTF-8'
run "JSON that cannot be written" 1 --ref=short --hyp=short --json=nowhere/score.json
says 'nowhere'

"${score}" --ref=ref --hyp=ref >/dev/full 2>err
check "stdout full" test $? = 1
says 'error: cannot write the results to stdout'
"${score}" --ref=ref --hyp=ref >&- 2>err
check "stdout closed" test $? = 1

finish
