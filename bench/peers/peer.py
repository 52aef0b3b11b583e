"""One framework's training step, driven by bench/peer_process.h, which starts it: peer.py FRAMEWORK:LAYER THREADS.

Requests come on standard input, answers go to standard output: a line of JSON (PeerRequest and PeerReply of
bench/peer.proto), then as many float32 as its field `floats` says. Everything else a framework prints goes to standard
error. The end of the input ends the program.

A framework has a file FRAMEWORK_steps.py with VERSION and a class Peer(layer, network, flat, threads):
  parameters, redundant_parameters   trained ones; those held besides, at 0 and untrained
  flushes_denormals                  found to be so in the framework's own threads
  set_batch(batch), different(batch)  all that must not be timed, as compiling; why it computes another function, or None
  step()                             one whole update; returns the loss before it when all is done
  losses(), gradients()              of each utterance [B]; of the first step, in the order of the parameters
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
    def __init__(self, framework, layer, threads):
        self.framework, self.layer, self.threads = framework, layer, threads

    def load(self, request, floats):
        import network
        try:
            steps = __import__(self.framework + "_steps")
        except ImportError as e:
            raise network.Unsupported(f"does not load ({e}): run bench/peers/setup.sh") from e
        self.peer = None  # frees the one before
        self.network = network.Network(request["config"])
        self.peer = steps.Peer(self.layer, self.network, floats.copy(), self.threads)
        return {"version": steps.VERSION, "parameters": self.peer.parameters,
                "redundant_parameters": self.peer.redundant_parameters,
                "flush_denormals": self.peer.flushes_denormals}, None

    def batch(self, request, floats):
        import network
        labels = [row.get("label", []) for row in request["labels"]]
        batch = network.Batch(self.network, request["lengths"], labels, floats)
        self.peer.set_batch(batch)
        different = self.peer.different(batch)
        return ({"another_function": different} if different else {}), None

    def step(self, request, floats):
        start = time.perf_counter()
        loss = self.peer.step()
        return {"seconds": time.perf_counter() - start, "loss": loss if math.isfinite(loss) else "NaN"}, None

    def losses(self, request, floats):
        return {}, self.peer.losses()

    def gradients(self, request, floats):
        return {}, self.peer.gradients()

    def answer(self, request, floats):
        import network
        try:
            kind = request["kind"]
            return {"LOAD": self.load, "BATCH": self.batch, "STEP": self.step, "LOSSES": self.losses,
                    "GRADIENTS": self.gradients}[kind](request, floats)
        except network.Unsupported as e:
            return {"unsupported": str(e)}, None
        except Exception as e:  # pylint: disable=broad-except
            traceback.print_exc()
            return {"error": f"{type(e).__name__}: {e}"[:500]}, None


def main():
    framework, layer = sys.argv[1].split(":")
    sys.dont_write_bytecode = True  # beside the scripts, that is in the sources
    sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    set_environment(sys.argv[2])
    flush_denormals()
    import numpy as np
    worker = Worker(framework, layer, int(sys.argv[2]))
    for line in sys.stdin.buffer:
        request = json.loads(line)
        floats = np.frombuffer(sys.stdin.buffer.read(4 * int(request.get("floats", 0))), np.float32)
        reply, array = worker.answer(request, floats)
        if array is not None:
            array = np.ascontiguousarray(array, np.float32)
            reply["floats"] = array.size
        replies.write(json.dumps(reply).encode() + b"\n")
        if array is not None:
            replies.write(array.tobytes())
        replies.flush()


if __name__ == "__main__":
    main()
