"""Checks //data:convert against Lhotse, both ways, on random lists of segments.

Usage: tools/bazel build //data:convert
       python3 tools/check_manifests.py [bazel-bin/data/convert] [lists: 200] [seed: 1]

Needs numpy, soundfile and lhotse (checked with 1.33.0). Makes recordings of one and two channels, then, list by list:
ours to Lhotse: what //data:convert writes from a table is read and validated by Lhotse, and every utterance's samples as
Lhotse loads them are those that the table names; Lhotse to ours: what Lhotse writes (recordings with supervisions, cuts,
cuts trimmed to supervisions; packed or not) is converted to a table that names the same samples, ids, texts and
speakers. Prints a line a check, "N of N" lists where both agree, and exits 1 if there is one with fewer.
"""
import csv
import os
import random
import subprocess
import sys
import tempfile

import numpy as np
import soundfile
from lhotse import CutSet, Recording, RecordingSet, SupervisionSegment, SupervisionSet, load_manifest
from lhotse.qa import validate, validate_recordings_and_supervisions

CONVERT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "bazel-bin/data/convert")
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 200
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
WORDS = ["one", "two", "d\u00e9j\u00e0", "\u521d\u6b65", "\"quoted\"", "back\\slash", "a/b", "'s"]
failed = False


def report(what, equal):
    global failed
    failed |= equal != COUNT
    print("%-72s %d of %d%s" % (what, equal, COUNT, "" if equal == COUNT else "  DIFFERENT"))


def make_recordings(rng, folder):
    """Paths with rate, channels and samples."""
    recordings = []
    for i in range(12):
        rate, channels = rng.choice([8000, 16000, 44100]), rng.choice([1, 1, 2])
        samples = np.random.default_rng(rng.getrandbits(32)).integers(-30000, 30000, (rng.randint(2000, 60000), channels))
        path = os.path.join(folder, "rec %d.%s" % (i, "flac" if i % 2 else "wav"))
        soundfile.write(path, samples.astype(np.int16), rate)
        recordings.append((path, rate, samples))
    return recordings


def random_list(rng, recordings):
    """(id, path, channel or None for all, first sample, end, rate, text, speaker)."""
    rows = []
    for i in range(rng.randint(1, 30)):
        path, rate, samples = rng.choice(recordings)
        length, channels = samples.shape
        begin = rng.choice([0, rng.randint(0, length - 2)])
        end = rng.choice([length, rng.randint(begin + 1, length)])
        channel = rng.choice([None] + list(range(channels))) if channels > 1 else None
        text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, 6)))
        rows.append(("utt-%d" % i, path, channel, begin, end, rate, text, rng.choice(["", "s1", "s2"])))
    return sorted(rows)


def convert(kind, source, target):
    run = subprocess.run([CONVERT, "--to=" + kind, source, target], capture_output=True, text=True)
    if run.returncode != 0:
        print(run.stderr, file=sys.stderr)
    return run.returncode == 0


def write_table(rows, path):
    with open(path, "w", encoding="utf-8") as f:
        print("id", "audio", "text", "speaker", "begin", "end", "channel", sep="\t", file=f)
        for name, audio, channel, begin, end, rate, text, speaker in rows:
            print(name, audio, text, speaker, repr(begin / rate), repr(end / rate),
                  "" if channel is None else channel, sep="\t", file=f)


def read_table(path, recordings):
    rates = {p: (rate, len(samples)) for p, rate, samples in recordings}
    rows = []
    with open(path, encoding="utf-8") as f:
        for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE):
            rate, length = rates[row["audio"]]
            end = round(float(row["end"]) * rate) if row["end"] else length
            channel = int(row["channel"]) if row.get("channel") else None
            rows.append((row["id"], row["audio"], channel, round(float(row["begin"]) * rate), end, rate, row["text"],
                         row["speaker"]))
    return sorted(rows)


def supervision_row(cut):
    """The one supervision of a cut that is trimmed to it, with the samples that Lhotse loads."""
    (segment,) = cut.supervisions
    channels = cut.recording.channel_ids
    channel = None if len(channels) == 1 or isinstance(cut.channel, list) else cut.channel
    return (segment.id, cut.recording.sources[0].source, channel, segment.text or "", segment.speaker or "",
            cut.load_audio())


