"""One framework's training step, driven by bench/peer_process.h, which starts it: peer.py FRAMEWORK:LAYER THREADS REMEDY.

REMEDY says how to get the framework, should it not be here.
Requests come on standard input, answers go to standard output: a line of JSON (PeerRequest and PeerReply of
bench/peer.proto), then as many float32 as its field `floats` says. Everything else a framework prints goes to standard
error. The end of the input ends the program.

A framework has a file FRAMEWORK_steps.py with VERSION and a class Peer(layer, network, flat, threads):
  parameters, redundant_parameters   trained ones; those held besides, at 0 and untrained
  macs_per_frame                     multiply-adds a frame, by the shapes of the weights that it holds
  flushes_denormals                  found to be so in the framework's own threads
  set_batch(batch), different(batch)  all that must not be timed, as compiling; why it computes another function, or None
  step()                             one whole update; returns the loss before it when all is done
  losses(), gradients()              of each utterance [B]; of the first step, in the order of the parameters
and, for the layer "loss", a class Loss(network, threads) of the same kind: its batch's features are logits, a step is
their losses and gradient [N, C], without an update.
Its layers are listed in bench/peer_subject.cc; bench/peers_test.cc checks each against the reference.
"""
import ctypes
import json
import math
import mmap
import os
import platform
import sys
import time
import traceback


def set_environment(threads):
    """Before anything that reads it is loaded: the machine's own defaults, `threads` threads, no GPU."""
    for name in list(os.environ):
        if name.startswith(("OPENBLAS_", "MKL_", "OMP_", "GOMP_", "KMP_", "XLA_", "TF_", "JAX_", "TORCH_")):
            del os.environ[name]
    os.environ.update(OMP_NUM_THREADS=threads, NPROC=threads, PJRT_NPROC=threads, JAX_PLATFORMS="cpu",
                      CUDA_VISIBLE_DEVICES="", TF_CPP_MIN_LOG_LEVEL="2", KERAS_BACKEND="tensorflow")
    if threads == "1":
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"


def flush_denormals():
    """FTZ and DAZ in this thread; on Linux the threads that it starts later inherit them."""
    if platform.machine() != "x86_64":
        return
    code = bytes.fromhex("0fae5c24fc"          # stmxcsr [rsp-4]
                         "814c24fc40800000"    # or dword [rsp-4], 0x8040
                         "0fae5424fc" "c3")    # ldmxcsr [rsp-4]; ret
    memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(code)
    ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))()


class Worker:
    def __init__(self, name, threads, remedy):
        self.framework, self.layer = name.split(":")
        self.threads, self.remedy = threads, remedy

    def load(self, request, floats):
        if (self.layer == "loss") != (request["config"].get("measured") == "LOSS"):
            return {"unsupported": "computes the loss alone" if self.layer == "loss" else
                                   "computes whole training steps, not the loss alone"}, None
        try:
            import network
            from resident_peak import ResidentPeak
            steps = __import__(self.framework + "_steps")
        except ImportError as e:
            return {"unsupported": f"does not load ({e}): {self.remedy}"}, None
        self.peer = None  # frees the one before
        self.network = network.Network(request["config"])
        make = lambda: (steps.Loss(self.network, self.threads) if self.layer == "loss" else
                        steps.Peer(self.layer, self.network, network.floats(floats), self.threads))
        make()  # for nothing: what the framework imports at its first use is no memory of a network
        self.memory = ResidentPeak(passing=len(floats))
        self.peer = make()
        return {"version": steps.VERSION, "parameters": self.peer.parameters,
                "redundant_parameters": self.peer.redundant_parameters,
                "macs_per_frame": self.peer.macs_per_frame,
                "flush_denormals": self.peer.flushes_denormals}, None

    def batch(self, request, floats):
        import network
        labels = [row.get("label", []) for row in request["labels"]]
        batch = network.Batch(self.network, request["lengths"], labels, network.floats(floats))
        self.peer.set_batch(batch)
        different = self.peer.different(batch)
        self.memory.begin()
        return ({"another_function": different} if different else {}), None

    def step(self, request, floats):
        start = time.perf_counter()
        loss = self.peer.step()
        seconds = time.perf_counter() - start
        return {"seconds": seconds, "loss": loss if math.isfinite(loss) else "NaN",
                "memory_bytes": self.memory.bytes()}, None

    def losses(self, request, floats):
        return {}, self.peer.losses()

    def gradients(self, request, floats):
        return {}, self.peer.gradients()

    def answer(self, request, floats):
        """A reply and its floats, an array or None."""
        from unsupported import Unsupported
        try:
            kind = request["kind"]
            return {"LOAD": self.load, "BATCH": self.batch, "STEP": self.step, "LOSSES": self.losses,
                    "GRADIENTS": self.gradients}[kind](request, floats)
        except Unsupported as e:
            return {"unsupported": str(e)}, None
        except Exception as e:  # pylint: disable=broad-except
            traceback.print_exc()
            return {"error": f"{type(e).__name__}: {e}"[:500]}, None


def main():
    name, threads, remedy = sys.argv[1:]
    sys.dont_write_bytecode = True  # beside the scripts, that is in the sources
    sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    set_environment(threads)
    flush_denormals()
    worker = Worker(name, int(threads), remedy)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        floats = sys.stdin.buffer.read(4 * int(request.get("floats", 0)))
        reply, array = worker.answer(request, floats)
        data = b"" if array is None else array.astype("f4").tobytes()
        replies.write(json.dumps(dict(reply, floats=len(data) // 4)).encode() + b"\n" + data)
        replies.flush()


if __name__ == "__main__":
    main()
