// swift-tools-version: 6.0

import PackageDescription

// App code as it is written for the marketplace's SDK, built against both of this project's
// products, each in Swift 5 and in Swift 6 mode. The four targets have the same sources: their
// folders are links to Sources/AppCode.

func app(_ name: String, _ product: String, _ mode: SwiftLanguageMode) -> Target {
  .target(
    name: name, dependencies: [.product(name: product, package: "onside")],
    swiftSettings: [.swiftLanguageMode(mode)]
      + (product == "OnsideKitLite" ? [.define("LITE")] : []))
}

let package = Package(
  name: "AppCode",
  dependencies: [.package(name: "onside", path: "../../..")],
  targets: [
    app("AppInSwift5", "OnsideKit", .v5),
    app("AppInSwift6", "OnsideKit", .v6),
    app("LiteAppInSwift5", "OnsideKitLite", .v5),
    app("LiteAppInSwift6", "OnsideKitLite", .v6),
  ]
)
