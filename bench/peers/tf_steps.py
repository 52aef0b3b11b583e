"""TensorFlow's LSTMs: the whole-sequence operation BlockLSTMV2, and Keras' layer. Each step is one compiled graph."""
import numpy as np
import tensorflow as tf

VERSION = f"tensorflow {tf.__version__}, keras {tf.keras.__version__}"


@tf.custom_gradient
def block_lstm(x, w, bias):
    """x [T, B, I] -> [T, B, H]; w [I + H, 4H], gates in the order i f g o.

    TensorFlow registers the gradient of BlockLSTM for BlockLSTMV2 as well, which has another order of gates; the right
    one is an operation of its own.
    """
    hidden = w.shape[1] // 4
    inputs = dict(seq_len_max=tf.constant(x.shape[0], tf.int64), x=x, cs_prev=tf.zeros((x.shape[1], hidden)),
                  h_prev=tf.zeros((x.shape[1], hidden)), w=w, wci=tf.zeros(hidden), wcf=tf.zeros(hidden),
                  wco=tf.zeros(hidden), b=bias)
    outputs = tf.raw_ops.BlockLSTMV2(cell_clip=0.0, use_peephole=False, **inputs)

    def gradient(dh):
        back = tf.raw_ops.BlockLSTMGradV2(cs_grad=tf.zeros_like(dh), h_grad=dh, use_peephole=False, **inputs,
                                          **outputs._asdict())
        return back.x_grad, back.w_grad, back.b_grad
    return outputs.h, gradient


def block_direction(x, w, bias, reverse, lengths):
    if not reverse:
        return block_lstm(x, w, bias)
    return tf.reverse_sequence(block_lstm(tf.reverse_sequence(x, lengths, 0, 1), w, bias), lengths, 0, 1)


class Adam:
    """Algorithm 1 of Kingma and Ba by TensorFlow's fused operation, whose epsilon is beside the uncorrected root."""

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
        tf.config.threading.set_intra_op_parallelism_threads(threads)
        tf.config.threading.set_inter_op_parallelism_threads(threads)
        self.layer, self.network = layer, network
        self.parameters = flat.size
        self.initial = self.from_flat(network.split(flat))
        if layer == "keras":
            self.make_keras()
        else:
            self.variables = [tf.Variable(a) for a in self.initial]
        self.optimizer = Adam(network, self.variables)
        tiny = tf.fill((1 << 20,), tf.constant(1e-39))
        self.flushes_denormals = bool((tf.multiply(tiny, 0.5).numpy().view(np.uint32) == 0).all())

    def make_keras(self):
        self.levels, self.variables, size = [], [], self.network.input_size
        for h in self.network.hidden_sizes:
            level = tf.keras.layers.LSTM(h, return_sequences=True)
            if self.network.directions == 2:
                level = tf.keras.layers.Bidirectional(level)
            level.build((None, None, size))
            size = self.network.directions * h
            self.levels.append(level)
            self.variables += [v.value for v in level.trainable_variables]
        self.variables += [tf.Variable(a) for a in self.initial[len(self.variables):]]
        self.assign()

    def assign(self):
        for v, a in zip(self.variables, self.initial, strict=True):
            v.assign(a)

    # Weights here are multiplied from the right; the block operation has both in one matrix.
    def from_flat(self, arrays):
        levels, out = self.cut(arrays)
        rows = []
        for w_ih, w_hh, bias in levels:
            rows += [w_ih.T, w_hh.T, bias] if self.layer == "keras" else [np.concatenate([w_ih, w_hh], 1).T, bias]
        return rows + [a.T for a in out]

    def to_flat(self, arrays):
        size = 3 if self.layer == "keras" else 2
        end = size * len(self.network.hidden_sizes) * self.network.directions
        flat = []
        for k in range(0, end, size):
            if self.layer == "keras":
                w_ih, w_hh, bias = arrays[k:k + 3]
            else:
                (w, bias), h = arrays[k:k + 2], arrays[k + 1].size // 4
                w_ih, w_hh = w[:-h], w[-h:]
            flat += [w_ih.T, w_hh.T, bias]
        return self.network.join(flat + [a.T for a in arrays[end:]])

    @staticmethod
    def cut(arrays):
        """[(w_ih, w_hh, bias), ...] and what is left for the output layer."""
        end = len(arrays) // 3 * 3
        return [arrays[k:k + 3] for k in range(0, end, 3)], arrays[end:]

    def different(self, batch):
        return None

    def set_batch(self, batch):
        self.count, self.ragged = batch.count, batch.ragged
        x = batch.pad(batch.packed)
        self.x = tf.constant(x if self.layer == "block" else x.swapaxes(0, 1).copy())
        self.mask = tf.constant(batch.mask.T)
        self.lengths = tf.constant(batch.lengths)
        self.labels = tf.constant(batch.labels)
        own = np.arange(batch.labels.shape[1]) < batch.label_lengths[:, None]
        self.sparse_labels = tf.SparseTensor(np.argwhere(own), batch.labels[own], batch.labels.shape)
        self.train = tf.function(self.train_step)
        if x.size > 1 << 21:
            self.train.get_concrete_function()
        else:  # the first call takes seconds to optimize the graph: too much to count where steps are short
            self.train()
            self.assign()
            self.optimizer.reset()

    def logits(self):
        """[B, C] for a last-frame loss; else [T, B, C] (block) or [B, T, C] (keras)."""
        directions, h, parts = self.network.directions, self.x, iter(self.variables)
        if self.layer == "block":
            for _ in self.network.hidden_sizes:
                outputs = [block_direction(h, next(parts), next(parts), reverse, self.lengths)
                           for reverse in (False, True)[:directions]]
                h = tf.concat(outputs, 2) if directions == 2 else outputs[0]
        else:
            for level in self.levels:
                h = level(h, training=True, mask=self.mask if self.ragged else None)
                for _ in range(3 * directions):
                    next(parts)
        if self.network.loss == "CROSS_ENTROPY_LAST_FRAME":
            rows = tf.range(len(self.lengths))
            h = tf.gather_nd(h, tf.stack([self.lengths - 1, rows] if self.layer == "block" else
                                         [rows, self.lengths - 1], 1))
        logits = tf.tensordot(h, next(parts), 1)
        return logits + next(parts) if self.network.output_bias else logits

    def utterance_losses(self):
        logits, time_major = self.logits(), self.layer == "block"
        if self.network.loss == "CROSS_ENTROPY_LAST_FRAME":
            return tf.nn.sparse_softmax_cross_entropy_with_logits(self.labels[:, 0], logits)
        if self.network.loss == "CTC":
            return tf.nn.ctc_loss(self.sparse_labels, logits, None, self.lengths, logits_time_major=time_major,
                                  blank_index=0)
        labels = tf.transpose(self.labels) if time_major else self.labels
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        return tf.reduce_sum(tf.where(self.mask, tf.transpose(losses) if time_major else losses, 0.0), 1)

    def train_step(self):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(self.utterance_losses()) / self.count
        gradients = tape.gradient(loss, self.variables)
        self.optimizer.apply(gradients)
        return loss, gradients

    def step(self):
        loss, self.last_gradients = self.train()
        return float(loss)

    def losses(self):
        return tf.function(self.utterance_losses)().numpy()

    def gradients(self):
        """Of the last step."""
        return self.to_flat([g.numpy() for g in self.last_gradients])
