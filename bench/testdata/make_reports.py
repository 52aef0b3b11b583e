#!/usr/bin/env python3
"""Makes the reports of this folder: python3 make_reports.py [FOLDER].

Invented times with the habits of real ones (slow first steps, noise with a long tail, a process a block), so that every
part of the page has something to show. Nothing in them was measured.
"""
import json
import random
import statistics
import sys

PHASES = {"copy": .021, "input_gemm": .13, "recurrence": .262, "output_layer": .006, "loss": .011,
          "recurrent_backward": .221, "weight_gradients": .337, "clip": .002, "optimizer": .008}
DEEP_PHASES = {"copy": .018, "input_gemm": .205, "recurrence": .132, "output_layer": .009, "loss": .008,
               "recurrent_backward": .13, "weight_gradients": .487, "clip": .002, "optimizer": .006}
PEAK, MEMORY = 580.0, 92.0


def machine(commit, **changes):
    record = {"cpu": "AMD EPYC 9R45", "cores": 2, "threads": 2, "instruction_set": "AVX3",
              "openblas_kernels": "SkylakeX", "governor": "performance", "load_before": 0.04, "load_after": 1.92,
              "steal_seconds": 0.02, "run_seconds": 240.0, "other_cpu_seconds": 1.5, "kernel": "Linux 6.1.0-18-amd64",
              "versions": ["compiler GCC 12.2.0", "OpenBLAS 0.3.21", "oneDNN 2.6.0", "protobuf 3.21.12"],
              "commit": commit, "flush_denormals": True}
    record.update(changes)
    return record


def config(name, summary, lstm, loss, batch, **more):
    return {"name": name, "summary": summary,
            "train": {"model": {"lstm": lstm, "output_bias": False}, "loss": {"kind": loss},
                      "optimizer": {"kind": "ADAM", "learning_rate": 0.001, "max_grad_norm": 0}},
            "batch": batch, "seed": "11", "max_seconds": 240, **more}


def round_all(value):
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {k: round_all(v) for k, v in value.items()}
    return [round_all(v) for v in value] if isinstance(value, list) else value


