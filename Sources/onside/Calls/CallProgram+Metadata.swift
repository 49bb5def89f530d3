import Flags
import Foundation
import RPC

extension CallProgram {
  /// What goes with each call: the given headers, the session's token and the app's key. Values are
  /// secrets, and never part of an error.
  func metadata() throws(Failure) -> Metadata {
    var metadata = Metadata()
    for header in arguments[flags.header] { try add(header, to: &metadata) }
    if metadata.first("authorization") == nil, let token = try sessionToken() {
      try add("authorization", "Bearer \(token)", from: "the kept session", to: &metadata)
    }
    if metadata.first("onside-app-key") == nil, let key = try access.appKey() {
      try add("onside-app-key", key, from: "--app-key-file", to: &metadata)
    }
    return metadata
  }

  /// The token of the session with this server; a session with another server stays here.
  private func sessionToken() throws(Failure) -> String? {
    if arguments[flags.noSession] { return nil }
    let content: SessionFile.Content?
    do throws(SessionFile.Problem) {
      content = try access.sessions.load()
    } catch {
      throw Failure(error)
    }
    guard let content, content.target == arguments[options.target] else { return nil }
    guard !arguments.isGiven(options.app) || content.appID == arguments[options.app] else {
      return nil
    }
    return content.token
  }

  private func add(_ header: String, to metadata: inout Metadata) throws(Failure) {
    guard let colon = header.firstIndex(of: ":") else {
      throw Failure(.usage, "--header: expected KEY:VALUE, with a colon")
    }
    let key = header[..<colon].trimmingCharacters(in: .whitespaces).lowercased()
    let value = header[header.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    guard key.hasSuffix("-bin") else {
      return try add(key, value, from: "--header \(key)", to: &metadata)
    }
    guard let bytes = Data(base64Encoded: value) else {
      throw Failure(.usage, "--header \(key): the value has to be base64")
    }
    do {
      try metadata.add(key, binary: [UInt8](bytes))
    } catch {
      throw Failure(.usage, "--header \(key): \(Self.reason(error))")
    }
  }

  private func add(
    _ key: String, _ value: String, from source: String, to metadata: inout Metadata
  ) throws(Failure) {
    do {
      try metadata.add(key, value)
    } catch {
      throw Failure(.usage, "\(source): \(Self.reason(error))")
    }
  }

  private static func reason(_ refusal: Metadata.Refusal) -> String {
    "\(refusal): keys have 1 to 64 of a-z 0-9 . _ -, and don't begin with rpc-; values are ASCII"
  }
}
