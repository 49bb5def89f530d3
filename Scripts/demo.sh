#!/usr/bin/env bash
# Starts a server and loads it for a few seconds with each of four scenarios; then one table.
#
#   Scripts/demo.sh
#
# DEMO_SECONDS (5), DEMO_WARMUP (1) and DEMO_CONNECTIONS (64) may be set. Everything that is started
# is stopped at the end, on an error and on Ctrl-C; the store lives in a temporary folder.

set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${DEMO_SECONDS:-5}
warmup=${DEMO_WARMUP:-1}
connections=${DEMO_CONNECTIONS:-64}
scenarios=(session-return session-create product-filter purchase)

say() { echo "demo: $*" >&2; }

folder=""
server=""
clean_up() {
  local status=$?
  trap - EXIT INT TERM HUP
  if [[ -n $server ]] && kill -0 "$server" 2> /dev/null; then
    kill -TERM "$server" 2> /dev/null || true
    # It drains; one that doesn't end is ended.
    for _ in $(seq 100); do
      kill -0 "$server" 2> /dev/null || break
      sleep 0.1
    done
    kill -KILL "$server" 2> /dev/null || true
    wait "$server" 2> /dev/null || true
  fi
  [[ -z $folder ]] || rm -rf "$folder"
  exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

Scripts/setup.sh demo
say "building in release mode"
swift build -c release --product onside-server >&2
swift build -c release --product onside-load >&2
binaries=$(swift build -c release --show-bin-path)
Scripts/certs.sh >&2

folder=$(mktemp -d)
catalogue=Examples/catalogues/shop.jsonl
mkfifo "$folder/stdout"
"$binaries/onside-server" --listen 127.0.0.1:0 \
  --certificate Certs/dev/server.pem --key Certs/dev/server.key \
  --catalogue "$catalogue" --store "sqlite:$folder/store.sqlite" \
  > "$folder/stdout" 2> "$folder/server.log" &
server=$!

# The server says where it listens; if it ends first, the end of its output is read.
address=""
while read -r line; do
  case $line in
    "listening on "*)
      address=${line#listening on }
      break
      ;;
  esac
done < "$folder/stdout"
if [[ -z $address ]]; then
  say "the server didn't start:"
  cat "$folder/server.log" >&2
  exit 1
fi
say "the server listens on $address"

failed=0
reports=()
for scenario in "${scenarios[@]}"; do
  status=0
  more=()
  [[ $scenario != product-filter && $scenario != purchase ]] || more=(--products "$catalogue")
  report="$folder/$scenario.json"
  "$binaries/onside-load" run "$scenario" --target "$address" --ca Certs/dev/ca.pem \
    --connections "$connections" --duration "$seconds" --warmup "$warmup" \
    --server-pid "$server" --json "$report" "${more[@]}" > "$folder/$scenario.txt" || status=$?
  if [[ $status -ne 0 ]]; then
    cat "$folder/$scenario.txt" >&2
    say "$scenario failed (exit code $status); the server's last lines:"
    tail -n 20 "$folder/server.log" >&2
    # Interrupted, or without a result: there is no use in going on.
    [[ $status -ne 130 && -s $report ]] || exit "$status"
    failed=$status
  fi
  reports+=("$report")
done

echo
"$binaries/onside-load" table "${reports[@]}"
exit "$failed"
