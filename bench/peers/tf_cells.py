"""TensorFlow's LSTM operations, which have no gradients or wrong ones in TensorFlow, and loops over cells.

Weights w [I + H, 4H] are multiplied from the right. Peepholes wci, wcf, wco [H]; where there are none, zeros are passed.
States c, h [B, H].
"""
import tensorflow as tf


def block_lstm(use_peephole):
    """The whole sequence in one operation, gates in the order i f g o."""
    @tf.custom_gradient
    def run(x, w, bias, wci, wcf, wco, h, c):
        """x [T, B, I] -> [T, B, H].

        TensorFlow registers the gradient of BlockLSTM for BlockLSTMV2 as well, which has another order of gates; the
        right one is an operation of its own.
        """
        inputs = dict(seq_len_max=tf.constant(x.shape[0], tf.int64), x=x, cs_prev=c, h_prev=h, w=w, wci=wci, wcf=wcf,
                      wco=wco, b=bias)
        outputs = tf.raw_ops.BlockLSTMV2(cell_clip=0.0, use_peephole=use_peephole, **inputs)

        def gradient(dh):
            back = tf.raw_ops.BlockLSTMGradV2(cs_grad=tf.zeros_like(dh), h_grad=dh, use_peephole=use_peephole, **inputs,
                                              **outputs._asdict())
            return (back.x_grad, back.w_grad, back.b_grad, back.wci_grad, back.wcf_grad, back.wco_grad,
                    back.h_prev_grad, back.cs_prev_grad)
        return outputs.h, gradient
    return run


def block_cell(use_peephole):
    """One step in one operation, gates in the order i g f o."""
    @tf.custom_gradient
    def run(x, h, c, w, bias, wci, wcf, wco):
        """x [B, I], h, c -> h, c. TensorFlow 2 has the gradient's operation and does not register it."""
        inputs = dict(x=x, cs_prev=c, h_prev=h, w=w, wci=wci, wcf=wcf, wco=wco, b=bias)
        out = tf.raw_ops.LSTMBlockCell(forget_bias=0.0, cell_clip=0.0, use_peephole=use_peephole, **inputs)

        def gradient(dh, dc):
            back = tf.raw_ops.LSTMBlockCellGrad(i=out.i, cs=out.cs, f=out.f, o=out.o, ci=out.ci, co=out.co, cs_grad=dc,
                                                h_grad=dh, use_peephole=use_peephole, **inputs)
            dxh = tf.matmul(back.dicfo, w, transpose_b=True)
            dw = tf.matmul(tf.concat([x, h], 1), back.dicfo, transpose_a=True)
            size = x.shape[1]
            return (dxh[:, :size], dxh[:, size:], back.cs_prev_grad, dw, tf.reduce_sum(back.dicfo, 0), back.wci_grad,
                    back.wcf_grad, back.wco_grad)
        return (out.h, out.cs), gradient
    return run


def primitive_cell(use_peephole):
    """One step of primitive operations, gates in the order i f g o."""
    def run(x, h, c, w, bias, wci, wcf, wco):
        i, f, g, o = tf.split(tf.matmul(tf.concat([x, h], 1), w) + bias, 4, 1)
        if use_peephole:
            i, f = i + wci * c, f + wcf * c
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        if use_peephole:
            o += wco * c
        return tf.sigmoid(o) * tf.tanh(c), c
    return run


def loop(cell):
    """tf.while_loop over the steps."""
    def run(x, w, bias, wci, wcf, wco, h, c):
        """x [T, B, I] -> [T, B, H]."""
        steps = x.shape[0]
        inputs = tf.TensorArray(tf.float32, steps).unstack(x)
        outputs = tf.TensorArray(tf.float32, steps, element_shape=h.shape)

        def body(t, h, c, outputs):
            h, c = cell(tf.ensure_shape(inputs.read(t), x.shape[1:]), h, c, w, bias, wci, wcf, wco)
            return t + 1, h, c, outputs.write(t, h)
        return tf.while_loop(lambda t, *_: t < steps, body, (0, h, c, outputs), maximum_iterations=steps)[3].stack()
    return run
