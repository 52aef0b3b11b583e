#!/bin/bash
# The command line of //data:convert: convert_command_line_test.sh CONVERT
set -u
source base/testing/programs.sh
convert="$(realpath "$1")"
start convert

# A failure says so in one line "error: ..." and no more.
run() {
  run_program "$@"
  [[ "$2" == 0 ]] || check "$1: one error" test "$(grep -c '^error: ' "${dir}/err")" = 1
}

# Memory for what must not take much; the sanitizers map more from the start.
limited=(bash -c 'ulimit -v 400000; exec "$@"' -)
"${limited[@]}" "${convert}" --help >out 2>err || limited=()

mkdir in
printf '{"audio_filepath": "a.wav", "duration": 0.5, "text": "one two", "speaker": "s"}\n' >in/m.json
printf 'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\0\0\0\0' >in/a.wav

# Usage.
run "help" 0 "${convert}" --help
for word in kaldi lhotse-cuts -allow_commands INPUT; do prints "${word}"; done
run "help, short" 0 "${convert}" -help
run "no kind" 2 "${convert}" in/m.json made
says 'error: --to is missing, expected one of kaldi, nemo, lhotse, lhotse-cuts, tsv (--help'
run "unknown kind" 2 "${convert}" --to=espnet in/m.json made
says 'error: flag --to=espnet, expected one of kaldi,'
run "no output" 2 "${convert}" --to=tsv in/m.json
says 'error: 1 arguments, expected INPUT and OUTPUT'
run "three arguments" 2 "${convert}" --to=tsv a b c
run "unknown flag" 2 "${convert}" --too=tsv a b
says 'error: flag --too=tsv has no meaning'
run "flag without a value" 2 "${convert}" a b --to
says 'error: flag --to has no value'
run "stdout closed" 1 bash -c '"$@" >&-' - "${convert}" --to=tsv in/m.json out.tsv

# One list.
run "to tsv" 0 "${convert}" in/m.json made/m.tsv --to tsv
prints '^made/m.tsv: 1 utterances from nemo to tsv$'
check "its lines" cmp -s made/m.tsv <(
  printf 'id\taudio\ttext\tspeaker\tbegin\tend\tduration\na\t%s/in/a.wav\tone two\ts\t0\t\t0.5\n' "${dir}")
run "again" 1 "${convert}" --to=tsv in/m.json made/m.tsv
says '^error: made/m.tsv: is already there'
run "packed" 0 "${convert}" --to=nemo in/m.json made/m.jsonl.gz
check "is gzip" gzip -t made/m.jsonl.gz
run "packed is read" 0 "${convert}" --to=kaldi made/m.jsonl.gz made/kaldi
check "text" cmp -s made/kaldi/text <(printf 'a one two\n')
run "lhotse" 0 "${convert}" --to=lhotse made/kaldi made/supervisions.jsonl
check "recordings too" grep -q '"sampling_rate": 8000, "num_samples": 0' made/recordings.jsonl
check "no other file" test "$(find made -type f | wc -l)" = "$((2 + 2 + 5))"
(
  mkdir -p elsewhere && cd elsewhere || exit 1
  BUILD_WORKING_DIRECTORY="${dir}" "${convert}" --to=tsv in/m.json caller.tsv
) >out 2>err
check "relative paths are the caller's" test -f caller.tsv

# A corpus.
mkdir corpus
for part in train test; do
  for i in 0 1 2 3 4 5 6 7 8 9; do
    printf '{"audio_filepath": "%s%d.wav", "duration": 1, "text": "x"}\n' "${part}" "${i}"
  done >"corpus/my_${part}.json"
done
run "corpus" 0 "${convert}" --to=tsv corpus parts
prints '^parts/train.tsv: 9 utterances from nemo to tsv$'
prints '^parts/dev.tsv: 1 utterances'
prints '^parts/test.tsv: 10 utterances'
run "corpus again" 1 "${convert}" --to=tsv corpus parts

# Errors: one line, and nothing that a terminal obeys.
run "no input" 1 "${convert}" --to=tsv none out2
says '^error: none: no such folder; expected FSDD'
printf '{"audio_filepath": "a.wav", "id": "\\u001b[2J"}\n' >in/escape.json
run "escape sequence" 1 "${convert}" --to=tsv in/escape.json out2
says '^error: in/escape.json:1: expected an id .* found U+001B in "\\x1b\[2J"$'
run "escape sequence in a path" 1 "${convert}" --to=tsv $'in/\e[2J\nx' out2
says '^error: in/\\x1b\[2J\\nx: no such folder'
printf '{"audio_filepath": "touch pwned |"}\n' >in/command.json
run "command" 1 "${convert}" --to=tsv in/command.json out2
says '^error: in/command.json:1: expected a file (commands run only with --allow_commands), found the command "touch pwned"$'
run "command, allowed" 0 "${convert}" --to=tsv --allow_commands in/command.json out2
check "but not run" test ! -e pwned
printf 'path\tsentence\n\xef\xbb\xbfa.wav\tone\r\n' >in/odd.tsv
run "unprintable" 1 "${convert}" --to=tsv in/odd.tsv out3
printf 'path\tsentence\r\na.wav\tone' >in/odd.tsv
run "odd" 0 "${convert}" --to=tsv in/odd.tsv out3
says '^warning: in/odd.tsv:1: Windows line ends (CR LF) are read as line ends$'
says '^warning: in/odd.tsv:2: expected a line end at the end of the file'
head -c 64M /dev/zero | gzip -9 >in/bomb.json.gz
run "bomb" 1 "${limited[@]}" "${convert}" --to=tsv in/bomb.json.gz out4
says '^error: in/bomb.json.gz'
truncate -s 1G in/long.json
run "line of 1 GiB" 1 "${limited[@]}" "${convert}" --to=tsv in/long.json out4
says '^error: in/long.json:1: expected at most 1048576 bytes in a line, found more$'
run "stdout full" 1 bash -c '"$@" >/dev/full' - "${convert}" --to=tsv in/odd.tsv out5

finish
