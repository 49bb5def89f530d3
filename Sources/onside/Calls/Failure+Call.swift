import Flags
import ProtobufReflection
import RPC

extension Failure {
  /// How a call of any method failed: code and text, and below them the details as JSON.
  ///
  /// - Parameter types: What the details may be made of; nil: they are left out.
  init(_ error: RPCError, types: DescriptorPool?) {
    var lines = ["\(error.code): \(error.message)"]
    if error.phase != .answered {
      lines[0] += " (\(error.phase)\(error.wasStarted ? "" : ", not started"))"
    }
    for detail in error.details {
      if let text = types.flatMap({ Self.text(detail, $0) }) { lines.append("  " + text) }
    }
    self.init(Self.exitCode(error), lines.joined(separator: "\n"))
  }

  private static func exitCode(_ error: RPCError) -> ExitCode {
    switch error.phase {
    case .answered: .refused
    case .handshake: .certificate
    case .resolving, .connecting: .address
    default: .failure
    }
  }

  /// A detail as an `Any` in JSON.
  private static func text(_ detail: StatusDetail, _ types: DescriptorPool) -> String? {
    guard let type = types.message(named: "google.protobuf.Any") else { return nil }
    var any = DynamicMessage(type)
    any["type_url"] = .single(.string(detail.typeURL))
    any["value"] = .single(.bytes(detail.value))
    var options = JSONWritingOptions()
    options.isIndented = false
    options.showsUnknownAny = true
    return try? any.json(options: options)
  }
}
