import Foundation

/// Type-checks sources against the modules that this package was built into.
struct Compiler {
  /// Where the modules are, and the maps of the C modules that they need.
  private let arguments: [String]

  /// Nil, with the reason, where the modules can't be found.
  init() throws {
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    let beside = program.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    let folders = [beside, Package.root + "/.build/debug"].compactMap { $0 }
    let folder = folders.first {
      FileManager.default.fileExists(atPath: $0 + "/Modules/OnsideKit.swiftmodule")
    }
    guard let folder else {
      throw KitFailure("no OnsideKit.swiftmodule in \(folders.joined(separator: " or "))/Modules")
    }
    let maps = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .map { "\(folder)/\($0)/module.modulemap" }
      .filter { FileManager.default.fileExists(atPath: $0) }
    arguments =
      ["-I", folder + "/Modules"] + maps.flatMap { ["-Xcc", "-fmodule-map-file=" + $0] }
  }

  /// What the compiler says; `modules` are folders that go before the package's.
  func check(
    _ sources: [String], mode: String, modules: [String] = [], _ flags: [String] = []
  ) async throws -> (status: Int32, output: String) {
    try await Program.run(
      ["swiftc", flags.contains("-emit-module") ? "" : "-typecheck", "-swift-version", mode]
        .filter { !$0.isEmpty } + flags + modules.flatMap { ["-I", $0] } + arguments + sources)
  }
}

/// Swift files of a folder of this package, with those in its folders.
func sources(in folder: String) throws -> [String] {
  let root = Package.root + "/" + folder
  guard let files = FileManager.default.enumerator(atPath: root) else {
    throw KitFailure("\(root) can't be read")
  }
  let names = files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
  return names.sorted().map { root + "/" + $0 }
}
