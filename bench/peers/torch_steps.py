"""PyTorch's LSTMs: nn.LSTM on padded and on packed sequences, a loop over nn.LSTMCell, and one product a gate."""
import numpy as np
import torch
from torch import nn

from network import Unsupported

VERSION = "torch " + torch.__version__


class GateByGate(nn.Module):
    """A cell of separate products and primitive element-wise operations."""

    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.input = nn.ModuleList(nn.Linear(input_size, hidden_size) for _ in range(4))
        self.recurrent = nn.ModuleList(nn.Linear(hidden_size, hidden_size, bias=False) for _ in range(4))

    def flat(self):
        return ([x.weight for x in self.input], [h.weight for h in self.recurrent], [x.bias for x in self.input])

    def forward(self, x, state):
        h, c = state
        i, f, g, o = (linear(x) + recurrent(h) for linear, recurrent in zip(self.input, self.recurrent))
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


class CellLoop(nn.Module):
    """One direction: a step at a time over the utterances that are alive then, [N, I] -> [N, H]."""

    def __init__(self, cell, hidden_size, reverse):
        super().__init__()
        self.cell, self.hidden_size, self.reverse = cell, hidden_size, reverse

    def forward(self, x, batch_sizes):
        h = c = x.new_zeros(0, self.hidden_size)
        steps = list(x.split(batch_sizes))
        for t in reversed(range(len(steps))) if self.reverse else range(len(steps)):
            alive = batch_sizes[t]
            if alive < len(h):
                h, c = h[:alive], c[:alive]
            elif alive > len(h):  # an utterance begins
                zeros = x.new_zeros(alive - len(h), self.hidden_size)
                h, c = torch.cat([h, zeros]), torch.cat([c, zeros])
            h, c = self.cell(steps[t], (h, c))
            steps[t] = h
        return torch.cat(steps)


class Net(nn.Module):
    def __init__(self, layer, network):
        super().__init__()
        sizes = network.hidden_sizes
        self.layer, self.network = layer, network
        self.parts = []  # parameters in the order of asr/model.h, cut where this layer cuts them
        self.fixed = []  # second biases: 0 and not trained, so that each gate has one, as everywhere
        if layer in ("lstm", "packed"):
            if len(set(sizes)) > 1:
                raise Unsupported("nn.LSTM has levels of one size only")
            self.rnn = nn.LSTM(network.input_size, sizes[0], len(sizes), bidirectional=network.directions == 2)
            for k in range(len(sizes)):
                for suffix in (f"_l{k}", f"_l{k}_reverse")[:network.directions]:
                    self.parts += [getattr(self.rnn, name + suffix) for name in ("weight_ih", "weight_hh", "bias_ih")]
                    self.fixed.append(getattr(self.rnn, "bias_hh" + suffix))
        else:
            self.levels, size = nn.ModuleList(), network.input_size
            for h in sizes:
                make = nn.LSTMCell if layer == "cell" else GateByGate
                directions = [CellLoop(make(size, h), h, reverse) for reverse in (False, True)[:network.directions]]
                for cell in (d.cell for d in directions):
                    if layer == "cell":
                        self.parts += [cell.weight_ih, cell.weight_hh, cell.bias_ih]
                        self.fixed.append(cell.bias_hh)
                    else:
                        self.parts += sum(cell.flat(), [])
                self.levels.append(nn.ModuleList(directions))
                size = network.directions * h
        self.out = nn.Linear(network.output_size, network.classes, bias=network.output_bias)
        self.parts += list(self.out.parameters())
        for bias in self.fixed:
            bias.requires_grad_(False).zero_()

    def forward(self, batch):
        """Logits: [B, C] for a last-frame loss; else [T, B, C] where the layer is padded, [N, C] where not."""
        last = self.network.loss == "CROSS_ENTROPY_LAST_FRAME"
        if self.layer == "lstm":
            h = self.rnn(batch.x)[0]
            return self.out(h[batch.last, batch.utterances] if last else h)
        if self.layer == "packed":
            h = self.rnn(nn.utils.rnn.PackedSequence(batch.x, batch.batch_sizes))[0].data
        else:
            h, sizes = batch.x, batch.batch_sizes.tolist()
            for directions in self.levels:
                h = torch.cat([direction(h, sizes) for direction in directions], 1)
        return self.out(h[batch.last_rows] if last else h)


class TensorBatch:
    def __init__(self, batch, padded):
        self.x = torch.from_numpy(batch.pad(batch.packed) if padded else batch.packed.copy())
        self.batch_sizes = torch.from_numpy(batch.batch_sizes)
        self.lengths = torch.from_numpy(batch.lengths.astype(np.int64))
        self.last, self.last_rows = self.lengths - 1, torch.from_numpy(batch.last_rows)
        self.utterances = torch.arange(batch.size)
        self.labels = torch.from_numpy(batch.labels.astype(np.int64))
        self.label_lengths = torch.from_numpy(batch.label_lengths.astype(np.int64))
        self.count = batch.count


class Peer:
    def __init__(self, layer, network, flat, threads):
        torch.set_num_threads(threads)
        torch.set_flush_denormal(True)
        self.network, self.net = network, Net(layer, network)
        self.padded = layer == "lstm"
        at = 0
        with torch.no_grad():
            for part in self.net.parts:
                part.copy_(torch.from_numpy(flat[at:at + part.numel()].reshape(part.shape).copy()))
                at += part.numel()
        assert at == flat.size, (at, flat.size)
        self.optimizer = torch.optim.Adam(self.net.parts, lr=network.learning_rate, betas=network.betas,
                                          eps=network.epsilon)
        self.parameters = at
        self.redundant_parameters = sum(bias.numel() for bias in self.net.fixed)
        tiny = torch.full((1 << 20,), 1e-39)
        self.flushes_denormals = bool(((tiny * 0.5) == 0).all())

    def different(self, batch):
        if self.padded and batch.ragged and self.network.directions == 2:
            return "its reverse direction runs over the padding: another function"

    def set_batch(self, batch):
        self.batch = TensorBatch(batch, self.padded)

    def utterance_losses(self):
        batch, logits = self.batch, self.net(self.batch)
        if self.network.loss == "CROSS_ENTROPY_LAST_FRAME":
            return nn.functional.cross_entropy(logits, batch.labels[:, 0], reduction="none")
        scores = logits.log_softmax(-1)
        if not self.padded:
            scores = nn.utils.rnn.pad_packed_sequence(nn.utils.rnn.PackedSequence(scores, batch.batch_sizes))[0]
        if self.network.loss == "CTC":
            return nn.functional.ctc_loss(scores, batch.labels, batch.lengths, batch.label_lengths, reduction="none")
        own = torch.arange(len(scores))[:, None] < batch.lengths
        picked = scores.gather(2, batch.labels.T[..., None])[..., 0]
        return -torch.where(own, picked, 0).sum(0)

    def step(self):
        self.optimizer.zero_grad()
        loss = self.utterance_losses().sum() / self.batch.count
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def losses(self):
        with torch.no_grad():
            return self.utterance_losses().numpy()

    def gradients(self):
        """Of the last step."""
        return torch.cat([part.grad.ravel() for part in self.net.parts]).numpy()
