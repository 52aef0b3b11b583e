"""Networks of PyTorch's layers, and of cells that users write themselves."""
import torch
from torch import nn

from unsupported import Unsupported


def gates_to_state(gates, c, peepholes):
    """Element-wise part of a step. gates: i f g o, [B, H] each; c [B, H]."""
    i, f, g, o = gates
    if peepholes:
        i, f = i + peepholes[0] * c, f + peepholes[1] * c
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    if peepholes:
        o = o + peepholes[2] * c
    return torch.sigmoid(o) * torch.tanh(c), c


class Cell(nn.Module):
    def __init__(self, hidden_size, peepholes):
        super().__init__()
        self.peepholes = nn.ParameterList(nn.Parameter(torch.empty(hidden_size)) for _ in range(3 * peepholes))

    def project(self, x):
        return x  # what is done with all frames [N, I] before the first step


class GateByGate(Cell):
    """Separate products and primitive element-wise operations."""

    def __init__(self, input_size, hidden_size, peepholes):
        super().__init__(hidden_size, peepholes)
        self.input = nn.ModuleList(nn.Linear(input_size, hidden_size) for _ in range(4))
        self.recurrent = nn.ModuleList(nn.Linear(hidden_size, hidden_size, bias=False) for _ in range(4))

    def parts(self):
        return ([x.weight for x in self.input] + [h.weight for h in self.recurrent] + [x.bias for x in self.input] +
                list(self.peepholes))

    def forward(self, x, state):
        h, c = state
        gates = [linear(x) + recurrent(h) for linear, recurrent in zip(self.input, self.recurrent)]
        return gates_to_state(gates, c, list(self.peepholes))


class OneProduct(Cell):
    """The input's product once for all frames, one recurrent product a step."""

    def __init__(self, input_size, hidden_size, peepholes):
        super().__init__(hidden_size, peepholes)
        self.input = nn.Linear(input_size, 4 * hidden_size)
        self.recurrent = nn.Linear(hidden_size, 4 * hidden_size, bias=False)

    def parts(self):
        return [self.input.weight, self.recurrent.weight, self.input.bias] + list(self.peepholes)

    def project(self, x):
        return self.input(x)

    def forward(self, x, state):
        h, c = state
        return gates_to_state((x + self.recurrent(h)).chunk(4, 1), c, list(self.peepholes))


class LstmCell(nn.LSTMCell):
    def __init__(self, input_size, hidden_size, peepholes):
        if peepholes:
            raise Unsupported("nn.LSTMCell has no peepholes")
        super().__init__(input_size, hidden_size)

    def parts(self):
        return [self.weight_ih, self.weight_hh, self.bias_ih]

    def project(self, x):
        return x


CELLS = {"cell": LstmCell, "basic": GateByGate, "compile": OneProduct}


def initial_state(network, hidden_size):
    """h0, c0 [H]: parameters where the network trains them."""
    make = nn.Parameter if network.initial_state else lambda zeros: zeros
    return [make(torch.zeros(hidden_size)) for _ in range(2)]


class CellLoop(nn.Module):
    """One direction: a step at a time over the utterances that are alive then, [N, I] -> [N, H]."""

    def __init__(self, cell, initial, reverse):
        super().__init__()
        self.cell, self.reverse = cell, reverse
        self.h0, self.c0 = initial

    def forward(self, x, batch_sizes):
        h, c = self.h0.expand(0, -1), self.c0.expand(0, -1)
        steps = list(self.cell.project(x).split(batch_sizes))
        for t in reversed(range(len(steps))) if self.reverse else range(len(steps)):
            alive, before = batch_sizes[t], len(h)
            if alive < before:
                h, c = h[:alive], c[:alive]
            elif alive > before:  # an utterance begins
                h = torch.cat([h, self.h0.expand(alive - before, -1)])
                c = torch.cat([c, self.c0.expand(alive - before, -1)])
            h, c = self.cell(steps[t], (h, c))
            steps[t] = h
        return torch.cat(steps)


class Net(nn.Module):
    """`parts`: its parameters in the order of asr/model.h, cut where this layer cuts them; `fixed`: second biases, 0 and
    not trained, so that each gate has one, as everywhere."""

    def __init__(self, layer, network):
        super().__init__()
        self.layer, self.network, self.parts, self.fixed = layer, network, [], []
        (self.make_layer if layer in ("lstm", "packed") else self.make_loops)(network)
        self.out = nn.Linear(network.output_size, network.classes, bias=network.output_bias)
        self.parts += list(self.out.parameters())
        for bias in self.fixed:
            bias.requires_grad_(False).zero_()

    def make_layer(self, network):
        sizes = network.hidden_sizes
        if network.peepholes:
            raise Unsupported("nn.LSTM has no peepholes")
        if len(set(sizes)) > 1:
            raise Unsupported("nn.LSTM has levels of one size only")
        self.rnn = nn.LSTM(network.input_size, sizes[0], len(sizes), bidirectional=network.directions == 2)
        self.initial = nn.ParameterList()
        for k in range(len(sizes)):
            for suffix in (f"_l{k}", f"_l{k}_reverse")[:network.directions]:
                self.parts += [getattr(self.rnn, name + suffix) for name in ("weight_ih", "weight_hh", "bias_ih")]
                self.fixed.append(getattr(self.rnn, "bias_hh" + suffix))
                if network.initial_state:
                    self.initial.extend(initial_state(network, sizes[0]))
                    self.parts += list(self.initial)[-2:]

    def make_loops(self, network):
        self.levels, size = nn.ModuleList(), network.input_size
        for h in network.hidden_sizes:
            directions = nn.ModuleList()
            for reverse in (False, True)[:network.directions]:
                cell, initial = CELLS[self.layer](size, h, network.peepholes), initial_state(network, h)
                directions.append(CellLoop(cell, initial, reverse))
                self.parts += cell.parts() + initial * network.initial_state
                self.fixed += [cell.bias_hh] if self.layer == "cell" else []
            self.levels.append(directions)
            size = network.directions * h

    def run_layer(self, x, size):
        if not self.initial:
            return self.rnn(x)[0]
        state = [torch.stack(list(self.initial)[k::2])[:, None].expand(-1, size, -1).contiguous() for k in range(2)]
        return self.rnn(x, tuple(state))[0]

    def forward(self, batch):
        """Logits: [B, C] for a last-frame loss; else [T, B, C] where the layer is padded, [N, C] where not."""
        if self.layer == "lstm":
            h = self.run_layer(batch.x, batch.size)
            return self.out(h[batch.last, batch.utterance] if self.network.last_frame else h)
        if self.layer == "packed":
            h = self.run_layer(nn.utils.rnn.PackedSequence(batch.x, batch.batch_sizes), batch.size).data
        else:
            h = batch.x
            for directions in self.levels:
                h = torch.cat([direction(h, batch.steps) for direction in directions], 1)
        return self.out(h[batch.last_rows] if self.network.last_frame else h)
