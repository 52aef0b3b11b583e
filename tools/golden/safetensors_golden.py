"""Writes golden.safetensors and metadata_only.safetensors with the safetensors package (0.8.0 was used).

Usage: python3 tools/golden/safetensors_golden.py asr/checkpoint/testdata   (needs numpy and safetensors)

The package writes the two metadata entries in either order, another one from run to run; the rest is always the same.
"""
import sys

import numpy as np
from safetensors.numpy import save_file

tensors = {
    "layer.weight": np.array([[-0.2713, -0.397, -0.0841], [0.8406, 0.9688, -0.7718]], np.float32),
    "layer.bias": np.array([-0.2705, -0.2156, -0.7146], np.float32),
    "double": np.array([1 / 3, -1e300], np.float64),
    "step": np.array(123456789012345, np.int64),
    "ids": np.array([[-1, 2**31 - 1]], np.int32),
    "bytes": np.array([0, 127, 255], np.uint8),
    "nothing": np.zeros((2, 0), np.float32),
}
save_file(tensors, sys.argv[1] + "/golden.safetensors", {"run": "7", "note": 'é "\\" \n \U0001F642'})
save_file({}, sys.argv[1] + "/metadata_only.safetensors", {"run": "7", "note": "é"})
