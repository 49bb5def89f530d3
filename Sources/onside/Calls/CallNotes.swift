import Foundation
import ProtobufReflection
import RPC

/// What `--verbose` prints on standard error beside the responses.
struct CallNotes {
  /// Whether anything is printed.
  let isOn: Bool

  /// What is called, and with which keys: their values may be secrets.
  func show(_ method: ServiceMethod, sending metadata: Metadata) {
    guard isOn else { return }
    let (input, output) = (method.input.fullName, method.output.fullName)
    line(
      "method: \(method.service.fullName)/\(method.name)"
        + " (\(method.isClientStreaming ? "stream " : "")\(input))"
        + " returns (\(method.isServerStreaming ? "stream " : "")\(output))")
    for entry in metadata.entries { line("sent: \(entry.key)") }
  }

  /// What the server sent, each entry as `WHAT: KEY: VALUE`; bytes are in base64.
  func show(_ metadata: Metadata, as what: String) {
    guard isOn else { return }
    for entry in metadata.entries {
      switch entry.value {
      case .ascii(let text): line("\(what): \(entry.key): \(text)")
      case .binary(let bytes):
        line("\(what): \(entry.key): \(Data(bytes).base64EncodedString()) (base64)")
      }
    }
  }

  private func line(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
