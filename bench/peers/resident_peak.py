"""Resident memory of this process at its peak, as base/resident_peak.h counts that of ours."""
import ctypes
import gc


def status_bytes(key):
    """Of a line "KEY:   123 kB"; 0 where the kernel has none."""
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith(key + ":"):
                return int(line.split()[1]) * 1024
    return 0


def give_back():
    """What was freed, so that nobody counts it."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


class ResidentPeak:
    def __init__(self, passing):
        """`passing` bytes are resident now and will be given back."""
        give_back()
        self.before = status_bytes("VmRSS") - status_bytes("RssFile") - passing

    def begin(self):
        """The peak begins anew (man 5 proc)."""
        give_back()
        try:
            with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
                file.write("5")
        except OSError:
            pass  # then it is that since the start of the process

    def bytes(self):
        """Of the peak, above what was resident at the construction; without the programs' own files, whose pages come in
        as code is called for the first time. 0 where the kernel does not say."""
        return max(0, status_bytes("VmHWM") - status_bytes("RssFile") - self.before)
