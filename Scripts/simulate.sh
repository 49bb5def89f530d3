#!/usr/bin/env bash
# Runs both ends of the RPC protocol over a simulated, faulty connection.
#
#   Scripts/simulate.sh [options of rpc-simulator]
#
# Builds that one program in release mode first: in debug mode it is thirty times slower.

set -euo pipefail
cd "$(dirname "$0")/.."

swift build -c release --product rpc-simulator >&2
exec "$(swift build -c release --show-bin-path)/rpc-simulator" "$@"
