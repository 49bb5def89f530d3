#!/usr/bin/env bash
# Runs the integration tests with ThreadSanitizer, then with AddressSanitizer.
#
#   Scripts/sanitize.sh [thread|address|all] [TARGET…]
#
# Default: all, and the targets that use sockets, TLS and threads most. The builds are kept in
# .build/sanitize-*. Nothing is suppressed; what ThreadSanitizer has to be told of Swift's runtime,
# which isn't instrumented, is in Tests/sanitizers/swift_runtime.c.
#
# One test runs after the other: with a sanitizer each takes ten times the processor, and those that
# share it with all others miss times that they have to keep.
#
# Seen on two cores that were busy with other work most of the time: a build from nothing half an
# hour (9 minutes of processor time), a target between 2 and 18 minutes. The script says it of each.

set -uo pipefail
cd "$(dirname "$0")/.."

kinds=(thread address)
case ${1:-all} in
  all) ;;
  thread | address) kinds=("$1") ;;
  *)
    echo "usage: sanitize.sh [thread|address|all] [TARGET…]" >&2
    exit 2
    ;;
esac
shift $(($# < 1 ? $# : 1))
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(RPCTransportTests RPCTests OnsideServicesTests)

# Reports end a target with the exit code 66, also those of programs that its tests start.
folder=$PWD/Tests/sanitizers
export TSAN_OPTIONS=exitcode=66:history_size=4
# No search for leaks: Swift keeps the address of an object with weak references shifted, so that
# the search finds nobody who holds it.
export ASAN_OPTIONS=exitcode=66:detect_leaks=0
export SWIFT_BACKTRACE=enable=no

failed=()
for kind in "${kinds[@]}"; do
  options=(--scratch-path ".build/sanitize-$kind" --sanitize "$kind")
  if [[ $kind == thread ]]; then
    mkdir -p ".build/sanitize-$kind"
    # Another name when it changes: the linker's inputs aren't watched.
    sum=$(cksum < "$folder/swift_runtime.c")
    object=$PWD/.build/sanitize-$kind/swift_runtime-${sum%% *}.o
    clang -c -O1 -g "$folder/swift_runtime.c" -o "$object" || exit 1
    options+=(-Xlinker "$object")
  fi
  swift build --build-tests "${options[@]}" || exit 1
  for target in "${targets[@]}"; do
    echo "sanitize: $kind: $target"
    SECONDS=0
    timeout --kill-after=10 3600 swift test --skip-build --disable-xctest --no-parallel \
      "${options[@]}" --filter "^$target\\." || failed+=("$kind:$target")
    echo "sanitize: $kind: $target: $SECONDS s"
  done
done

if [[ ${#failed[@]} -gt 0 ]]; then
  echo "sanitize: failed: ${failed[*]}" >&2
  exit 1
fi
echo "sanitize: ${kinds[*]}: nothing to report"
