"""Ten-step training trajectories of small LSTM nets in PyTorch (float64), for asr/trajectory_test.

    python3 tools/golden/lstm_trajectory.py > asr/testdata/trajectory.txt          (numpy, torch)

The file holds no weights and no data: both sides draw them from the generator

    x <- (1664525 x + 1013904223) mod 2^32, starting from x = seed
    Uniform(bound) = (2 u - 1) * bound with u = (x >> 8) / 2^24            exact in float32; bound is a power of two
    Below(n)       = (x >> 16) mod n

one step of x a number, in this order:
  1. the parameters, each Uniform(0.5), in the order of the flat vector: for each level, for each direction, w_ih
     [4H, I], w_hh [4H, H], bias [4H] (gates i f g o; H is the level's own size; the next level's I is D*H); then the
     output layer's weight [C, D*H] and, with output_bias 1, its bias [C];
  2. for each step k = 0..9: the batch. Lengths are 9 7 7 4 2 for even k and 11 6 3 for odd k. First x [N, I], each
     Uniform(1), row by row in packed (time-major) order; then for each utterance, in the batch's order, its labels:
       ctc:      1 + Below((length + 1) / 2, integer division) labels, each 1 + Below(C - 1)      (blank is 0)
       ce_last:  one label Below(C), judged at the utterance's last frame.

Loss = sum over utterances / number of utterances. No dropout, no clipping, no weight decay. Optimisers:
  sgd:   v <- 0.9 v + gradient (v = 0 at first), p <- p - learning_rate v
  adam:  betas 0.9 and 0.999, epsilon 1e-8, with the usual bias correction

One block a net, fields in this order, hidden sizes comma-separated, one a level:

    net NAME seed S input I hidden H,... directions D classes C output_bias 0|1 loss ctc|ce_last optimizer sgd|adam
        learning_rate R                                                        (all on one line)
    losses L0 ... L9              the loss of step k, before its update
    final SUM SUM_OF_SQUARES      of all parameters after ten updates
"""
import numpy as np
import torch

LENGTHS = ([9, 7, 7, 4, 2], [11, 6, 3])
NETS = [  # name, seed, hidden, directions, output_bias, loss, optimizer, learning_rate
    ("uni_ctc_sgd", 1, [8], 1, 1, "ctc", "sgd", 0.1),
    ("uni_ctc_adam", 2, [8], 1, 1, "ctc", "adam", 0.01),
    ("bi_ctc_sgd", 3, [5], 2, 0, "ctc", "sgd", 0.1),
    ("bi2_ctc_adam", 4, [16, 5], 2, 1, "ctc", "adam", 0.01),
    ("uni_ce_sgd", 5, [9], 1, 0, "ce_last", "sgd", 0.1),
    ("uni2_ce_adam", 6, [6, 11], 1, 0, "ce_last", "adam", 0.01),
    ("bi_ce_sgd", 7, [7], 2, 1, "ce_last", "sgd", 0.1),
    ("bi_ce_adam", 8, [16], 2, 0, "ce_last", "adam", 0.01),
]
INPUT, CLASSES, STEPS = 7, 6, 10


class Lcg:
    def __init__(self, seed):
        self.x = seed

    def bits(self):
        self.x = (1664525 * self.x + 1013904223) % 2**32
        return self.x

    def uniform(self, bound, *shape):
        count = int(np.prod(shape))
        return np.array([(2 * (self.bits() >> 8) / 2**24 - 1) * bound for _ in range(count)]).reshape(shape)

    def below(self, n):
        return (self.bits() >> 16) % n


class Net(torch.nn.Module):
    """Levels of different sizes are different torch modules; bias_hh is fixed at 0, so each gate has one bias."""

    def __init__(self, hidden, directions, output_bias, lcg, dtype):
        super().__init__()
        self.levels = torch.nn.ModuleList()
        self.flat = []
        size = INPUT
        for h in hidden:
            level = torch.nn.LSTM(size, h, bidirectional=directions == 2, dtype=dtype)
            for suffix in ("", "_reverse")[:directions]:
                for name in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0"):
                    self.draw(getattr(level, name + suffix), lcg)
                bias_hh = getattr(level, "bias_hh_l0" + suffix)
                bias_hh.data.zero_()
                bias_hh.requires_grad_(False)
            self.levels.append(level)
            size = directions * h
        self.output = torch.nn.Linear(size, CLASSES, bias=bool(output_bias), dtype=dtype)
        self.draw(self.output.weight, lcg)
        if output_bias:
            self.draw(self.output.bias, lcg)

    def draw(self, parameter, lcg):
        parameter.data.copy_(torch.from_numpy(lcg.uniform(0.5, *parameter.shape)))
        self.flat.append(parameter)

    def forward(self, packed):
        for level in self.levels:
            packed, _ = level(packed)
        logits, lengths = torch.nn.utils.rnn.pad_packed_sequence(packed)
        return self.output(logits), lengths


def draw_batch(k, loss, lcg, dtype):
    lengths = LENGTHS[k % 2]
    batch_sizes = [sum(length > t for length in lengths) for t in range(lengths[0])]
    x = torch.from_numpy(lcg.uniform(1.0, sum(lengths), INPUT)).to(dtype)
    packed = torch.nn.utils.rnn.PackedSequence(x, torch.tensor(batch_sizes))
    if loss == "ctc":
        labels = [[1 + lcg.below(CLASSES - 1) for _ in range(1 + lcg.below((n + 1) // 2))] for n in lengths]
    else:
        labels = [[lcg.below(CLASSES)] for _ in lengths]
    return packed, labels


def batch_loss(loss, logits, lengths, labels):
    if loss == "ctc":
        total = torch.nn.functional.ctc_loss(
            logits.log_softmax(-1), torch.tensor(sum(labels, [])), lengths, torch.tensor([len(l) for l in labels]),
            blank=0, reduction="sum")
    else:
        last = logits[lengths - 1, torch.arange(len(labels))]
        total = torch.nn.functional.cross_entropy(last, torch.tensor(labels)[:, 0], reduction="sum")
    return total / len(labels)


def trajectory(seed, hidden, directions, output_bias, loss, optimizer, learning_rate, dtype):
    lcg = Lcg(seed)
    net = Net(hidden, directions, output_bias, lcg, dtype)
    if optimizer == "sgd":
        step = torch.optim.SGD(net.flat, lr=learning_rate, momentum=0.9)
    else:
        step = torch.optim.Adam(net.flat, lr=learning_rate)
    losses = []
    for k in range(STEPS):
        packed, labels = draw_batch(k, loss, lcg, dtype)
        step.zero_grad()
        value = batch_loss(loss, *net(packed), labels)
        value.backward()
        step.step()
        losses.append(value.item())
    return losses, sum(p.sum().item() for p in net.flat), sum((p * p).sum().item() for p in net.flat)


for name, seed, *rest in NETS:
    hidden, directions, output_bias, loss, optimizer, learning_rate = rest
    losses, total, squares = trajectory(seed, *rest, torch.float64)
    single, _, _ = trajectory(seed, *rest, torch.float32)
    # The comparison's tolerance is 1e-4 relative: rounding to float alone must stay far below it.
    assert max(abs(a - b) / abs(a) for a, b in zip(losses, single)) < 5e-6, name
    print(f"net {name} seed {seed} input {INPUT} hidden {','.join(map(str, hidden))} directions {directions}"
          f" classes {CLASSES} output_bias {output_bias} loss {loss} optimizer {optimizer}"
          f" learning_rate {learning_rate}")
    print("losses", *(f"{v:.10g}" for v in losses))
    print(f"final {total:.10g} {squares:.10g}")
