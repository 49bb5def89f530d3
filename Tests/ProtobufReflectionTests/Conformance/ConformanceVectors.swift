import TestSupport
import Foundation
import Testing

/// The cases of the official suite, read in place from the public data beside the package.
struct ConformanceVectors {
  /// A format of a payload.
  enum Payload: Sendable {
    case binary([UInt8])
    case json(String)
  }

  struct Case: Sendable {
    let name: String
    let payload: Payload
    /// What is asked for: "json" or "protobuf".
    let output: String
    /// nil: the payload can't be read, or has no form in the output's format.
    let reference: Payload?

    /// The part of the name that says what the case is about.
    var title: String {
      let parts = name.split(separator: ".").map(String.init)
      return parts.last { !$0.hasSuffix("Output") } ?? name
    }
  }

  static let path = Folders.shared.appending(path: "conformance/vectors-v21.12.json.gz").path

  /// The proto3 cases.
  static func proto3() async throws -> [Case] {
    let unpacked = try await Program.run(["gzip", "-dc", path])
    try #require(unpacked.status == 0, "\(unpacked.errors)")
    let rows = try JSONDecoder().decode([Row].self, from: Data(unpacked.output))
    return rows.filter { $0.message == "TestAllTypesProto3" }.map { row in
      let payload: Payload =
        row.input == "json"
        ? .json(String(decoding: hex(row.payload), as: UTF8.self)) : .binary(hex(row.payload))
      return Case(
        name: row.test, payload: payload, output: row.output,
        reference: row.expect.protobuf.map { .binary(hex($0)) } ?? row.expect.json.map { .json($0) }
      )
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
    let json: String?
  }
}