class Maker:
    def __init__(self, seed, config, parameters, valid, gflop, macs, padded, dependent):
        self.random = random.Random(seed)
        self.config, self.parameters, self.valid, self.gflop = config, parameters, valid, gflop
        self.macs, self.padded, self.dependent = macs, padded, dependent

    def block(self, index, seconds, steps, losses=True):
        drift = 1 + self.random.gauss(0, .006)
        times = [seconds * drift * (1 + abs(self.random.gauss(0, .012))) for _ in range(steps)]
        times[0] *= 1.6
        times[1] *= 1.08
        block = {"block": index, "step_seconds": times, "warm_up": 2, "steady": True}
        if losses:
            block["losses"] = [2.31 * .97 ** i for i in range(steps)]
        return block

    def row(self, name, seconds, blocks=5, steps=14, **more):
        scaled = more.pop("scaled", 0)
        ratio = self.valid / scaled if scaled else 1
        samples = [self.block(i, seconds / ratio, steps) for i in range(blocks)]
        steady = sorted(t * ratio for b in samples for t in b["step_seconds"][2:])
        median, first = statistics.median(steady), samples[0]["step_seconds"][steps // 5:]
        phases = more.pop("phases", True)
        row = {"config": self.config["name"], "implementation": name, "verified": True, "median_seconds": median,
               "p10_seconds": steady[len(steady) // 10], "p90_seconds": steady[-len(steady) // 10], "n": len(steady),
               "useful_gflop": self.gflop, "share_of_peak": self.gflop / median / PEAK, "parameters": self.parameters,
               "valid_frames": self.valid, "scaled_frames": scaled, "blocks": samples,
               "low_seconds": median * .991, "high_seconds": median * 1.012,
               "seed_mean_seconds": statistics.mean(first) * ratio, "seed_sd_seconds": statistics.stdev(first) * ratio,
               "memory_bytes": str(int(3e7 + self.valid * 16000)),
               "microseconds_per_valid_frame": median * 1e6 / self.valid,
               "padding_ratio": 1 - self.valid / self.padded, "macs_per_frame": self.macs}
        if self.dependent:
            row["microseconds_per_dependent_step"] = median * 1e6 / self.dependent
        if phases and "peer" not in more:
            shares = DEEP_PHASES if self.dependent > 4000 else PHASES
            row["phases"] = {k: v * median for k, v in shares.items()}
            row["remainder_seconds"] = median * (1 - sum(shares.values()))
            row["assemble_seconds"] = median * .002
        row.update(more)
        return row

    def peer(self, name, seconds, version, **more):
        peer = {"version": version, "parameters": self.parameters, "redundant_parameters": 1280,
                "flush_denormals": True, "beside": "simd", "macs_per_frame": self.macs}
        peer.update(more.pop("peer", {}))
        # Nobody verifies another function.
        return self.row(name, seconds, peer=peer, verified=peer.get("comparable", True), **more)

    def wrong(self, name, problem, **more):
        return {"config": self.config["name"], "implementation": name, "verified": False, "problem": problem,
                "parameters": self.parameters, "valid_frames": self.valid, **more}

    def absent(self, name, why):
        return self.wrong(name, why, peer={"absent": why})


def compared(rows, best="simd", refused=()):
    fastest = next(r for r in rows if r["implementation"] == best)["median_seconds"]
    out = []
    for row in rows:
        name = row["implementation"]
        if name == best:
            continue
        one = {"row": name, "other": best, "blocks": 5}
        if name in dict(refused):
            one.update(verdict="REFUSED", reason=dict(refused)[name])
        elif "median_seconds" not in row:
            one.update(verdict="REFUSED", reason="not here or wrong")
        else:
            ratio = row["median_seconds"] / fastest
            one.update(ratio=ratio, low=ratio * .988, high=ratio * 1.011, p_value=.00794, verdict="SLOWER")
            if ratio < 1.03:
                one.update(p_value=.42, verdict="CANNOT_TELL", reason="cannot tell (p = 0.42, 5 and 5 blocks)")
        out.append(one)
    return out


def block_records(names, disturbed=(), **more):
    return [{"block": i, "rows": names, "seconds": 22.5, "load_before": .1, "load_after": 1.7, "steal_seconds": 0.0,
             "other_cpu_seconds": 9.0 if i in disturbed else .1, "peak_gflops": PEAK - i,
             "disturbed": i in disturbed, **more} for i in range(5)]


def report(config, rows, commit, comparisons=None, blocks=None, flags=(), **more):
    out = {"machine": machine(commit, **more.pop("machine", {})), "peak_gflops": PEAK, "gemm_gflops": 545.0,
           "config": config, "rows": rows, "flags": list(flags)}
    if comparisons:
        out["comparisons"] = comparisons
    if blocks:
        out["blocks"] = blocks
    out.update(more)
    return round_all(out)


TORCH, TORCH1 = "torch 2.15.0", "torch 1.13.1"
TF, JAX, PYTENSOR = "tensorflow 2.21.0, keras 3.15.1", "jax 0.10.2", "pytensor 2.31.7"


def ce_long(commit, scale=1.0, **limits):
    """B-C2 with every kind of row: own, peers of two versions, scaled, wrong, absent, another function, refused."""
    c = config("lstm_ce_long", "1x320 LSTM, cross-entropy on the last frame, 32 x 1000 frames",
               {"num_levels": 1, "hidden_size": 320}, "CROSS_ENTROPY_LAST_FRAME",
               {"utterances": 32, "max_frames": 1000, "input_size": 123, "classes": 10},
               stands_for="B-C2: arXiv 1806.01818, 1x320/CE-long")
    m = Maker(1, c, 571520, 32000, 103.7, 571520, 32000, 2000)
    rows = [m.row("simd", .207 * scale), m.row("onednn", .255), m.row("blas", .306), m.row("fused_cell", .376),
            m.row("basic", .417), m.row("reference", 16.1, blocks=2, steps=5, scaled=3200),
            m.peer("torch:lstm", .474, TORCH), m.peer("torch:packed", .472, TORCH), m.peer("torch:cell", .76, TORCH),
            m.peer("torch:basic", .925, TORCH), m.peer("torch1:lstm", .61, TORCH1),
            m.peer("torch1:basic", 1.34, TORCH1), m.peer("tf:block", .97, TF), m.peer("tf:while", 1.31, TF),
            m.peer("tf:keras", .528, TF), m.peer("jax:scan", .662, JAX),
            m.peer("pytensor:scan", 1.12, PYTENSOR, peer={"comparable": False, "note": "peepholes and a trained initial state"}),
            m.peer("torch:compile", .42, TORCH, macs_per_frame=602240.0),
            m.wrong("tf:block_cell", "loss of utterance 3 is 2.41, expected 2.3026 within 2.3e-06",
                    peer={"version": TF}),
            m.absent("mxnet:lstm", "no module named mxnet <b>here</b> & now")]
    names = [r["implementation"] for r in rows]
    refused = {"torch:compile": "other work: 602240 multiply-adds a frame, simd 571520",
               "pytensor:scan": "another function: peepholes and a trained initial state"}
    return report(c, rows, commit, compared(rows, refused=refused.items()), block_records(names, disturbed=(3,), **limits),
                  ["--peers", "--json=lstm_ce_long.json"], **limits)


def ctc():
    c = config("lstm_ctc", "4x320 bidirectional LSTM, CTC, 32 utterances of 500 to 1000 frames",
               {"num_levels": 4, "hidden_size": 320, "bidirectional": True}, "CTC",
               {"utterances": 32, "min_frames": 500, "max_frames": 1000, "input_size": 123, "classes": 59,
                "labels_per_utterance": 100},
               stands_for="B-C4: arXiv 1806.01818, 4x320/CTC-long")
    m = Maker(2, c, 8554880, 23985, 1214.6, 8554880, 32000, 8000)
    rows = [m.row("simd", 2.444), m.row("onednn", 2.47), m.peer("torch:packed", 5.31, TORCH, steps=6),
            m.peer("torch1:packed", 6.9, TORCH1, steps=6),
            m.peer("torch:lstm", 4.1, TORCH, peer={"comparable": False, "note": "its reverse direction runs over the padding"})]
    return report(c, rows, "1a2b3c4d5e6f", compared(rows, refused=[("torch:lstm", "another function: padding")]),
                  flags=["--peers=torch"], memory_gb_per_second=MEMORY, machine={"other_cpu_seconds": 95.0})


def sweep():
    c = config("lstm_batch", "one level of 320, 1 to 128 utterances of 100 frames", {"hidden_size": 320},
               "CROSS_ENTROPY_LAST_FRAME", {"utterances": 1, "max_frames": 100, "input_size": 123, "classes": 10},
               axis="utterances a batch", point=[{"at": b, "change": {"batch": {"utterances": b}}} for b in (1, 4, 16, 64, 128)])
    rows, comparisons = [], []
    for at in (1, 4, 16, 64, 128):
        m = Maker(at, c, 571520, at * 100, .00324 * at * 100, 571520, at * 100, 200)
        here = [m.row(name, base + each * at, blocks=2, steps=5, at=at, phases=False)
                for name, base, each in (("simd", .0022, .00042), ("onednn", .0031, .00055), ("basic", .006, .0013))]
        here.append(m.peer("torch:lstm", .009 + .0009 * at, TORCH, blocks=2, steps=5, at=at))
        comparisons += [dict(one, at=at) for one in compared(here)]
        rows += here
    return report(c, rows, "1a2b3c4d5e6f", comparisons)


def loss_alone():
    c = config("ctc_loss", "CTC and its gradient alone, 32 utterances of 500 to 1000 frames", {}, "CTC",
               {"utterances": 32, "min_frames": 500, "max_frames": 1000, "classes": 59, "labels_per_utterance": 100},
               measured="LOSS")
    m = Maker(4, c, 0, 23985, 0.0, 0, 32000, 0)
    return report(c, [m.row("ctc", .0121, phases=False), m.peer("torch:ctc", .0467, TORCH)], "1a2b3c4d5e6f")


def curves():
    rng, out = random.Random(5), []
    for name, seconds in (("simd", 1.1), ("onednn", 1.4), ("blas", 1.9), ("basic", 2.7), ("fused_cell", 2.2)):
        for seed in range(1, 6):
            error, clock, epochs = 92.0, 0.0, []
            for _ in range(18):
                clock += seconds * (1 + rng.gauss(0, .02))
                error = 3.1 + (error - 3.1) * (.74 + rng.gauss(0, .025))
                epochs.append({"seconds": clock, "dev_error": error, "train_loss": error / 40})
            curve = {"implementation": name, "seed": str(seed), "epoch": epochs, "test_error": error + rng.gauss(.4, .1)}
            reached = [e["seconds"] for e in epochs if e["dev_error"] <= 6]
            if reached:
                curve["seconds_to_target"] = reached[0]
            out.append(curve)
    c = {"name": "time_to_accuracy", "summary": "digits to 6 % word errors, five rows, five seeds"}
    return report(c, [], "1a2b3c4d5e6f", curves=out, target_error=6.0)


def hostile():
    """Names that try to be markup, in every text of a report."""
    evil = "</text><script>alert(1)</script>\"'&\u202e"
    c = config(evil, evil, {"num_levels": 1, "hidden_size": 320}, "CTC",
               {"utterances": 1, "max_frames": 10, "classes": 3}, stands_for=evil)
    m = Maker(6, c, 10, 10, 1.0, 10, 10, 20)
    rows = [m.row("simd", .1, blocks=1, steps=4, note=evil), m.peer("torch:" + evil, .2, evil, blocks=1, steps=4),
            m.row(evil, .3, blocks=1, steps=4, phases=True), m.wrong("evil " + evil, evil), m.absent("tf:" + evil, evil)]
    rows[2]["phases"] = {evil: .3}
    return report(c, rows, evil, compared(rows, refused=[(evil, evil)]), flags=[evil], memory_gb_per_second=MEMORY,
                  machine={"cpu": evil, "kernel": evil, "versions": [evil], "governor": evil})


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "."
    for name, content in (("ce_long", ce_long("1a2b3c4d5e6f", memory_gb_per_second=MEMORY)), ("ce_long_before", ce_long("0f9e8d7c6b5a", 1.07)),
                          ("ctc", ctc()), ("sweep", sweep()), ("loss_alone", loss_alone()), ("curves", curves()),
                          ("hostile", hostile())):
        with open(f"{folder}/report_{name}.json", "w", encoding="utf-8") as out:
            json.dump(content, out, separators=(",", ":"))
            out.write("\n")


if __name__ == "__main__":
    main()
