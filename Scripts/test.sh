#!/usr/bin/env bash
# Runs the tests, one test target after the other: many of them open hundreds of TLS connections,
# and all targets at once would starve each other on a small machine.
#
#   Scripts/test.sh [TARGET…]     default: all folders Tests/*Tests
#
# The package has to be built (swift build --build-tests). Every target runs, also after one failed.

set -uo pipefail
cd "$(dirname "$0")/.."

targets=("$@")
if [[ ${#targets[@]} -eq 0 ]]; then
  for folder in Tests/*Tests; do targets+=("$(basename "$folder")"); done
fi

run() {
  timeout --kill-after=10 600 swift test --skip-build --disable-xctest --filter "^$1\\."
}

failed=()
for target in "${targets[@]}"; do
  echo "test: $target"
  # Tests of listeners share the machine's ports with each other: one that reached another's
  # listener is tried again, and a target that failed twice has failed.
  run "$target" || { echo "test: $target again" >&2; run "$target"; } || failed+=("$target")
done

if [[ ${#failed[@]} -gt 0 ]]; then
  echo "test: failed: ${failed[*]}" >&2
  exit 1
fi
echo "test: all ${#targets[@]} targets passed"
