"""TensorFlow's losses of each utterance, and timed alone."""
import numpy as np
import tensorflow as tf

from network import LossAlone


def flushes_denormals(threads):
    tf.config.threading.set_intra_op_parallelism_threads(threads)
    tf.config.threading.set_inter_op_parallelism_threads(threads)
    tiny = tf.fill((1 << 20,), tf.constant(1e-39))
    return bool((tf.multiply(tiny, 0.5).numpy().view(np.uint32) == 0).all())


class Losses:
    """Labels and lengths of a batch. Logits are [B, C] for a last-frame loss; else [T, B, C] if time_major, [B, T, C]."""

    def __init__(self, network, batch, time_major):
        self.network, self.time_major = network, time_major
        self.count, self.ragged = batch.count, batch.ragged
        self.mask = tf.constant(batch.mask.T)  # [B, T]
        self.lengths = tf.constant(batch.lengths)
        self.labels = tf.constant(batch.labels)
        own = np.arange(batch.labels.shape[1]) < batch.label_lengths[:, None]
        self.sparse_labels = tf.SparseTensor(np.argwhere(own), batch.labels[own], batch.labels.shape)

    def last_frames(self, h):
        """[T, B, *] or [B, T, *] -> [B, *]."""
        rows = tf.range(len(self.lengths))
        return tf.gather_nd(h, tf.stack([self.lengths - 1, rows] if self.time_major else [rows, self.lengths - 1], 1))

    def of_utterances(self, logits):
        if self.network.last_frame:
            return tf.nn.sparse_softmax_cross_entropy_with_logits(self.labels[:, 0], logits)
        # Labels in a sparse tensor ask for the fused operation: 20 times faster than the one for dense labels.
        if self.network.loss == "CTC":
            return tf.nn.ctc_loss(self.sparse_labels, logits, None, self.lengths, logits_time_major=self.time_major,
                                  blank_index=0)
        labels = tf.transpose(self.labels) if self.time_major else self.labels
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        return tf.reduce_sum(tf.where(self.mask, tf.transpose(losses) if self.time_major else losses, 0.0), 1)

    def total(self, logits):
        return tf.reduce_sum(self.of_utterances(logits)) / self.count


class Loss(LossAlone):
    """On padded logits [T, B, C], in one compiled graph."""

    def __init__(self, network, threads):
        self.flushes_denormals = flushes_denormals(threads)
        self.network = network

    def set_batch(self, batch):
        self.batch_mask, self.data = batch.mask, Losses(self.network, batch, time_major=True)
        self.logits = tf.constant(batch.pad(batch.packed))
        self.run = tf.function(self.loss_and_gradient)
        self.run()

    def of_utterances(self):
        return self.data.of_utterances(self.data.last_frames(self.logits) if self.network.last_frame else self.logits)

    def loss_and_gradient(self):
        with tf.GradientTape() as tape:
            tape.watch(self.logits)
            loss = tf.reduce_sum(self.of_utterances()) / self.data.count
        return loss, tf.convert_to_tensor(tape.gradient(loss, self.logits))

    def step(self):
        loss, self.gradient = self.run()
        return float(loss)

    def losses(self):
        return tf.function(self.of_utterances)().numpy()

    def gradients(self):
        return self.gradient.numpy()[self.batch_mask]
