#!/bin/sh
# Generates the Swift code of the .proto files, which is committed.
#
#   Scripts/proto.sh [--plugin FILE] [--output FOLDER]
#
# --plugin: a built protoc-gen-rpc-swift; without it, it is built. --output: what takes the place of
# the package's folder, for a test that compares. Exit codes: 0 done; 1 a tool is missing or failed;
# 2 wrong usage.
#
# The messages of the official conformance suite come from its descriptors, which are public data
# outside of the package (ONSIDE_SHARED, else ../shared); without it that code stays as it is.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
output=$root
plugin=
while [ $# -gt 0 ]; do
  case $1 in
    --plugin) plugin=${2:?--plugin needs a file}; shift 2 ;;
    --output) output=${2:?--output needs a folder}; shift 2 ;;
    *) echo "proto.sh: unknown option $1; known: --plugin FILE, --output FOLDER" >&2; exit 2 ;;
  esac
done

if ! command -v protoc >/dev/null; then
  echo "proto.sh: protoc is missing; install the Debian package protobuf-compiler" >&2
  exit 1
fi
if [ -z "$plugin" ]; then
  swift build --package-path "$root" --product protoc-gen-rpc-swift >&2
  plugin=$(swift build --package-path "$root" --show-bin-path)/protoc-gen-rpc-swift
fi

# generate FOLDER OPTIONS FILE...: replaces what FOLDER holds.
generate() {
  folder=$output/$1
  options=$2
  shift 2
  rm -rf "$folder"
  mkdir -p "$folder"
  protoc --plugin=protoc-gen-rpc-swift="$plugin" "$source" \
    --rpc-swift_opt="$options" --rpc-swift_out="$folder" "$@"
}

source=-I$root/Proto
cd "$root/Proto"
generate Sources/OnsideProto/Generated visibility=public onside/v1/*.proto
generate Sources/LoadGenerator/Generated visibility=internal onside/load/v1/*.proto
generate Sources/RPCProto/Generated visibility=public \
  rpc/v1/errors.proto rpc/v1/health.proto rpc/v1/options.proto rpc/v1/reflection.proto
generate Sources/ConformanceMessages/Generated visibility=public,services=false test/v1/*.proto
generate Tests/RPCTests/Generated visibility=internal test/echo/v1/*.proto
generate Tests/Interop/service/Generated visibility=public interop/v1/*.proto

# What every other file may import: protoc has these files, wherever it keeps them.
wellknown=$(mktemp -d)
trap 'rm -rf "$wellknown"' EXIT
files=$(for name in any descriptor duration empty field_mask struct timestamp wrappers; do
  echo "google/protobuf/$name.proto"
done)
for file in $files; do echo "import \"$file\";"; done | sed '1i syntax = "proto3";' \
  >"$wellknown/all.proto"
protoc -I"$wellknown" --include_imports -o "$wellknown/all.fds" all.proto 2>/dev/null
source=--descriptor_set_in=$wellknown/all.fds
# shellcheck disable=SC2086 # one word for each file
generate Sources/ProtobufReflection/Generated \
  visibility=public,messages=false,comments=false $files

descriptors=${ONSIDE_SHARED:-$root/../shared}/conformance/testall.fds
if [ -f "$descriptors" ]; then
  source=--descriptor_set_in=$descriptors
  generate Sources/ConformanceMessages/GeneratedFromDescriptors visibility=public,services=false \
    google/protobuf/any.proto google/protobuf/duration.proto google/protobuf/field_mask.proto \
    google/protobuf/struct.proto google/protobuf/timestamp.proto \
    google/protobuf/wrappers.proto google/protobuf/test_messages_proto3.proto
else
  echo "proto.sh: $descriptors is absent: the conformance suite's messages stay as they are" >&2
fi
