import TestSupport
import Foundation
import Testing

/// The cases of the official suite, read in place from the public data beside the package.
struct ConformanceVectors {
  struct Case: Sendable {
    let name: String
    let payload: [UInt8]
    /// nil: the payload has to be refused.
    let reference: [UInt8]?
  }

  static let path = Folders.shared.appending(path: "conformance/vectors-v21.12.json.gz").path

  /// The proto3 cases with binary input and output.
  static func proto3Binary() async throws -> [Case] {
    let unpacked = try await Program.run(["gzip", "-dc", path])
    try #require(unpacked.status == 0, "\(unpacked.errors)")
    let rows = try JSONDecoder().decode([Row].self, from: Data(unpacked.output))
    return rows.filter {
      $0.message == "TestAllTypesProto3" && $0.input == "protobuf" && $0.output == "protobuf"
    }.map { row in
      Case(
        name: row.test, payload: hex(row.payload), reference: row.expect.protobuf.map { hex($0) })
    }
  }

  private struct Row: Decodable {
    let test: String
    let message: String
    let input: String
    let output: String
    let payload: String
    let expect: Expectation
  }

  private struct Expectation: Decodable {
    let protobuf: String?
  }
}
