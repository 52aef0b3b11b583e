"""What a peer computes, and on what: the bench's configuration, parameters and batch as numpy arrays."""
import numpy as np


class Unsupported(Exception):
    """This row cannot be what the configuration asks for."""


class Network:
    """Sizes, loss and optimizer of a BenchConfig (bench/bench.proto) in JSON, every default filled in."""

    def __init__(self, config):
        train, batch = config["train"], config["batch"]
        model, lstm, optimizer = train["model"], train["model"]["lstm"], train["optimizer"]
        levels = lstm.get("level", [])
        self.hidden_sizes = [l["hidden_size"] for l in levels] or [lstm["hidden_size"]] * lstm["num_levels"]
        self.directions = 2 if lstm["bidirectional"] else 1
        self.input_size, self.classes = batch["input_size"], batch["classes"]
        self.output_bias = model["output_bias"]
        self.loss, self.reduction = train["loss"]["kind"], train["loss"]["reduction"]
        self.learning_rate, self.epsilon = optimizer["learning_rate"], optimizer["epsilon"]
        self.betas = (optimizer["beta1"], optimizer["beta2"])
        for what, asked in (("peepholes", lstm["peepholes"]),
                            ("a trainable initial state", lstm["trainable_initial_state"]),
                            ("dropout", lstm["dropout"] or lstm["recurrent_dropout"] or model["output_dropout"]),
                            ("SGD", optimizer["kind"] != "ADAM"), ("weight decay", optimizer["weight_decay"]),
                            ("clipping (max_grad_norm)", optimizer["max_grad_norm"])):
            if asked:
                raise Unsupported("peers have no " + what)

    @property
    def output_size(self):
        return self.directions * self.hidden_sizes[-1]

    def shapes(self):
        """In the order of asr/model.h: w_ih, w_hh, bias a direction a level, output weight, bias."""
        shapes, size = [], self.input_size
        for h in self.hidden_sizes:
            shapes += [(4 * h, size), (4 * h, h), (4 * h,)] * self.directions
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

    def join(self, arrays):
        for array, shape in zip(arrays, self.shapes(), strict=True):
            assert array.shape == shape, (array.shape, shape)
        return np.concatenate([np.asarray(a, np.float32).ravel() for a in arrays])


class Batch:
    """Utterances sorted by length, the longest first; B utterances, T frames of the longest, N frames in all."""

    def __init__(self, network, lengths, labels, features):
        self.lengths = np.array(lengths, np.int32)  # [B]
        self.packed = features.reshape(-1, network.input_size)  # [N, I], time-major without padding
        self.size, self.frames = len(lengths), int(lengths[0])
        self.batch_sizes = (self.lengths[None] > np.arange(self.frames)[:, None]).sum(1)  # [T]
        self.mask = self.lengths[None] > np.arange(self.frames)[:, None]  # [T, B]
        self.ragged = not self.mask.all()
        self.label_lengths = np.array([len(row) for row in labels], np.int32)  # [B]
        self.labels = np.zeros((self.size, max(self.label_lengths)), np.int32)  # [B, L], 0 after an utterance's own
        for row, own in zip(self.labels, labels):
            row[:len(own)] = own
        self.last_rows = np.concatenate([[0], np.cumsum(self.batch_sizes)])[self.lengths - 1] + np.arange(self.size)
        # What the sum of the utterances' losses is divided by.
        frames = self.size if network.loss == "CROSS_ENTROPY_LAST_FRAME" else int(self.lengths.sum())
        self.count = {"SUM": 1, "MEAN_UTTERANCE": self.size, "MEAN_LABEL": int(self.label_lengths.sum()),
                      "MEAN_FRAME": frames}[network.reduction]

    def pad(self, packed):
        """[N, *] -> [T, B, *], zeros after an utterance's own frames."""
        padded = np.zeros(self.mask.shape + packed.shape[1:], packed.dtype)
        padded[self.mask] = packed
        return padded
