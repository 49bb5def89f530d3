#!/usr/bin/env bash
# Several machines on one: network namespaces that are joined by a bridge. The server is on one, each
# agent on one of its own, and the coordinator on the machine with the bridge.
#
#   machines.sh BINARIES CERTIFICATES AGENTS CUT [FLAG…]
#
# BINARIES: a folder with onside-server and onside-load. CERTIFICATES: one with what certs.sh makes.
# CUT: the number of the agent (from 1) whose link is cut when the load has gone on for two seconds;
# 0: none. FLAG: further ones for `onside-load run`. Writes the report in JSON to standard output, and
# ends with the exit code of the run; 77: namespaces can't be made here.
#
# It has to run in a user namespace of its own, so that nothing of the machine is touched and all is
# gone when it ends:  unshare --map-root-user --net --mount --pid --fork --kill-child machines.sh …

set -euo pipefail
binaries=$1 certificates=$2 agents=$3 cut=$4
shift 4
work=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$work"' EXIT

unable() {
  echo "machines.sh: $1" >&2
  exit 77
}

mount -t tmpfs none /run 2> /dev/null || unable "/run can't be mounted"
# With the numbers that processes have in here: the run time looks its own threads up.
mount -t proc proc /proc 2> /dev/null || unable "/proc can't be mounted"
mkdir -p /run/netns
ip link set lo up || unable "there is no network of its own"
ip link add bridge type bridge 2> /dev/null || unable "a bridge can't be made"
ip addr add 10.77.0.1/24 dev bridge
ip link set bridge up

# machine NAME NUMBER: joined to the bridge as 10.77.0.NUMBER
machine() {
  ip netns add "$1" 2> /dev/null || unable "a network namespace can't be made"
  ip link add "to-$1" type veth peer name eth0 netns "$1"
  ip link set "to-$1" master bridge up
  ip -n "$1" addr add "10.77.0.$2/24" dev eth0
  ip -n "$1" link set eth0 up
  ip -n "$1" link set lo up
}

# on NAME COMMAND…: runs it there, and waits until it says where it listens
on() {
  local name=$1 line
  shift
  mkfifo "$work/$name"
  ip netns exec "$name" "$@" > "$work/$name" 2>> "$work/$name.log" &
  if ! read -r line < "$work/$name" || [[ $line != "listening on "* ]]; then
    cat "$work/$name.log" >&2
    exit 1
  fi
}

machine server 2
on server "$binaries/onside-server" --listen 10.77.0.2:9443 --loops 1 --store memory \
  --certificate "$certificates/server.pem" --key "$certificates/server.key"

names=()
for number in $(seq "$agents"); do
  machine "agent$number" $((10 + number))
  on "agent$number" "$binaries/onside-load" agent --listen "10.77.0.$((10 + number)):9444" \
    --certificate "$certificates/server.pem" --key "$certificates/server.key" \
    --client-ca "$certificates/ca.pem"
  names+=("10.77.0.$((10 + number)):9444")
done

mkfifo "$work/progress"
"$binaries/onside-load" run session-return --target 10.77.0.2:9443 \
  --ca "$certificates/ca.pem" --server-name localhost \
  --agents "$(IFS=,; echo "${names[*]}")" --agent-ca "$certificates/ca.pem" \
  --agent-certificate "$certificates/client.pem" --agent-key "$certificates/client.key" \
  --agent-name localhost --connections 6 --users 60 --json "$work/report.json" "$@" \
  > "$work/report.txt" 2> "$work/progress" &
run=$!

seconds=0
while read -r line; do
  echo "$line" >&2
  [[ $line != *"/s "*p50* ]] || seconds=$((seconds + 1))
  if [[ $cut -gt 0 && $seconds -eq 2 ]]; then
    ip link set "to-agent$cut" down
    cut=0
  fi
done < "$work/progress"
status=0
wait "$run" || status=$?
cat "$work/report.txt" >&2
[[ ! -s $work/report.json ]] || cat "$work/report.json"
# What an agent says when its coordinator is gone is on its own machine.
for number in $(seq "$agents"); do sed "s/^/agent$number: /" "$work/agent$number.log" >&2; done
exit "$status"
