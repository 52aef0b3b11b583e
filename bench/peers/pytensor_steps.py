"""An LSTM as users of Theano wrote it, by its successor: a scan over the steps of a padded batch, compiled to C.

(PyTensor's other linker, numba's, takes over a minute to compile this and is four times slower.)
"""
import os

import numpy as np

from network import compiled_folder, macs_per_frame
from unsupported import Unsupported

os.environ["PYTENSOR_FLAGS"] = f"floatX=float32,mode=CVM,base_compiledir={compiled_folder('pytensor')}"
import pytensor  # pylint: disable=wrong-import-position
import pytensor.tensor as pt  # pylint: disable=wrong-import-position

VERSION = "pytensor " + pytensor.__version__


def shared(array):
    return pytensor.shared(array, **({"shape": array.shape} if array.ndim else {}))


def updates_of(network, params, gradients):
    """As asr/optimizer.h has them."""
    rate, (beta1, beta2) = np.float32(network.learning_rate), map(np.float32, network.betas)
    first = [shared(np.zeros_like(p.get_value())) for p in params]
    if network.optimizer == "SGD":
        momenta = [np.float32(network.momentum) * v + g for v, g in zip(first, gradients)]
        return [*zip(first, momenta), *((p, p - rate * v) for p, v in zip(params, momenta))]
    second, updates = [shared(np.zeros_like(p.get_value())) for p in params], []
    powers = [shared(np.float32(1)), shared(np.float32(1))]
    power1, power2 = powers[0] * beta1, powers[1] * beta2
    for p, m, v, g in zip(params, first, second, gradients):
        m_next = beta1 * m + (1 - beta1) * g
        v_next = beta2 * v + (1 - beta2) * g**2
        step = rate * (m_next / (1 - power1)) / (pt.sqrt(v_next / (1 - power2)) + np.float32(network.epsilon))
        updates += [(m, m_next), (v, v_next), (p, p - step)]
    return updates + [(powers[0], power1), (powers[1], power2)]


class Peer:
    redundant_parameters = 0

    def __init__(self, layer, network, flat, threads):
        assert layer == "scan"
        if network.loss == "CTC":
            raise Unsupported("PyTensor has no CTC")
        if not pytensor.config.cxx:
            raise Unsupported("PyTensor needs a C++ compiler: apt-get install g++")
        self.network = network
        # Weights as they are multiplied from the right: [I, 4H], [H, 4H], [C] and so on.
        self.params = [shared(np.ascontiguousarray(a.T) if a.ndim == 2 else a.copy()) for a in network.split(flat)]
        self.parameters = flat.size
        self.macs_per_frame = macs_per_frame([p.get_value(borrow=True).shape for p in self.params])
        tiny = shared(np.full(1 << 20, 1e-39, np.float32))
        half = pytensor.function([], tiny * np.float32(0.5))()
        self.flushes_denormals = bool((half.view(np.uint32) == 0).all())

    def different(self, batch):
        return None

    def set_batch(self, batch):
        self.batch = batch
        self.x, self.labels = shared(batch.pad(batch.packed)), shared(batch.labels)
        self.mask = shared(batch.mask[..., None])
        self.losses_of_utterances = self.utterance_losses()
        loss = self.losses_of_utterances.sum() / np.float32(batch.count)
        gradients = pytensor.grad(loss, self.params)
        outputs = [pytensor.Out(v, borrow=True) for v in [loss, *gradients]]
        self.train = pytensor.function([], outputs, updates=updates_of(self.network, self.params, gradients))

    def direction(self, x, d, reverse):
        """x [T, B, I] -> [T, B, H]. Outside an utterance its state stays what it was: the first before its reverse
        begins."""
        hidden = d.w_hh.type.shape[0]
        frames, size = self.batch.mask.shape

        def step(from_x, own, h, c, w_hh, *peepholes):
            gates = from_x + pt.dot(h, w_hh)
            i, f, g, o = (gates[:, k * hidden:(k + 1) * hidden] for k in range(4))
            if peepholes:
                i, f = i + peepholes[0] * c, f + peepholes[1] * c
            c_next = pt.sigmoid(f) * c + pt.sigmoid(i) * pt.tanh(g)
            if peepholes:
                o += peepholes[2] * c_next
            h_next = pt.sigmoid(o) * pt.tanh(c_next)
            if self.batch.ragged:
                h_next, c_next = pt.switch(own, h_next, h), pt.switch(own, c_next, c)
            return h_next, c_next
        zeros = np.zeros((size, hidden), np.float32)
        first = [pt.zeros_like(zeros) + s for s in d.initial] or [pt.as_tensor(zeros)] * 2
        from_x = pt.dot(x.reshape((frames * size, d.w_ih.type.shape[0])), d.w_ih) + d.bias
        h = pytensor.scan(step, sequences=[from_x.reshape((frames, size, 4 * hidden)), self.mask], outputs_info=first,
                          non_sequences=[d.w_hh, *d.peepholes], go_backwards=reverse, strict=True,
                          return_updates=False)[0]
        return h[::-1] if reverse else h

    def utterance_losses(self):
        h, size = self.x, self.batch.size
        levels, out = self.network.cut(self.params)
        for level in levels:
            outputs = [self.direction(h, d, reverse) for d, reverse in zip(level, (False, True))]
            h = pt.concatenate(outputs, 2) if len(outputs) > 1 else outputs[0]
        utterances = np.arange(size)
        if self.network.last_frame:
            rows, labels = h[self.batch.lengths - 1, utterances], self.labels[:, 0]
        else:
            rows, labels = h.reshape((-1, out[0].type.shape[0])), self.labels.T.flatten()
        logits = pt.dot(rows, out[0])
        if self.network.output_bias:
            logits += out[1]
        scores = pt.special.log_softmax(logits, axis=1)[pt.arange(labels.shape[0]), labels]
        if self.network.last_frame:
            return -scores
        return -pt.switch(self.batch.mask, scores.reshape((-1, size)), np.float32(0)).sum(0)

    def step(self):
        loss, *self.last_gradients = self.train()
        return float(loss)

    def losses(self):
        return pytensor.function([], self.losses_of_utterances)()

    def gradients(self):
        """Of the last step."""
        return self.network.join([g.T if g.ndim == 2 else g for g in self.last_gradients])
