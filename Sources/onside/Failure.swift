import Flags
import OnsideClient
import RPC

/// Why the program ends, in one line, and with which exit code.
struct Failure: Error {
  let code: ExitCode
  let message: String

  init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = Self.harmless(message)
  }

  /// Without control characters: terminals obey them, and names and texts may be a server's.
  static func harmless(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          scalar.properties.generalCategory == .control && scalar != "\n" ? "?" : scalar
        }))
  }

  init(_ problem: SessionFile.Problem) {
    self.init(.file, problem.description)
  }

  init(_ error: OnsideError) {
    self.init(Self.code(error), error.description)
  }

  private static func code(_ error: OnsideError) -> ExitCode {
    switch error.code {
    case .notSignedIn, .sessionLost: .session
    case .refused, .alreadySignedIn: .refused
    case .unavailable: unreachable(error.cause)
    default: .failure
    }
  }

  /// What kept the program from reaching the server.
  private static func unreachable(_ error: RPCError?) -> ExitCode {
    switch error?.phase {
    case .handshake: .certificate
    case .resolving, .connecting: .address
    default: .failure
    }
  }
}
