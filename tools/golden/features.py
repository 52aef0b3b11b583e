"""Writes data/testdata/kaldi_features_golden.txt: features by kaldi-native-fbank, deltas by a plain numpy loop.

    pip install numpy kaldi-native-fbank
    python3 tools/golden/features.py > data/testdata/kaldi_features_golden.txt

Every case is a line `case NAME`, the configuration as a text protobuf, the number of samples of the test signal and
the shape of the matrix, then the matrix, one frame a line. The signal is made of integers, so the C++ test makes the
same one.
"""
import numpy as np
import kaldi_native_fbank as knf

WINDOWS = {"POVEY": "povey", "HAMMING": "hamming", "HANN": "hanning"}
DEFAULTS = dict(sample_rate=16000, frame_length_ms=25, frame_shift_ms=10, num_mel_bins=40, low_frequency=20,
                high_frequency=0, preemphasis=0.97, remove_dc_offset="true", window="POVEY", use_power="true",
                energy="RAW_LOG_ENERGY", delta_order=2, vtln_warp=1, kind="LOG_MEL", num_ceps=13,
                cepstral_lifter=22, htk_compatible="false")


def signal(sample_rate, samples):
    """Two sines, an offset and noise, rounded to 16-bit integers."""
    x, out = 7, []
    for n in range(samples):
        x = (1664525 * x + 1013904223) % 2**32
        noise = -1 + 2 * x / 2**32
        t = 2 * np.pi * n / sample_rate
        out.append(np.rint(6000 * np.sin(440 * t) + 1500 * np.sin(1700 * t) + 300 + 200 * noise))
    return np.array(out, np.float32)


def options(c):
    o = knf.FbankOptions() if c["kind"] == "LOG_MEL" else knf.MfccOptions()
    o.frame_opts.dither = 0
    o.frame_opts.samp_freq = c["sample_rate"]
    o.frame_opts.frame_length_ms = c["frame_length_ms"]
    o.frame_opts.frame_shift_ms = c["frame_shift_ms"]
    o.frame_opts.preemph_coeff = c["preemphasis"]
    o.frame_opts.remove_dc_offset = c["remove_dc_offset"] == "true"
    o.frame_opts.window_type = WINDOWS[c["window"]]
    o.frame_opts.snip_edges = True
    o.mel_opts.num_bins = c["num_mel_bins"]
    o.mel_opts.low_freq = c["low_frequency"]
    o.mel_opts.high_freq = c["high_frequency"]
    o.use_energy = c["energy"] == "RAW_LOG_ENERGY"
    o.raw_energy = True
    o.energy_floor = 0
    if c["kind"] == "LOG_MEL":
        o.use_power = c["use_power"] == "true"
        return o
    o.num_ceps = c["num_ceps"]
    o.cepstral_lifter = c["cepstral_lifter"]
    o.htk_compat = o.mel_opts.htk_mode = c["htk_compatible"] == "true"
    return o


def online(c, samples):
    computer = (knf.OnlineFbank if c["kind"] == "LOG_MEL" else knf.OnlineMfcc)(options(c))
    computer.accept_waveform(c["sample_rate"], signal(c["sample_rate"], samples).tolist())
    computer.input_finished()
    return np.array([computer.get_frame(i) for i in range(computer.num_frames_ready)], np.float64)


def warped_fbank(c, samples):
    """OnlineFbank knows no warping, so only the filters and the window are kaldi-native-fbank's here. No energy."""
    o = options(c)
    filters = knf.MelBanks(o.mel_opts, o.frame_opts, c["vtln_warp"]).get_matrix().astype(np.float64)
    window = np.array(knf.FeatureWindowFunction(o.frame_opts).window)
    shift = c["sample_rate"] * c["frame_shift_ms"] // 1000
    x = signal(c["sample_rate"], samples).astype(np.float64)
    rows = []
    for begin in range(0, samples - len(window) + 1, shift):
        frame = x[begin:begin + len(window)]
        frame = frame - frame.mean()
        frame = frame - c["preemphasis"] * np.concatenate([frame[:1], frame[:-1]])
        power = np.abs(np.fft.rfft(frame * window, 2 * (filters.shape[1] - 1)))**2
        rows.append(np.log(filters @ power))
    return np.array(rows)


