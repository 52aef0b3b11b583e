"""TensorFlow's LSTMs: the whole-sequence operation BlockLSTMV2, loops over the operation LSTMBlockCell and over a cell of
primitive operations, and Keras' layer. Each step is one compiled graph."""
import numpy as np
import tensorflow as tf

import tf_cells
from network import macs_per_frame
from tf_losses import Loss, Losses, flushes_denormals  # pylint: disable=unused-import
from unsupported import Unsupported

VERSION = f"tensorflow {tf.__version__}, keras {tf.keras.__version__}"
I_G_F_O = [0, 2, 1, 3]  # LSTMBlockCell's gates among ours, and back


class Optimizer:
    """Adam: algorithm 1 of Kingma and Ba by TensorFlow's fused operation, whose epsilon is beside the uncorrected root.
    SGD: with momentum."""

    def __init__(self, network, variables):
        self.network, self.variables = network, variables
        self.moments = [(tf.Variable(tf.zeros_like(v)), tf.Variable(tf.zeros_like(v))) for v in variables]
        self.powers = [tf.Variable(1.0), tf.Variable(1.0)]

    def reset(self):
        for v in sum(self.moments, ()):
            v.assign(tf.zeros_like(v))
        for power in self.powers:
            power.assign(1.0)

    def apply(self, gradients):
        if self.network.optimizer == "SGD":
            for v, (m, _), gradient in zip(self.variables, self.moments, gradients):
                tf.raw_ops.ResourceApplyMomentum(var=v.handle, accum=m.handle, lr=self.network.learning_rate,
                                                 grad=gradient, momentum=self.network.momentum)
            return
        powers = [power.assign(power * beta) for power, beta in zip(self.powers, self.network.betas)]
        epsilon = self.network.epsilon * tf.sqrt(1 - powers[1])
        for v, (m, s), gradient in zip(self.variables, self.moments, gradients):
            tf.raw_ops.ResourceApplyAdam(var=v.handle, m=m.handle, v=s.handle, beta1_power=powers[0],
                                         beta2_power=powers[1], lr=self.network.learning_rate,
                                         beta1=self.network.betas[0], beta2=self.network.betas[1], epsilon=epsilon,
                                         grad=gradient)


