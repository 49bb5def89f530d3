import Foundation
import Testing
import TestSupport

/// Runs `protoc` with the plugin that was just built.
enum Protoc {
  /// The plugin, beside the test program.
  static let plugin = Folders.products.appending(path: "protoc-gen-rpc-swift").path

  /// Whether protoc is installed. In CI it has to be: tests then run, and fail.
  static let isAvailable: Bool = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let found = folders.contains { FileManager.default.fileExists(atPath: "\($0)/protoc") }
    if found || ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    print("skipped: the code generator's tests need protoc (Debian: protobuf-compiler)")
    return false
  }()

  /// Generates code for one file.
  ///
  /// - Returns: The Swift source, nil when none was written, and what protoc wrote as errors.
  static func generate(
    _ proto: String, name: String = "sample.proto", options: String = ""
  ) async throws -> (source: String?, errors: String) {
    try await withFolder { folder in
      try proto.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
      let output = folder.appending(path: "out")
      try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
      var arguments = [
        "--plugin=protoc-gen-rpc-swift=\(plugin)", "-I\(folder.path)",
        "-I\(Folders.package.appending(path: "Proto").path)", "--rpc-swift_out=\(output.path)",
        name,
      ]
      if !options.isEmpty { arguments.append("--rpc-swift_opt=\(options)") }
      let errors = try await Program.run(["protoc"] + arguments).errors
      let file = output.appending(path: name.replacing(".proto", with: ".pb.swift"))
      return (try? String(contentsOf: file, encoding: .utf8), errors)
    }
  }

  /// A folder for the time of a body.
  static func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }
}