def append_deltas(x, order):
    """The first-order filter applied to itself gives the second; frames outside are copies of the edge."""
    first = np.array([-2, -1, 0, 1, 2]) / 10
    filters = [first, np.convolve(first, first)]
    parts = [x]
    for f in filters[:order]:
        reach = len(f) // 2
        padded = np.concatenate([np.repeat(x[:1], reach, 0), x, np.repeat(x[-1:], reach, 0)])
        parts.append(np.array([f @ padded[t:t + len(f)] for t in range(len(x))]))
    return np.concatenate(parts, 1)


def case(name, samples, **fields):
    c = dict(DEFAULTS, **fields)
    statics = online(c, samples) if c["vtln_warp"] == 1 else warped_fbank(c, samples)
    features = append_deltas(statics, c["delta_order"])
    if c["delta_order"] > 0:
        delta_options = knf.DeltaOptions(order=c["delta_order"], window=2)
        assert np.abs(features - knf.compute_deltas(delta_options, statics.astype(np.float32))).max() < 1e-4
    print(f"case {name}")
    print(" ".join(f"{k}: {v}" for k, v in fields.items()) or "sample_rate: 16000")
    print(samples, *features.shape)
    for row in features:
        print(" ".join(f"{v:.5f}" for v in row))


case("statics_16k", 1400, delta_order=0)
case("statics_8k", 720, sample_rate=8000, delta_order=0)
case("features_123", 1700)
case("features_120", 1700, energy="NO_ENERGY")
case("features_123_8k", 720, sample_rate=8000)
case("one_frame", 400)
case("two_frames", 560)
case("hamming_23_plain", 1000, num_mel_bins=23, window="HAMMING", preemphasis=0, remove_dc_offset="false",
     energy="NO_ENERGY", delta_order=0)
case("magnitude_hann", 1000, window="HANN", use_power="false", delta_order=0)
case("edges_80", 1000, num_mel_bins=80, low_frequency=125, high_frequency=7600, delta_order=1)
case("rate_11025", 700, sample_rate=11025, frame_length_ms=20, frame_shift_ms=5, num_mel_bins=26, delta_order=0)
case("rate_44100", 2500, sample_rate=44100, num_mel_bins=64, low_frequency=0, delta_order=0)
case("warp_0.85", 720, vtln_warp=0.85, energy="NO_ENERGY", delta_order=0)
case("warp_1.2", 720, vtln_warp=1.2, energy="NO_ENERGY", delta_order=0)
case("mfcc", 1000, kind="MFCC", num_mel_bins=23)
case("mfcc_c0_40_bins", 1000, kind="MFCC", num_ceps=20, energy="NO_ENERGY", delta_order=0)
case("mfcc_8k_no_lifter", 720, kind="MFCC", sample_rate=8000, num_mel_bins=23, cepstral_lifter=0, delta_order=1)
case("mfcc_lifter_30", 720, kind="MFCC", num_mel_bins=26, num_ceps=26, cepstral_lifter=30, preemphasis=0, delta_order=0)
case("mfcc_htk_energy", 720, kind="MFCC", num_mel_bins=23, htk_compatible="true", window="HAMMING",
     remove_dc_offset="false", delta_order=1)
case("mfcc_htk_c0", 720, kind="MFCC", num_mel_bins=23, htk_compatible="true", window="HAMMING", energy="NO_ENERGY",
     remove_dc_offset="false", delta_order=0)
assert np.abs(warped_fbank(DEFAULTS, 1000) - online(DEFAULTS, 1000)[:, 1:]).max() < 1e-3
