"""Writes asr/score/testdata/wer_cases.txt: 1000 random pairs with the errors that jiwer counts.

Usage: python3 tools/golden/wer_cases.py > asr/score/testdata/wer_cases.txt   (needs jiwer)

A line: errors TAB reference TAB hypothesis; words are single letters without spaces between them.
"""
import random

import jiwer


def main():
    rng = random.Random(1966)
    for i in range(1000):
        alphabet = "abcdefghij"[: rng.choice([2, 3, 5, 10])]
        reference = [rng.choice(alphabet) for _ in range(rng.randint(0, 20))]
        if i % 2:  # unrelated
            hypothesis = [rng.choice(alphabet) for _ in range(rng.randint(0, 20))]
        else:  # a few edits away
            hypothesis = list(reference)
            for _ in range(rng.randint(0, 6)):
                at = rng.randint(0, len(hypothesis))
                hypothesis[at : at + rng.randint(0, 1)] = [rng.choice(alphabet)] * rng.randint(0, 1)
        if reference:
            out = jiwer.process_words(" ".join(reference), " ".join(hypothesis))
            errors = out.substitutions + out.deletions + out.insertions
        else:
            errors = len(hypothesis)  # jiwer 4 agrees, but refuses some empty references
        print(errors, "".join(reference), "".join(hypothesis), sep="\t")


main()
