"""Writes losses/testdata/ctc_cases.txt: losses and gradients of PyTorch's CTC in float64 on 200 random cases.

Usage: python3 tools/golden/ctc_cases.py > losses/testdata/ctc_cases.txt   (needs torch and numpy)

Logits and labels are not stored: both sides draw them from SplitMix64 (Steele, Lea and Flood 2014), counter by counter.
A line: seed frames classes labels repeat_percent range loss sum_of_squares count (index value)*count
with index into the gradient [frames, classes] with respect to the logits.
"""
import numpy as np
import torch


def splitmix(seed, n):
    """n 64-bit words: the finaliser over seed * 2^32 + 1, + 2, ... times the golden gamma."""
    with np.errstate(over="ignore"):
        z = (np.uint64(seed << 32) + np.arange(1, n + 1, dtype=np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def draw_labels(seed, classes, n, repeat_percent):
    labels = []
    for word in splitmix(2 * seed, n).tolist():
        repeat = labels and (word >> 40) % 100 < repeat_percent
        labels.append(labels[-1] if repeat else 1 + (word & 0xFFFFFFFF) % (classes - 1))
    return labels


def draw_logits(seed, frames, classes, span):
    unit = (splitmix(2 * seed + 1, frames * classes) >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-23)
    return ((unit - np.float32(1)) * np.float32(span)).reshape(frames, classes)


def min_frames(labels):
    return len(labels) + sum(a == b for a, b in zip(labels, labels[1:]))


def cases():
    """(frames or None for the minimum, classes, labels, repeat_percent, range)"""
    rng = np.random.default_rng(2006)
    for i in range(60):  # small ones, the whole gradient stored
        yield None if i % 6 == 0 else int(rng.integers(1, 9)), int(rng.integers(2, 6)), int(rng.integers(0, 5)), 30, 3
    for i in range(90):
        n = int(rng.integers(0, 60))
        frames = None if i % 9 == 0 else int(rng.integers(2 * n + 1, 3 * n + 80))
        yield frames, int(rng.integers(2, 61)), n, int(rng.choice([0, 20, 100])), int(rng.choice([1, 4, 12]))
    for i in range(20):  # nothing to spell
        yield int(rng.integers(1, 100)), int(rng.integers(2, 30)), 0, 0, 4
    for i in range(16):  # far apart: what linear space cannot hold
        n = int(rng.integers(20, 120))
        yield None if i % 2 else n + int(rng.integers(n, 2 * n)), 12, n, 10, int(rng.choice([60, 200]))
    for i in range(8):  # the shape of the CTC-long benchmark
        yield 500 + 70 * i, 59, 100, 2, 4
    for frames, n, repeat in [(2600, 1100, 0), (None, 1030, 5), (None, 1200, 100), (2500, 1025, 20), (4000, 40, 0), (3000, 1400, 5)]:
        yield frames, 5, n, repeat, 3


def main():
    for seed, (frames, classes, n, repeat, span) in enumerate(cases(), start=1):
        labels = draw_labels(seed, classes, n, repeat)
        frames = max(1, min_frames(labels)) if frames is None else frames
        x = torch.tensor(draw_logits(seed, frames, classes, span), dtype=torch.float64, requires_grad=True)
        loss = torch.nn.functional.ctc_loss(
            torch.log_softmax(x, -1).unsqueeze(1), torch.tensor([labels], dtype=torch.long), [frames], [n],
            blank=0, reduction="sum")
        if torch.isfinite(loss):
            loss.backward()
            gradient = x.grad.numpy().ravel()
        else:
            assert min_frames(labels) > frames
            gradient = np.zeros(frames * classes)  # ours: an impossible target teaches nothing
        size = gradient.size
        index = range(size) if size <= 32 else sorted({(size - 1) * j // 7 for j in range(8)} | {int(np.abs(gradient).argmax())})
        fields = [seed, frames, classes, n, repeat, span, "%.15g" % loss.item(), "%.12g" % (gradient**2).sum(), len(index)]
        print(*fields, *("%d %.12g" % (i, gradient[i]) for i in index))


main()
