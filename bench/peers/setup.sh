#!/bin/bash
# Makes or completes the environment of the frameworks that `//bench:NAME --peers` times, with the versions of
# requirements.txt. About 8 GB: PyTorch's own wheel asks for its CUDA libraries, although only the CPU is used here.
#
#   bench/peers/setup.sh
#
# The rows torch1:* are not of this environment but of Debian's own: apt-get install python3-torch
#
# PYTHON     the interpreter to build on (default python3; 3.11 or later)
# EARSHOT_PEERS  the folder (default ${XDG_CACHE_HOME:-$HOME/.cache}/earshot/peers); the bench looks there too
set -euo pipefail
folder="${EARSHOT_PEERS:-${XDG_CACHE_HOME:-${HOME}/.cache}/earshot/peers}"
requirements="$(dirname "$(readlink -f "$0")")/requirements.txt"

"${PYTHON:-python3}" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  { echo "error: ${PYTHON:-python3} is not Python 3.11 or later; set PYTHON" >&2; exit 1; }
if [[ ! -x "${folder}/bin/python" ]]; then
  "${PYTHON:-python3}" -m venv "${folder}" ||
    { rm -rf "${folder}"; echo "error: no venv module; on Debian: apt-get install python3-venv" >&2; exit 1; }
fi
"${folder}/bin/python" -I -m pip install --no-cache-dir --requirement "${requirements}"
"${folder}/bin/python" -I -c 'import jax, optax, pytensor, tensorflow, torch' 2>/dev/null ||
  { echo "error: the frameworks are installed in ${folder} but do not load" >&2; exit 1; }
echo "ready: ${folder}"
