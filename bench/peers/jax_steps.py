"""An LSTM as JAX users write it: lax.scan over the steps of a padded batch, compiled by XLA as one program."""
import jax
import jax.numpy as jnp
import numpy as np
import optax

VERSION = "jax " + jax.__version__


class Peer:
    redundant_parameters = 0

    def __init__(self, layer, network, flat, threads):
        assert layer == "scan"
        self.network, self.initial = network, flat
        self.parameters = flat.size
        self.optimizer = optax.adam(network.learning_rate, *network.betas, eps=network.epsilon)
        # Weights as they are multiplied from the right: [I, 4H], [H, 4H], [C] and so on.
        self.params = [jnp.array(a.T if a.ndim == 2 else a) for a in network.split(flat)]
        self.state = self.optimizer.init(self.params)
        tiny = jnp.full((1 << 20,), 1e-39, jnp.float32)
        self.flushes_denormals = bool((np.asarray(jax.jit(lambda v: v * 0.5)(tiny)).view(np.uint32) == 0).all())

    def different(self, batch):
        return None

    def set_batch(self, batch):
        self.ragged, self.count = batch.ragged, batch.count
        self.data = [jnp.array(a) for a in (batch.pad(batch.packed), batch.mask, batch.lengths, batch.labels,
                                            batch.label_lengths)]

        def train(params, state, data):
            loss, gradients = jax.value_and_grad(self.objective)(params, data)
            updates, state = self.optimizer.update(gradients, state)
            return optax.apply_updates(params, updates), state, loss

        # Compiled here, so that no step has to.
        lowered = jax.jit(train, donate_argnums=(0, 1)).lower(self.params, self.state, self.data)
        self.train = lowered.compile()

    def direction(self, x, mask, w_ih, w_hh, bias, reverse):
        """x [T, B, I] -> [T, B, H]. Outside an utterance its state stays what it was: 0 before its reverse begins."""
        def cell(state, inputs):
            h, c = state
            from_x, own = inputs
            i, f, g, o = jnp.split(from_x + h @ w_hh, 4, 1)
            c_next = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h_next = jax.nn.sigmoid(o) * jnp.tanh(c_next)
            if self.ragged:
                h_next, c_next = jnp.where(own, h_next, h), jnp.where(own, c_next, c)
            return (h_next, c_next), h_next
        zeros = jnp.zeros((x.shape[1], w_hh.shape[0]))
        return jax.lax.scan(cell, (zeros, zeros), (x @ w_ih + bias, mask[..., None]), reverse=reverse)[1]

    def utterance_losses(self, params, data):
        x, mask, lengths, labels, label_lengths = data
        parts = iter(params)
        h = x
        for _ in self.network.hidden_sizes:
            directions = [self.direction(h, mask, next(parts), next(parts), next(parts), reverse)
                          for reverse in (False, True)[:self.network.directions]]
            h = jnp.concatenate(directions, 2) if len(directions) > 1 else directions[0]
        last = self.network.loss == "CROSS_ENTROPY_LAST_FRAME"
        logits = (h[lengths - 1, jnp.arange(len(lengths))] if last else h) @ next(parts)
        if self.network.output_bias:
            logits += next(parts)
        if last:
            return optax.softmax_cross_entropy_with_integer_labels(logits, labels[:, 0])
        if self.network.loss == "CTC":
            label_padding = jnp.arange(labels.shape[1]) >= label_lengths[:, None]
            return optax.ctc_loss(logits.swapaxes(0, 1), (~mask.T).astype(jnp.float32), labels,
                                  label_padding.astype(jnp.float32), log_epsilon=-1e30)
        return jnp.where(mask, optax.softmax_cross_entropy_with_integer_labels(logits, labels.T), 0).sum(0)

    def objective(self, params, data):
        return self.utterance_losses(params, data).sum() / self.count

    def step(self):
        self.params, self.state, loss = self.train(self.params, self.state, self.data)
        loss = float(loss)
        jax.block_until_ready(self.params)
        return loss

    def losses(self):
        return np.asarray(jax.jit(self.utterance_losses)(self.params, self.data))

    def gradients(self):
        """Of the first step: at the initial parameters, which the step itself gives away."""
        params = [jnp.array(a.T if a.ndim == 2 else a) for a in self.network.split(self.initial)]
        gradients = jax.jit(jax.grad(self.objective))(params, self.data)
        return self.network.join([np.asarray(g).T if g.ndim == 2 else np.asarray(g) for g in gradients])
