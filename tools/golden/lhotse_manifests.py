"""Manifests that Lhotse 1.33.0 writes: data/testdata/lhotse/. Run in any folder: lhotse_manifests.py OUTPUT_FOLDER.

The audio is not kept: the manifests name files audio/a.wav and audio/b.wav, one second of one channel and one and a half
of two at 16 kHz.
"""
import os
import sys

from lhotse import CutSet, Recording, RecordingSet, SupervisionSegment, SupervisionSet
from lhotse.audio import AudioSource


def main():
    folder = sys.argv[1]
    recordings = RecordingSet.from_recordings([
        Recording("a", [AudioSource("file", [0], "audio/a.wav")], 16000, 16000, 1.0),
        Recording("b", [AudioSource("file", [0, 1], "audio/b.wav")], 16000, 24000, 1.5),
        Recording("c", [AudioSource("file", [0], "audio/c1.wav"), AudioSource("file", [1], "audio/c2.wav")],
                  8000, 8000, 1.0),
        Recording("unused", [AudioSource("file", [0], "audio/u.wav")], 16000, 16000, 1.0),
    ])
    supervisions = SupervisionSet.from_segments([
        SupervisionSegment("u1", "a", 0, 1.0, 0, text="one two", speaker="s1", language="en", custom={"snr": 1.5}),
        SupervisionSegment("u2", "b", 0.25, 1.0, 1, text="three"),
        SupervisionSegment("u3", "b", 0.3, 1.1, [0, 1], text="caf\u00e9 \"x\"", speaker="s2"),
        SupervisionSegment("u4", "b", 0.5, 1.0, 0),
        SupervisionSegment("c", "c", 0, 1.0, 1, text="four"),
    ])
    recordings.to_file(os.path.join(folder, "recordings.jsonl"))
    supervisions.to_file(os.path.join(folder, "supervisions.jsonl.gz"))
    used = CutSet.from_manifests(recordings=recordings.filter(lambda r: r.id != "c"), supervisions=supervisions)
    used.to_file(os.path.join(folder, "cuts.jsonl"))
    used.trim_to_supervisions(keep_overlapping=False, keep_all_channels=False).to_file(
        os.path.join(folder, "trimmed_cuts.jsonl"))
    used.subset(cut_ids=["a-0"]).pad(duration=2.0).to_file(os.path.join(folder, "mixed_cuts.jsonl"))
    recordings.subset(first=1).perturb_speed(0.9).to_file(os.path.join(folder, "perturbed_recordings.jsonl"))


if __name__ == "__main__":
    main()
