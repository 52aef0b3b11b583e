"""A Kaldi data directory as Lhotse writes it, and what Lhotse reads from it: data/testdata/lhotse_kaldi/.

    python3 tools/golden/lhotse_kaldi.py data/testdata/lhotse_kaldi        (lhotse 1.33.0)
"""
import pathlib
import sys

from lhotse import AudioSource, Recording, RecordingSet, SupervisionSegment, SupervisionSet
from lhotse.kaldi import export_to_kaldi, load_kaldi_data_dir

RATE = 16000


def recording(name, channels, seconds, path):
    return Recording(id=name, sources=[AudioSource("file", list(range(channels)), path)], sampling_rate=RATE,
                     num_samples=int(seconds * RATE), duration=seconds)


def main(folder):
    folder = pathlib.Path(folder)
    recordings = RecordingSet.from_recordings([
        recording("talk-2", 1, 12.5, "/corpus/talk 2.wav"),
        recording("talk-10", 1, 3.0, "/corpus/talk10.flac"),
        recording("meeting", 2, 8.0, "/corpus/meeting.wav"),
    ])
    supervisions = SupervisionSet.from_segments([
        SupervisionSegment("ann-talk-2-a", "talk-2", 0.0, 3.875, 0, text="ONE TWO", speaker="ann"),
        SupervisionSegment("ann-talk-2-b", "talk-2", 3.875, 8.625, 0, text="THREE", speaker="ann"),
        SupervisionSegment("bo-talk-10", "talk-10", 0.0, 3.0, 0, text="VIER F\u00dcNF", speaker="bo"),
        SupervisionSegment("cy-meeting-0", "meeting", 0.5, 1.0, 0, text="SIX", speaker="cy"),
        SupervisionSegment("dee-meeting-1", "meeting", 0.75, 2.1, 1, text="SEVEN", speaker="dee"),
    ])
    export_to_kaldi(recordings, supervisions, folder)
    recordings, supervisions, _ = load_kaldi_data_dir(folder, RATE)
    with open(folder / "as_lhotse_reads_it.txt", "w", encoding="utf-8") as out:
        for s in sorted(supervisions, key=lambda s: s.id.encode()):
            source = recordings[s.recording_id].sources[0]
            print(s.id, s.recording_id, source.type, source.source, s.speaker, s.start, round(s.duration, 6), s.text,
                  sep="|", file=out)


if __name__ == "__main__":
    main(sys.argv[1])
