// swift-tools-version: 6.2

import PackageDescription

/// Hand-written Swift is compiled in the Swift 6 language mode with these on top.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
]

func library(_ name: String, _ dependencies: [String] = []) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
    swiftSettings: settings)
}

func executable(_ name: String, _ dependencies: [String] = []) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
    swiftSettings: settings)
}

/// - Parameter files: in its folder and not of its sources.
func tests(_ name: String, _ dependencies: [String], files: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, exclude: files,
    swiftSettings: settings)
}

let package = Package(
  name: "onside",
  products: [
    .library(name: "ProtobufWire", targets: ["ProtobufWire"]),
    .library(name: "ProtobufReflection", targets: ["ProtobufReflection"]),
    .library(name: "RPC", targets: ["RPC", "RPCCore"]),
    .library(name: "RPCServer", targets: ["RPCServer"]),
    .library(name: "RPCServices", targets: ["RPCServices", "RPCProto"]),
    .library(name: "RPCClient", targets: ["RPCClient"]),
    .library(name: "OnsideClient", targets: ["OnsideClient"]),
    // The client library as app code knows it: the full build, and the one without Apple Pay.
    .library(name: "OnsideKit", targets: ["OnsideKit"]),
    .library(name: "OnsideKitLite", targets: ["OnsideKitLite"]),
    .executable(name: "protoc-gen-rpc-swift", targets: ["protoc-gen-rpc-swift"]),
    .executable(name: "conformance-testee", targets: ["conformance-testee"]),
    .executable(name: "rpc-simulator", targets: ["rpc-simulator"]),
    .executable(name: "onside-server", targets: ["onside-server"]),
    .executable(name: "onside-load", targets: ["onside-load"]),
    .executable(name: "onside-catalogue", targets: ["onside-catalogue"]),
    .executable(name: "rpc-bench", targets: ["rpc-bench"]),
    .executable(name: "onside", targets: ["onside"]),
    // For the fuzzers in Fuzz/, which are a package of their own.
    .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
  ],
  targets: [
    // System headers and libraries.
    .target(name: "CLinux"),
    .target(name: "CPrefetch"),
    .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),

    // The RPC runtime, from the bottom up.
    library("ProtobufWire"),
    library("RPCCore", ["ProtobufWire"]),
    library("RPC", ["RPCCore", "ProtobufWire", "CPrefetch", "CZlib"]),
    library("RPCTransport", ["CLinux", "COpenSSL", "RPCCore"]),
    library("RPCServer", ["RPC", "RPCTransport"]),
    library("RPCClient", ["RPC", "RPCProto", "RPCTransport"]),
    library("RPCSimulation", ["RPCCore"]),

    // Messages known only at run time, and the services that every server may have.
    library("ProtobufReflection", ["ProtobufWire", "JSONText"]),
    library("RPCProto", ["RPC", "ProtobufWire"]),
    library("RPCServices", ["RPCProto", "RPC", "ProtobufReflection", "ProtobufWire"]),

    // The marketplace.
    library("OnsideProto", ["RPC", "ProtobufWire"]),
    library("OnsideDomain"),
    library(
      "OnsideCatalogue", ["OnsideDomain", "OnsideProto", "ProtobufWire", "CPrefetch"]),
    library("OnsideStore", ["OnsideDomain", "CSQLite"]),
    library(
      "OnsideServices",
      [
        "OnsideDomain", "OnsideCatalogue", "OnsideStore", "OnsideProto", "RPC", "RPCServer",
        "RPCServices", "ProtobufReflection", "RPCCore", "RPCTransport", "ProtobufWire", "COpenSSL",
        "Logging",
      ]),
    library(
      "OnsideClient", ["OnsideDomain", "OnsideCatalogue", "OnsideProto", "RPC", "RPCClient"]),
    library("OnsideShop", ["OnsideClient", "OnsideCatalogue", "OnsideDomain"]),
    library(
      "OnsideKitCore",
      ["OnsideClient", "OnsideDomain", "RPC", "RPCClient", "RPCTransport"]),
    library("OnsideKit", ["OnsideKitCore"]),
    library("OnsideKitLite", ["OnsideKitCore"]),
    library("LoadReporting", ["CZlib", "JSONText"]),
    library(
      "LoadGenerator",
      [
        "LoadReporting", "OnsideClient", "OnsideProto", "OnsideDomain", "RPC", "RPCClient",
        "RPCCore", "RPCServer", "RPCTransport", "ProtobufWire",
      ]),

    // How all of them write strings in JSON.
    library("JSONText"),

    // What the executables share.
    library("Flags"),
    library("Logging", ["JSONText"]),
    library("MetricsEndpoint", ["RPCTransport", "CLinux"]),

    executable("protoc-gen-rpc-swift", ["RPCCodeGenerator"]),
    library("RPCCodeGenerator", ["ProtobufWire"]),
    executable("conformance-testee", ["ProtobufWire", "ConformanceMessages"]),
    library("ConformanceMessages", ["ProtobufWire", "ProtobufReflection"]),
    executable("rpc-simulator", ["RPCSimulation", "Flags"]),
    executable(
      "onside-server",
      [
        "OnsideServices", "OnsideCatalogue", "OnsideDomain", "RPC", "RPCServer", "RPCCore",
        "RPCTransport", "Flags", "Logging",
      ]),
    executable(
      "onside-load",
      [
        "LoadGenerator", "LoadReporting", "MetricsEndpoint", "RPCServer", "RPCTransport", "Flags",
      ]),
    executable(
      "rpc-bench",
      [
        "LoadGenerator", "LoadReporting", "OnsideProto", "RPC", "RPCClient", "RPCProto",
        "RPCServer", "RPCTransport", "Flags",
      ]),
    executable("onside-catalogue", ["OnsideCatalogue", "OnsideDomain", "Flags"]),
    executable(
      "onside",
      [
        "OnsideClient", "OnsideDomain", "OnsideProto", "OnsideShop", "ProtobufReflection",
        "ProtobufWire", "RPC", "RPCClient", "RPCProto", "RPCServices", "RPCTransport", "Flags",
      ]),

    // Counts heap allocations in test programs.
    .target(name: "CAllocations", path: "Tests/CAllocations"),
    // What several test targets share.
    .target(name: "TestProcess", path: "Tests/TestProcess", swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["TestProcess"], path: "Tests/TestSupport",
      swiftSettings: settings),

    // What fuzzers run, and the tests with the inputs that they have found.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "RPC", "RPCCore", "RPCSimulation", "ProtobufReflection", "ProtobufWire",
        "ConformanceMessages",
      ],
      path: "Tests/FuzzTargets", swiftSettings: settings),

    // Tests mirror the sources.
    tests(
      "ProtobufWireTests",
      [
        "ProtobufWire", "ConformanceMessages", "CAllocations", "conformance-testee",
        "TestProcess", "TestSupport",
      ]),
    tests(
      "ProtobufReflectionTests",
      ["ProtobufReflection", "ProtobufWire", "ConformanceMessages", "TestSupport"]),
    tests(
      "RPCCodeGeneratorTests",
      [
        "RPCCodeGenerator", "ProtobufWire", "protoc-gen-rpc-swift", "TestSupport",
      ]),
    tests("RPCCoreTests", ["RPCCore", "RPCSimulation"]),
    tests("FuzzTests", ["FuzzTargets", "TestSupport"]),
    tests(
      "RPCTransportTests",
      [
        "RPCTransport", "RPCCore", "CLinux", "COpenSSL", "TestSupport",
        "transport-fault-child",
      ]),
    // System calls that fail on demand, and the programs in which they do.
    .target(
      name: "CSystemFaults", path: "Tests/CSystemFaults",
      linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    .target(
      name: "SystemFaults", dependencies: ["CSystemFaults"], path: "Tests/SystemFaults",
      swiftSettings: settings),
    .executableTarget(
      name: "transport-fault-child",
      dependencies: ["RPCTransport", "RPCCore", "SystemFaults", "CSystemFaults"],
      path: "Tests/TransportFaultChild", swiftSettings: settings),
    .executableTarget(
      name: "rpc-fault-child",
      dependencies: [
        "RPC", "RPCClient", "RPCProto", "RPCServer", "RPCServices", "RPCTransport", "SystemFaults",
      ],
      path: "Tests/RPCFaultChild", swiftSettings: settings),
    tests(
      "RPCTests",
      [
        "RPC", "RPCProto", "RPCServer", "RPCClient", "RPCTransport", "RPCCore", "ProtobufWire",
        "CZlib", "CAllocations", "TestSupport", "rpc-fault-child",
      ], files: ["Allocations/thresholds.txt"]),
    tests(
      "RPCServicesTests",
      ["RPCServices", "RPCProto", "RPC", "ProtobufReflection", "ProtobufWire", "OnsideProto"]),
    tests("OnsideDomainTests", ["OnsideDomain", "TestSupport"]),
    tests("OnsideCatalogueTests", ["OnsideCatalogue", "OnsideProto", "TestSupport"]),
    tests(
      "OnsideStoreTests",
      [
        "OnsideStore", "OnsideDomain", "CSQLite", "CSQLiteFaults", "store-crash-child",
        "TestSupport",
      ]),
    // A file system for SQLite that counts syncs and fails on demand, and a process to be killed.
    .target(name: "CSQLiteFaults", dependencies: ["CSQLite"], path: "Tests/CSQLiteFaults"),
    .executableTarget(
      name: "store-crash-child", dependencies: ["OnsideStore", "OnsideDomain"],
      path: "Tests/StoreCrashChild", swiftSettings: settings),
    tests(
      "OnsideServicesTests",
      [
        "OnsideServices", "OnsideStore", "OnsideCatalogue", "OnsideDomain", "OnsideProto", "RPC",
        "RPCCore", "RPCServer", "RPCClient", "RPCTransport", "ProtobufWire", "Logging",
        "TestSupport",
      ]),
    tests(
      "OnsideClientTests",
      ["OnsideClient", "OnsideCatalogue", "OnsideProto", "OnsideDomain", "RPC", "TestSupport"]),
    tests("OnsideShopTests", ["OnsideShop", "OnsideClient", "OnsideDomain"]),
    tests(
      "OnsideKitTests",
      [
        "OnsideKitCore", "OnsideKit", "OnsideKitLite", "OnsideClient", "OnsideServices",
        "OnsideProto", "OnsideDomain", "OnsideCatalogue", "RPC", "RPCCore", "RPCServer",
        "RPCClient", "RPCTransport", "Logging", "TestProcess", "TestSupport",
      ]),
    tests("LoadReportingTests", ["LoadReporting", "TestProcess"]),
    tests(
      "LoadGeneratorTests",
      [
        "LoadGenerator", "LoadReporting", "OnsideProto", "ProtobufWire", "RPC", "RPCClient",
        "RPCServer", "RPCTransport", "onside-load", "onside-server", "TestProcess",
      ]),
    tests("FlagsTests", ["Flags", "Logging"]),
    tests("MetricsEndpointTests", ["MetricsEndpoint", "TestProcess"]),
    tests(
      "EndToEndTests",
      [
        "OnsideClient", "OnsideDomain", "OnsideProto", "OnsideStore", "RPC", "RPCClient",
        "RPCTransport", "LoadGenerator", "LoadReporting", "TestProcess", "onside-server",
        "onside-load", "onside",
      ]),
    // The interoperability list: its service, a server of it, and calls from Swift and from Python.
    .target(
      name: "InteropService", dependencies: ["RPC", "ProtobufWire"],
      path: "Tests/Interop/service", swiftSettings: settings),
    .executableTarget(
      name: "interop-server",
      dependencies: ["InteropService", "RPC", "RPCServer", "RPCTransport", "Flags"],
      path: "Tests/Interop/server", swiftSettings: settings),
    tests(
      "InteropTests",
      [
        "InteropService", "interop-server", "RPC", "RPCClient", "RPCTransport", "ProtobufWire",
        "TestProcess", "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
