"""What a peer computes, and on what: the bench's configuration, parameters and batch as numpy arrays."""
import os
import sys
import tempfile
from typing import NamedTuple

import numpy as np

from unsupported import Unsupported


class Direction(NamedTuple):
    """Parameters of one direction of a level, arrays or a framework's own; those that the network lacks are ()."""
    w_ih: object  # [4H, I]; gates in the order i f g o
    w_hh: object  # [4H, H]
    bias: object  # [4H]
    peepholes: tuple  # w_ci, w_cf, w_co [H]: i and f see the cell state before the step, o the one after it
    initial: tuple  # h0, c0 [H]


class Network:
    """Sizes, loss and optimizer of a BenchConfig (bench/bench.proto) in JSON, every default filled in."""

    def __init__(self, config):
        train, batch = config["train"], config["batch"]
        model, lstm, optimizer = train["model"], train["model"]["lstm"], train["optimizer"]
        levels = lstm.get("level", [])
        self.hidden_sizes = [l["hidden_size"] for l in levels] or [lstm["hidden_size"]] * lstm["num_levels"]
        self.directions = 2 if lstm["bidirectional"] else 1
        self.peepholes, self.initial_state = lstm["peepholes"], lstm["trainable_initial_state"]
        self.classes, self.frames = batch["classes"], batch["max_frames"]
        self.loss_alone = config.get("measured") == "LOSS"
        self.input_size = self.classes if self.loss_alone else batch["input_size"]  # of a frame in a batch
        self.output_bias = model["output_bias"]
        self.loss, self.reduction = train["loss"]["kind"], train["loss"]["reduction"]
        self.last_frame = self.loss == "CROSS_ENTROPY_LAST_FRAME"
        self.optimizer, self.momentum = optimizer["kind"], optimizer["momentum"]
        self.learning_rate, self.epsilon = optimizer["learning_rate"], optimizer["epsilon"]
        self.betas = (optimizer["beta1"], optimizer["beta2"])
        for what, asked in (("dropout", lstm["dropout"] or lstm["recurrent_dropout"] or model["output_dropout"]),
                            ("weight decay", optimizer["weight_decay"]),
                            ("clipping (max_grad_norm)", optimizer["max_grad_norm"])):
            if asked and not self.loss_alone:
                raise Unsupported("peers have no " + what)

    @property
    def output_size(self):
        return self.directions * self.hidden_sizes[-1]

    def shapes(self):
        """In the order of asr/model.h: the parts of Direction, a direction and a level; output weight, bias."""
        shapes, size = [], self.input_size
        for h in self.hidden_sizes:
            small = 3 * self.peepholes + 2 * self.initial_state
            shapes += ([(4 * h, size), (4 * h, h), (4 * h,)] + [(h,)] * small) * self.directions
            size = self.directions * h
        return shapes + [(self.classes, size)] + [(self.classes,)] * self.output_bias

    def split(self, flat):
        arrays, at = [], 0
        for shape in self.shapes():
            size = int(np.prod(shape))
            arrays.append(flat[at:at + size].reshape(shape))
            at += size
        if at != flat.size:
            raise ValueError(f"{flat.size} parameters, expected {at}")
        return arrays

    def group(self, values, size):
        """`size` values a direction, bottom to top, then others -> values[level][direction], the others."""
        rest = iter(values)
        levels = [[[next(rest) for _ in range(size)] for _ in range(self.directions)] for _ in self.hidden_sizes]
        return levels, list(rest)

    def cut(self, values):
        """Values in the order of the parameters -> Direction[level][direction], those of the output layer."""
        levels, out = self.group(values, 3 + 3 * self.peepholes + 2 * self.initial_state)
        end = 3 + 3 * self.peepholes
        return [[Direction(*d[:3], tuple(d[3:end]), tuple(d[end:])) for d in level] for level in levels], out

    def join(self, arrays):
        for array, shape in zip(arrays, self.shapes(), strict=True):
            assert array.shape == shape, (array.shape, shape)
        return np.concatenate([np.asarray(a, np.float32).ravel() for a in arrays])


def floats(data):
    """An array of its own."""
    return np.frombuffer(data, np.float32).copy()


def macs_per_frame(shapes):
    """Multiply-adds of a frame through weights of these shapes: each element of a matrix is used once."""
    return sum(int(np.prod(shape)) for shape in shapes if len(shape) == 2)


def compiled_folder(name):
    """Where a framework keeps what it compiles: beside its environment if that can be written."""
    folder = sys.prefix if os.access(sys.prefix, os.W_OK) else os.path.join(tempfile.gettempdir(), "earshot_peers")
    return os.path.join(folder, "compiled", name)


class LossAlone:
    """What a peer says of itself that computes losses of given logits, and has no network."""
    parameters = redundant_parameters = macs_per_frame = 0

    def different(self, batch):
        return None


class Batch:
    """Utterances sorted by length, the longest first; B utterances, T frames of the longest, N frames in all."""

    def __init__(self, network, lengths, labels, features):
        self.lengths = np.array(lengths, np.int32)  # [B]
        self.packed = features.reshape(-1, network.input_size)  # [N, I], time-major without padding
        self.size, self.frames = len(lengths), int(lengths[0])
        self.mask = self.lengths[None] > np.arange(self.frames)[:, None]  # [T, B]
        self.batch_sizes = self.mask.sum(1)  # [T]
        self.ragged = not self.mask.all()
        self.label_lengths = np.array([len(row) for row in labels], np.int32)  # [B]
        self.labels = np.zeros((self.size, max(self.label_lengths)), np.int32)  # [B, L], 0 after an utterance's own
        for row, own in zip(self.labels, labels):
            row[:len(own)] = own
        self.last_rows = np.concatenate([[0], np.cumsum(self.batch_sizes)])[self.lengths - 1] + np.arange(self.size)
        self.utterances = np.nonzero(self.mask)[1]  # [N], whose frame a row is
        # What the sum of the utterances' losses is divided by.
        frames = self.size if network.last_frame else int(self.lengths.sum())
        self.count = {"SUM": 1, "MEAN_UTTERANCE": self.size, "MEAN_LABEL": int(self.label_lengths.sum()),
                      "MEAN_FRAME": frames}[network.reduction]

    def pad(self, packed):
        """[N, *] -> [T, B, *], zeros after an utterance's own frames."""
        padded = np.zeros(self.mask.shape + packed.shape[1:], packed.dtype)
        padded[self.mask] = packed
        return padded