def lhotse_agrees(cuts, rows, recordings):
    samples = {path: data for path, _, data in recordings}
    by_id = {row[0]: row for row in map(supervision_row, cuts)}
    if len(by_id) != len(rows):
        return False
    for name, path, channel, begin, end, _, text, speaker in rows:
        _, audio, its_channel, its_text, its_speaker, loaded = by_id[name]
        expected = samples[path][begin:end, :] if channel is None else samples[path][begin:end, channel:channel + 1]
        if (audio, its_channel, its_text, its_speaker) != (path, channel, text, speaker):
            return False
        if not np.array_equal(loaded.T * 32768, expected):
            return False
    return True


def as_lhotse(rows):
    paths = sorted({row[1] for row in rows})
    recordings = RecordingSet.from_recordings(Recording.from_file(path) for path in paths)
    by_path = {r.sources[0].source: r for r in recordings}
    segments = []
    for name, path, channel, begin, end, rate, text, speaker in rows:
        recording = by_path[path]
        channels = recording.channel_ids
        segments.append(SupervisionSegment(
            name, recording.id, begin / rate, (end - begin) / rate,
            channel if channel is not None else channels[0] if len(channels) == 1 else channels,
            text=text or None, speaker=speaker or None))
    return recordings, SupervisionSet.from_segments(segments)


def main():
    rng = random.Random(SEED)
    equal = dict.fromkeys(["pair", "pair, packed", "cuts", "from pair", "from cuts", "from trimmed cuts"], 0)
    with tempfile.TemporaryDirectory() as folder:
        recordings = make_recordings(rng, folder)
        for i in range(COUNT):
            rows = random_list(rng, recordings)
            at = lambda name: os.path.join(folder, "%d_%s" % (i, name))
            write_table(rows, at("table.tsv"))
            for what, suffix in [("pair", ""), ("pair, packed", ".gz")]:
                path = at("ours_supervisions.jsonl" + suffix)
                if convert("lhotse", at("table.tsv"), path):
                    pair = load_manifest(path.replace("supervisions", "recordings")), load_manifest(path)
                    validate_recordings_and_supervisions(*pair)
                    cuts = CutSet.from_manifests(*pair).trim_to_supervisions(keep_overlapping=False,
                                                                            keep_all_channels=False)
                    equal[what] += lhotse_agrees(cuts, rows, recordings)
            if convert("lhotse-cuts", at("table.tsv"), at("ours_cuts.jsonl.gz")):
                cuts = load_manifest(at("ours_cuts.jsonl.gz"))
                validate(cuts)
                equal["cuts"] += lhotse_agrees(cuts, rows, recordings)

            its_recordings, its_supervisions = as_lhotse(rows)
            suffix = rng.choice(["", ".gz"])
            its_recordings.to_file(at("its_recordings.jsonl" + suffix))
            its_supervisions.to_file(at("its_supervisions.jsonl" + suffix))
            cuts = CutSet.from_manifests(recordings=its_recordings, supervisions=its_supervisions)
            cuts.to_file(at("its_cuts.jsonl" + suffix))
            cuts.trim_to_supervisions(keep_overlapping=False, keep_all_channels=False).to_file(
                at("its_trimmed_cuts.jsonl" + suffix))
            for what, name in [("from pair", "its_supervisions"), ("from cuts", "its_cuts"),
                               ("from trimmed cuts", "its_trimmed_cuts")]:
                if convert("tsv", at(name + ".jsonl" + suffix), at(name + ".tsv")):
                    equal[what] += read_table(at(name + ".tsv"), recordings) == rows
    report("Lhotse reads our recordings and supervisions, same samples", equal["pair"])
    report("Lhotse reads ours, packed", equal["pair, packed"])
    report("Lhotse reads our cuts, same samples", equal["cuts"])
    report("we read Lhotse's recordings and supervisions", equal["from pair"])
    report("we read Lhotse's cuts of whole recordings", equal["from cuts"])
    report("we read Lhotse's cuts trimmed to supervisions", equal["from trimmed cuts"])
    sys.exit(failed)


if __name__ == "__main__":
    main()
