"""An LSTM as JAX users write it: lax.scan over the steps of a padded batch, compiled by XLA as one program."""
import jax
import jax.numpy as jnp
import numpy as np
import optax

from network import LossAlone, macs_per_frame

VERSION = "jax " + jax.__version__


def flushes_denormals():
    tiny = jnp.full((1 << 20,), 1e-39, jnp.float32)
    return bool((np.asarray(jax.jit(lambda v: v * 0.5)(tiny)).view(np.uint32) == 0).all())


class Data:
    """A batch: `arrays` are traced, the rest is compiled in."""

    def __init__(self, network, batch):
        self.network, self.ragged, self.count = network, batch.ragged, batch.count
        self.arrays = [jnp.array(a) for a in (batch.pad(batch.packed), batch.mask, batch.lengths, batch.labels,
                                              batch.label_lengths)]

    def utterance_losses(self, logits, arrays):
        """logits [B, C] for a last-frame loss, else [T, B, C] -> [B]."""
        _, mask, _, labels, label_lengths = arrays
        cross_entropy = optax.softmax_cross_entropy_with_integer_labels
        if self.network.last_frame:
            return cross_entropy(logits, labels[:, 0])
        if self.network.loss == "CTC":
            label_padding = jnp.arange(labels.shape[1]) >= label_lengths[:, None]
            return optax.ctc_loss(logits.swapaxes(0, 1), (~mask.T).astype(jnp.float32), labels,
                                  label_padding.astype(jnp.float32), log_epsilon=-1e30)
        return jnp.where(mask, cross_entropy(logits, labels.T), 0).sum(0)

    def last_frames(self, h, arrays):
        lengths = arrays[2]
        return h[lengths - 1, jnp.arange(len(lengths))]


class Peer:
    redundant_parameters = 0

    def __init__(self, layer, network, flat, threads):
        assert layer == "scan"
        self.network, self.initial = network, flat
        self.parameters = flat.size
        self.optimizer = (optax.sgd(network.learning_rate, network.momentum) if network.optimizer == "SGD" else
                          optax.adam(network.learning_rate, *network.betas, eps=network.epsilon))
        self.params = self.from_flat(flat)
        self.macs_per_frame = macs_per_frame([p.shape for p in self.params])
        self.state = self.optimizer.init(self.params)
        self.flushes_denormals = flushes_denormals()

    def from_flat(self, flat):
        """Weights as they are multiplied from the right: [I, 4H], [H, 4H], [C] and so on."""
        return [jnp.array(a.T if a.ndim == 2 else a) for a in self.network.split(flat)]

    def different(self, batch):
        return None

    def set_batch(self, batch):
        self.data = Data(self.network, batch)

        def train(params, state, arrays):
            loss, gradients = jax.value_and_grad(self.objective)(params, arrays)
            updates, state = self.optimizer.update(gradients, state)
            return optax.apply_updates(params, updates), state, loss

        # Compiled here, so that no step has to.
        lowered = jax.jit(train, donate_argnums=(0, 1)).lower(self.params, self.state, self.data.arrays)
        self.train = lowered.compile()

    def direction(self, x, mask, d, reverse):
        """x [T, B, I] -> [T, B, H]. Outside an utterance its state stays what it was: the first before its reverse
        begins."""
        def cell(state, inputs):
            h, c = state
            from_x, own = inputs
            i, f, g, o = jnp.split(from_x + h @ d.w_hh, 4, 1)
            if d.peepholes:
                i, f = i + d.peepholes[0] * c, f + d.peepholes[1] * c
            c_next = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            if d.peepholes:
                o += d.peepholes[2] * c_next
            h_next = jax.nn.sigmoid(o) * jnp.tanh(c_next)
            if self.data.ragged:
                h_next, c_next = jnp.where(own, h_next, h), jnp.where(own, c_next, c)
            return (h_next, c_next), h_next
        shape = (x.shape[1], d.w_hh.shape[0])
        first = tuple(jnp.broadcast_to(s, shape) for s in d.initial) or (jnp.zeros(shape), jnp.zeros(shape))
        return jax.lax.scan(cell, first, (x @ d.w_ih + d.bias, mask[..., None]), reverse=reverse)[1]

    def utterance_losses(self, params, arrays):
        h, mask = arrays[:2]
        levels, out = self.network.cut(params)
        for level in levels:
            outputs = [self.direction(h, mask, d, reverse) for d, reverse in zip(level, (False, True))]
            h = jnp.concatenate(outputs, 2) if len(outputs) > 1 else outputs[0]
        logits = (self.data.last_frames(h, arrays) if self.network.last_frame else h) @ out[0]
        if self.network.output_bias:
            logits += out[1]
        return self.data.utterance_losses(logits, arrays)

    def objective(self, params, arrays):
        return self.utterance_losses(params, arrays).sum() / self.data.count

    def step(self):
        self.params, self.state, loss = self.train(self.params, self.state, self.data.arrays)
        loss = float(loss)
        jax.block_until_ready(self.params)
        return loss

    def losses(self):
        return np.asarray(jax.jit(self.utterance_losses)(self.params, self.data.arrays))

    def gradients(self):
        """Of the first step: at the initial parameters, which the step itself gives away."""
        gradients = jax.jit(jax.grad(self.objective))(self.from_flat(self.initial), self.data.arrays)
        return self.network.join([np.asarray(g).T if g.ndim == 2 else np.asarray(g) for g in gradients])


class Loss(LossAlone):
    """optax' losses on padded logits [T, B, C]."""

    def __init__(self, network, threads):
        self.network = network
        self.flushes_denormals = flushes_denormals()

    def set_batch(self, batch):
        self.data, self.mask = Data(self.network, batch), batch.mask
        self.run = jax.jit(jax.value_and_grad(self.objective)).lower(self.data.arrays[0], self.data.arrays).compile()

    def utterance_losses(self, logits, arrays):
        last_frame = self.network.last_frame
        return self.data.utterance_losses(self.data.last_frames(logits, arrays) if last_frame else logits, arrays)

    def objective(self, logits, arrays):
        return self.utterance_losses(logits, arrays).sum() / self.data.count

    def step(self):
        loss, self.gradient = self.run(self.data.arrays[0], self.data.arrays)
        jax.block_until_ready(self.gradient)
        return float(loss)

    def losses(self):
        return np.asarray(jax.jit(self.utterance_losses)(self.data.arrays[0], self.data.arrays))

    def gradients(self):
        return np.asarray(self.gradient)[self.mask]
