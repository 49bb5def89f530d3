// swift-tools-version: 6.2

import PackageDescription

// Apart from the package itself, since only a fuzzer's runtime has the `main` that this program
// lacks. Scripts/fuzz.sh builds it.
let package = Package(
  name: "onside-fuzz",
  dependencies: [.package(name: "onside", path: "..")],
  targets: [
    .executableTarget(
      name: "onside-fuzz", dependencies: [.product(name: "FuzzTargets", package: "onside")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ])
