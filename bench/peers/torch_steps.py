"""PyTorch's LSTMs: nn.LSTM on padded and on packed sequences, loops over nn.LSTMCell and over a cell of one product a
gate, and a loop that torch.compile unrolls and compiles. Runs with PyTorch 1.13 and later."""
import importlib.util
import os
import shutil

import numpy as np

# Debian's multiplies by OpenBLAS, whose threads are not those of OpenMP that do the rest: where the latter spin between
# two loops, they take the cores from the former.
_spec = importlib.util.find_spec("torch")
if _spec is not None and "/dist-packages/" in _spec.origin:
    os.environ["OMP_WAIT_POLICY"] = "passive"
import torch  # pylint: disable=wrong-import-position
from torch import nn  # pylint: disable=wrong-import-position

from network import LossAlone, compiled_folder, macs_per_frame  # pylint: disable=wrong-import-position
from torch_net import Net  # pylint: disable=wrong-import-position
from unsupported import Unsupported  # pylint: disable=wrong-import-position

VERSION = "torch " + torch.__version__
# torch.compile unrolls the loop; each step of a direction takes it about half a second on two cores.
MOST_COMPILED_STEPS = 128


def flushes_denormals(threads):
    torch.set_num_threads(threads)
    torch.set_flush_denormal(True)
    tiny = torch.full((1 << 20,), 1e-39)
    return bool(((tiny * 0.5) == 0).all())


class TensorBatch:
    def __init__(self, batch, padded):
        self.padded, self.size, self.count = padded, batch.size, batch.count
        self.x = torch.from_numpy(batch.pad(batch.packed) if padded else batch.packed.copy())
        self.batch_sizes = torch.from_numpy(batch.batch_sizes)
        self.steps = batch.batch_sizes.tolist()
        self.lengths = torch.from_numpy(batch.lengths.astype(np.int64))
        self.last, self.last_rows = self.lengths - 1, torch.from_numpy(batch.last_rows)
        self.utterance = torch.arange(batch.size)
        self.labels = torch.from_numpy(batch.labels.astype(np.int64))
        self.label_lengths = torch.from_numpy(batch.label_lengths.astype(np.int64))
        self.mask, self.row_utterances = torch.from_numpy(batch.mask), torch.from_numpy(batch.utterances)

    def frame_labels(self):
        """One a frame: [T, B], -100 (ignored) after an utterance's own frames; [N] where nothing is padded."""
        labels = self.labels.T
        return torch.where(self.mask, labels, torch.full_like(labels, -100)) if self.padded else labels[self.mask]


def utterance_losses(network, logits, batch, frame_labels):
    """logits as Net.forward's -> [B]."""
    cross_entropy = nn.functional.cross_entropy
    if network.last_frame:
        return cross_entropy(logits, batch.labels[:, 0], reduction="none")
    if network.loss == "CTC":
        scores = logits.log_softmax(-1)
        if not batch.padded:
            scores = nn.utils.rnn.pad_packed_sequence(nn.utils.rnn.PackedSequence(scores, batch.batch_sizes))[0]
        return nn.functional.ctc_loss(scores, batch.labels, batch.lengths, batch.label_lengths, reduction="none")
    if batch.padded:
        return cross_entropy(logits.flatten(0, 1), frame_labels.flatten(), reduction="none").view(-1, batch.size).sum(0)
    losses = cross_entropy(logits, frame_labels, reduction="none")
    return losses.new_zeros(batch.size).index_add(0, batch.row_utterances, losses)


class Peer:
    def __init__(self, layer, network, flat, threads):
        self.flushes_denormals = flushes_denormals(threads)
        self.network, self.layer, self.net = network, layer, Net(layer, network)
        self.run = self.compile() if layer == "compile" else self.net
        at = 0
        with torch.no_grad():
            for part in self.net.parts:
                part.copy_(torch.from_numpy(flat[at:at + part.numel()].reshape(part.shape).copy()))
                at += part.numel()
        assert at == flat.size, (at, flat.size)
        if network.optimizer == "SGD":
            self.optimizer = torch.optim.SGD(self.net.parts, lr=network.learning_rate, momentum=network.momentum)
        else:
            self.optimizer = torch.optim.Adam(self.net.parts, lr=network.learning_rate, betas=network.betas,
                                              eps=network.epsilon)
        self.parameters = at
        self.redundant_parameters = sum(bias.numel() for bias in self.net.fixed)
        self.macs_per_frame = macs_per_frame([w.shape for w in self.net.parameters()])

    def compile(self):
        steps = self.network.frames * self.network.directions * len(self.network.hidden_sizes)
        if steps > MOST_COMPILED_STEPS:
            raise Unsupported(f"torch.compile unrolls {steps} steps here, more than {MOST_COMPILED_STEPS}: compiling "
                              "would take minutes")
        if shutil.which(os.environ.get("CXX", "g++")) is None:
            raise Unsupported("torch.compile needs a C++ compiler: apt-get install g++")
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = compiled_folder("torch")
        torch._dynamo.reset()  # what it has compiled for another network
        return torch.compile(self.net, dynamic=False, fullgraph=True)

    def different(self, batch):
        if self.layer == "lstm" and batch.ragged and self.network.directions == 2:
            return "its reverse direction runs over the padding: another function"

    def set_batch(self, batch):
        self.batch = TensorBatch(batch, padded=self.layer == "lstm")
        self.frame_labels = self.batch.frame_labels() if self.network.loss == "CROSS_ENTROPY_FRAME" else None
        if self.layer == "compile":
            self.losses()
            self.utterance_losses().sum().backward()

    def utterance_losses(self):
        return utterance_losses(self.network, self.run(self.batch), self.batch, self.frame_labels)

    def step(self):
        self.optimizer.zero_grad()
        loss = self.utterance_losses().sum() / self.batch.count
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def losses(self):
        return self.utterance_losses().detach().numpy()

    def gradients(self):
        """Of the last step."""
        return torch.cat([part.grad.ravel() for part in self.net.parts]).numpy()


class Loss(LossAlone):
    """ctc_loss on padded logits, cross_entropy on packed ones; with their log-softmax."""

    def __init__(self, network, threads):
        self.flushes_denormals = flushes_denormals(threads)
        self.network = network

    def set_batch(self, batch):
        self.batch = TensorBatch(batch, padded=self.network.loss == "CTC")
        self.frame_labels = self.batch.frame_labels() if self.network.loss == "CROSS_ENTROPY_FRAME" else None
        self.batch.x.requires_grad_()

    def utterance_losses(self):
        logits = self.batch.x[self.batch.last_rows] if self.network.last_frame else self.batch.x
        return utterance_losses(self.network, logits, self.batch, self.frame_labels)

    def step(self):
        self.batch.x.grad = None
        loss = self.utterance_losses().sum() / self.batch.count
        loss.backward()
        return loss.item()

    def losses(self):
        return self.utterance_losses().detach().numpy()

    def gradients(self):
        gradient = self.batch.x.grad
        return (gradient[self.batch.mask] if self.batch.padded else gradient).numpy()
