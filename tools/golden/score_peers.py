"""Compares //asr:score with jiwer and NIST's sclite on 1000 random pairs of texts, and prints the figures.

Usage: python3 tools/golden/score_peers.py bazel-bin/asr/score_main   (needs jiwer; sclite from Debian's sctk)

jiwer has to agree on every pair. sclite minimises 4 substitutions + 3 (deletions + insertions), so it sometimes
takes a path with more errors: it must never have fewer.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import jiwer

SCLITE = "/usr/lib/sctk/bin/sclite"


def random_pairs(rng, n):
    for i in range(n):
        vocabulary = ["w%d" % k for k in range(rng.choice([2, 5, 20, 200]))] + ["größe", "日本", "it's"]
        reference = [rng.choice(vocabulary) for _ in range(rng.randint(1, 25))]
        hypothesis = []
        for word in reference:
            r = rng.random()
            hypothesis += [] if r < 0.1 else [rng.choice(vocabulary)] if r < 0.25 else [word]
            if rng.random() < 0.1:
                hypothesis.append(rng.choice(vocabulary))
        yield "spk-%04d" % i, " ".join(reference), " ".join(hypothesis)


def score(binary, folder, reference, hypothesis):
    out = os.path.join(folder, "score.json")
    command = [binary, "--ref=" + reference, "--hyp=" + hypothesis, "--json=" + out]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(out) as f:
        return json.load(f)["words"]


def write(path, lines):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(line + "\n" for line in lines)


def main():
    binary = os.path.abspath(sys.argv[1])
    pairs = list(random_pairs(random.Random(2026), 1000))
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        ours, theirs = [], []
        for uid, ref, hyp in pairs:
            write(path("ref"), [uid + " " + ref])
            write(path("hyp"), [uid + " " + hyp])
            ours.append(score(binary, folder, path("ref"), path("hyp"))["errors"])
            out = jiwer.process_words(ref, hyp)
            theirs.append(out.substitutions + out.deletions + out.insertions)
        same = sum(a == b for a, b in zip(ours, theirs))
        print("jiwer %s: %d of %d pairs have the same number of errors" % (
            getattr(jiwer, "__version__", ""), same, len(pairs)))
        write(path("ref.trn"), ["%s (%s)" % (r, u) for u, r, _ in pairs])
        write(path("hyp.trn"), ["%s (%s)" % (h, u) for u, _, h in pairs])
        total = score(binary, folder, path("ref.trn"), path("hyp.trn"))
        print("all pairs in one trn file: %d errors in %d words, the sum of the pairs is %d" % (
            total["errors"], total["reference"], sum(ours)))
        ok = same == len(pairs) and total["errors"] == sum(ours)
        if os.path.exists(SCLITE):
            command = [SCLITE, "-r", path("ref.trn"), "trn", "-h", path("hyp.trn"), "trn", "-i", "spu_id", "-e", "utf-8",
                       "-o", "pra", "stdout"]
            report = subprocess.run(command, check=True, capture_output=True).stdout.decode("utf-8", "replace")
            counts = dict(
                (uid.lower(), sum(int(n) for n in scores.split()[1:4]))
                for uid, scores in re.findall(r"id: \(([^)]*)\)\nScores: \(#C #S #D #I\) ([0-9 ]+)", report))
            by_id = [counts[uid] for uid, _, _ in pairs]
            fewer = sum(s < o for s, o in zip(by_id, ours))
            more = sum(s > o for s, o in zip(by_id, ours))
            print("sclite: %d of %d pairs the same, %d more, %d fewer; %d errors in all" % (
                len(pairs) - more - fewer, len(pairs), more, fewer, sum(by_id)))
            ok = ok and fewer == 0 and more < len(pairs) // 20
        else:
            print("sclite: not installed (Debian: sctk)")
    sys.exit(0 if ok else 1)


main()
