#!/usr/bin/env bash
# Lets a fuzzer loose on one target, with AddressSanitizer.
#
#   Scripts/fuzz.sh TARGET [SECONDS] [options of libFuzzer]
#
# TARGET: frames, messages, json, descriptors, inflate, metadata or simulation. SECONDS: 60 if not given.
# Inputs that reach new code are kept in .build/fuzz-corpus/TARGET; the run begins with those and
# with Tests/Fuzz/corpus/TARGET. An input that crashes is put into Tests/Fuzz/crashers/TARGET, where
# `make test` runs it from then on; the exit code is 1.
#
# Scripts/fuzz.sh --minimize TARGET: makes Tests/Fuzz/corpus/TARGET anew of the smallest inputs that
# reach what all known ones do.

set -euo pipefail
cd "$(dirname "$0")/.."

minimize=""
if [[ ${1:-} == --minimize ]]; then
  minimize=yes
  shift
fi
target=${1:?"usage: fuzz.sh [--minimize] TARGET [SECONDS]"}
seconds=${2:-60}
shift $(($# < 2 ? $# : 2))

build=(swift build --package-path Fuzz --scratch-path .build/fuzz -c release
  --sanitize fuzzer --sanitize address --product onside-fuzz)
"${build[@]}" >&2
binary=$("${build[@]}" --show-bin-path)/onside-fuzz

corpus=Tests/Fuzz/corpus/$target
crashers=Tests/Fuzz/crashers/$target
found=.build/fuzz-corpus/$target
mkdir -p "$corpus" "$crashers" "$found"
export FUZZ_TARGET=$target
# A trap says where it was; leaks of the Swift runtime's own start-up aren't of interest.
export ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no

if [[ -n $minimize ]]; then
  merged=$(mktemp -d)
  trap 'rm -rf "$merged"' EXIT
  "$binary" -merge=1 -max_len=2048 "$merged" "$corpus" "$found"
  rm -rf "$corpus"
  mkdir -p "$corpus"
  # Few and short ones: `make test` runs them all.
  find "$merged" -type f -size -4k -printf '%s %p\n' | sort -n | awk 'NR <= 150' |
    while read -r _ file; do cp "$file" "$corpus/"; done
  du -sh "$corpus"
  exit 0
fi

"$binary" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
  -artifact_prefix="$crashers/" "$@" "$found" "$corpus" || {
  echo "fuzz: $target: see the newest file in $crashers" >&2
  exit 1
}
