#!/bin/bash
# Tries Earshot as a new user would: in a bare Debian 12 root made with debootstrap, from a clone of
# the committed state, with the README's own commands. Prints the wall time of each and from the
# clone to the first %WER line.
#
#   tools/try_bare_debian.sh [--root=FOLDER] [--keep] [--reuse] ['COMMAND'...]
#
# --root   where the root is made (default: a new folder under /tmp; about 3 GB)
# --keep   leaves it there afterwards; --reuse goes on in one that --keep left (installs nothing new)
# COMMAND  what to run instead of the README's commands
# Needs root, debootstrap and git. The mirror is the one this machine's apt uses.
set -euo pipefail

source_dir="$(cd "$(dirname "$0")/.." && pwd)"
root="" keep="" reuse="" commands=()
for argument in "$@"; do
  case "${argument}" in
    --root=*) root="${argument#*=}" ;;
    --keep) keep=1 ;;
    --reuse) reuse=1 keep=1 ;;
    -*) echo "unknown option ${argument}; see the head of $0" >&2; exit 2 ;;
    *) commands+=("${argument}") ;;
  esac
done

[[ "${EUID}" == 0 ]] || { echo "SKIPPED: a bare root needs root (chroot, mounts)"; exit 3; }
for program in debootstrap git unshare; do
  command -v "${program}" >/dev/null || { echo "SKIPPED: ${program} is missing"; exit 3; }
done
root="${root:-$(mktemp -d /tmp/bare_debian.XXXXXX)}"
mkdir -p "${root}"

# The commands of README's first command block, in its order.
if [[ ${#commands[@]} == 0 && -f "${source_dir}/README.md" ]]; then
  mapfile -t commands < <(awk '/^```/ { n++; next } n == 1 && /^tools\/bazel / { print }
                               n > 1 { exit }' "${source_dir}/README.md")
fi
[[ ${#commands[@]} == 0 ]] && commands=('tools/bazel test //...')

step() { printf '\n== %s\n' "$*"; }

if [[ -z "${reuse}" ]]; then
  mirror="$(apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' \
    'Created-By: Packages' | awk '$1 == "bookworm" && $2 == "main" { print $3; exit }')"
  [[ -n "${mirror}" ]] || { echo "SKIPPED: apt here knows no Debian 12 (bookworm)"; exit 3; }
  step "debootstrap --variant=minbase bookworm ${root}"
  start="${SECONDS}"
  debootstrap --variant=minbase bookworm "${root}" "${mirror}" >"${root}.log" 2>&1 ||
    { tail -20 "${root}.log"; exit 1; }
  rm -f "${root}.log"
  echo "$((SECONDS - start)) s, $(chroot "${root}" dpkg-query -W | wc -l) packages"
  # The same package sources as here; nothing else of this machine.
  rm -rf "${root}/etc/apt"
  cp -a /etc/apt "${root}/etc/apt"
fi
cp -L /etc/resolv.conf /etc/hosts "${root}/etc/"

step "git clone of $(git -C "${source_dir}" rev-parse --short HEAD)"
rm -rf "${root}/root/earshot"
git clone -q --no-hardlinks "${source_dir}" "${root}/root/earshot"

# What runs inside: times every command, and the first %WER line after the clone.
cat >"${root}/root/inside.sh" <<'INSIDE'
set -u
cd /root/earshot
begin="${SECONDS}" status=0
for command in "$@"; do
  printf '\n== %s\n' "${command}"
  start="${SECONDS}"
  bash -c "${command}" </dev/null 2>&1 | while IFS= read -r line; do
    printf '%s\n' "${line}"
    if [[ "${line}" == %WER* ]]; then echo "== from clone to WER: $((SECONDS - begin)) s"; fi
  done
  code="${PIPESTATUS[0]}"
  [[ "${code}" == 0 ]] || status=1
  echo "== exit ${code} after $((SECONDS - start)) s: ${command}"
done
echo "== all commands: $((SECONDS - begin)) s"
exit "${status}"
INSIDE

# An environment as after a login. OpenBLAS' own variables go along: some processors need them.
environment=(HOME=/root USER=root TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
mapfile -t -O "${#environment[@]}" environment < <(env | grep '^OPENBLAS_' || true)

# Own mount and process namespaces: mounts and the Bazel server are gone when this ends, however it ends.
status=0
unshare --mount --pid --fork --kill-child --propagation private bash -c '
  set -e
  root="$1"
  shift
  mount -t proc proc "${root}/proc"
  mount -t sysfs -o ro sysfs "${root}/sys"
  mount --rbind /dev "${root}/dev"
  exec chroot "${root}" env -i "$@"
' _ "${root}" "${environment[@]}" /bin/bash /root/inside.sh "${commands[@]}" || status=$?

if [[ -n "${keep}" ]]; then
  echo "kept: ${root}"
else
  rm -rf --one-file-system "${root}"
fi
exit "${status}"