class Peer:
    redundant_parameters = 0

    def __init__(self, layer, network, flat, threads):
        self.flushes_denormals = flushes_denormals(threads)
        self.layer, self.network, self.keras = layer, network, layer == "keras"
        if self.keras and network.peepholes:
            raise Unsupported("keras.layers.LSTM has no peepholes")
        self.parameters = flat.size
        levels, out = network.cut(network.split(flat))
        own = [[self.to_own(d) for d in level] for level in levels]
        self.own_size = len(own[0][0])
        self.initial = [a for level in own for d in level for a in d] + [a.T for a in out]
        self.variables = self.keras_variables() if self.keras else [tf.Variable(a) for a in self.initial]
        self.levels, self.out = network.group(self.variables, self.own_size)
        self.assign()
        self.macs_per_frame = macs_per_frame([v.shape for v in self.variables])
        self.optimizer = Optimizer(network, self.variables)
        self.sequence = {"block": tf_cells.block_lstm,
                         "block_cell": lambda peepholes: tf_cells.loop(tf_cells.block_cell(peepholes)),
                         "while": lambda peepholes: tf_cells.loop(tf_cells.primitive_cell(peepholes)),
                         "keras": lambda peepholes: None}[layer](network.peepholes)

    # Weights here are multiplied from the right, and Keras alone has them in two matrices.
    def to_own(self, d):
        """A Direction -> w_ih, w_hh, bias (Keras) or w [I + H, 4H], bias, peepholes; initial state."""
        if self.keras:
            return [d.w_ih.T, d.w_hh.T, d.bias, *d.initial]
        return [*self.reorder(np.concatenate([d.w_ih, d.w_hh], 1).T, d.bias), *d.peepholes, *d.initial]

    def to_ours(self, arrays):
        if self.keras:
            w_ih, w_hh, bias, *rest = arrays
        else:
            w, bias, *rest = arrays
            w, bias = self.reorder(w, bias)
            h = bias.size // 4
            w_ih, w_hh = w[:-h], w[-h:]
        return [w_ih.T, w_hh.T, bias, *rest]

    def reorder(self, *arrays):
        """Gates: the last dimension's quarters."""
        if self.layer != "block_cell":
            return arrays
        return [np.concatenate([np.split(a, 4, -1)[k] for k in I_G_F_O], -1) for a in arrays]

    def keras_variables(self):
        self.layers, variables, size = [], [], self.network.input_size
        for h in self.network.hidden_sizes:
            layer = tf.keras.layers.LSTM(h, return_sequences=True)
            if self.network.directions == 2:
                layer = tf.keras.layers.Bidirectional(layer)
            layer.build((None, None, size))
            size = self.network.directions * h
            self.layers.append(layer)
            for k in range(0, 3 * self.network.directions, 3):
                variables += [v.value for v in layer.trainable_variables[k:k + 3]]
                variables += [tf.Variable(tf.zeros(h)) for _ in range(2 * self.network.initial_state)]
        return variables + [tf.Variable(a) for a in self.initial[len(variables):]]

    def assign(self):
        for v, a in zip(self.variables, self.initial, strict=True):
            v.assign(a)

    def different(self, batch):
        return None

    def set_batch(self, batch):
        self.data = Losses(self.network, batch, time_major=not self.keras)
        x = batch.pad(batch.packed)
        self.x, self.size = tf.constant(x.swapaxes(0, 1).copy() if self.keras else x), batch.size
        self.train = tf.function(self.train_step)
        if x.size > 1 << 21:
            self.train.get_concrete_function()
        else:  # the first call takes seconds to optimize the graph: too much to count where steps are short
            self.train()
            self.assign()
            self.optimizer.reset()

    def direction(self, x, variables, reverse):
        """[T, B, I] -> [T, B, H]."""
        w, bias, *rest = variables
        zeros = tf.zeros(bias.shape[0] // 4)
        peepholes = rest[:3] if self.network.peepholes else [zeros] * 3
        initial = rest[-2:] if self.network.initial_state else [zeros] * 2
        states = [tf.tile(s[None], (self.size, 1)) for s in initial]
        turned = tf.reverse_sequence(x, self.data.lengths, 0, 1) if reverse else x
        h = self.sequence(turned, *map(tf.convert_to_tensor, (w, bias, *peepholes)), *states)
        return tf.reverse_sequence(h, self.data.lengths, 0, 1) if reverse else h

    def logits(self):
        """As Losses takes them."""
        h = self.x
        for k, level in enumerate(self.levels):
            if self.keras:
                states = [tf.tile(s[None], (self.size, 1)) for d in level for s in d[3:]]
                h = self.layers[k](h, training=True, mask=self.data.mask if self.data.ragged else None,
                                   initial_state=states or None)
            else:
                outputs = [self.direction(h, d, reverse) for d, reverse in zip(level, (False, True))]
                h = tf.concat(outputs, 2) if len(outputs) > 1 else outputs[0]
        logits = tf.tensordot(self.data.last_frames(h) if self.network.last_frame else h, self.out[0], 1)
        return logits + self.out[1] if self.network.output_bias else logits

    def train_step(self):
        with tf.GradientTape() as tape:
            loss = self.data.total(self.logits())
        gradients = tape.gradient(loss, self.variables)
        self.optimizer.apply(gradients)
        return loss, gradients

    def step(self):
        loss, self.last_gradients = self.train()
        return float(loss)

    def losses(self):
        return tf.function(lambda: self.data.of_utterances(self.logits()))().numpy()

    def gradients(self):
        """Of the last step."""
        levels, out = self.network.group([g.numpy() for g in self.last_gradients], self.own_size)
        return self.network.join([a for level in levels for d in level for a in self.to_ours(d)] + [a.T for a in out])
