#!/usr/bin/env bash
# Installs the Debian packages that are missing, by name.
#
#   Scripts/setup.sh          what building and testing need; a browser is among it
#   Scripts/setup.sh demo     what the demo needs: no browser
#   Scripts/setup.sh bench    what the benchmark peers need, too: no browser
#
# Nothing is installed, and no privileges are needed, if all are there. A Swift toolchain (6.2 or
# later) has to be there already.

set -euo pipefail

packages=(
  build-essential pkg-config libssl-dev zlib1g-dev libsqlite3-dev
  openssl ca-certificates protobuf-compiler libprotobuf-dev python3 python3-protobuf
  python3-cryptography sqlite3 procps util-linux iproute2
)
case "${1:-}" in
  "") packages+=(chromium) ;;
  demo) ;;
  bench) packages+=(libgrpc++-dev protobuf-compiler-grpc) ;;
  *)
    echo "usage: Scripts/setup.sh [demo|bench]" >&2
    exit 2
    ;;
esac

if ! command -v swift > /dev/null; then
  echo "setup: no swift command; install a Swift toolchain for Debian 12 from swift.org" \
    "and add its usr/bin folder to PATH" >&2
  exit 1
fi

if ! command -v dpkg-query > /dev/null; then
  echo "setup: not a Debian system; install what these packages contain:" \
    "${packages[*]}" >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || true)
  [[ $state == installed ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo > /dev/null; then
    echo "setup: missing packages; run as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "setup: installing ${missing[*]}"
# Package lists that are there often suffice; a stale or empty one is fetched anew.
install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends)
if ! "${as_root[@]}" "${install[@]}" "${missing[@]}"; then
  "${as_root[@]}" apt-get update
  "${as_root[@]}" "${install[@]}" "${missing[@]}"
fi
