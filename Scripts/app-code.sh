#!/usr/bin/env bash
# Builds the app code of Tests/Compile/AppCode as a package of its own against the library
# products OnsideKit and OnsideKitLite, in Swift 5 and Swift 6 mode.
#
# It builds the libraries anew, which takes minutes; the tests of OnsideKitTests check the same
# sources against what is built already, in seconds.

set -euo pipefail
cd "$(dirname "$0")/.."
exec "${SWIFT:-swift}" build --package-path Tests/Compile/AppCode \
  --scratch-path .build/app-code "$@"
