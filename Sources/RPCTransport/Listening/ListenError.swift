import Glibc

/// An address that can't be listened on.
public struct ListenError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds of errors. More may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// A short name.
    public var rawValue: String

    /// A code by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Another process listens there.
    public static let inUse = Code(rawValue: "in-use")
    /// The address isn't one of this machine's, or its name has none.
    public static let noSuchAddress = Code(rawValue: "no-such-address")
    /// The user may not listen there.
    public static let notPermitted = Code(rawValue: "not-permitted")
    /// Something else.
    public static let other = Code(rawValue: "other")
  }

  /// What kind of error it is.
  public var code: Code
  /// Where to listen.
  public var endpoint: Endpoint
  /// What is wrong and what to do, in one line.
  public var text: String

  init(_ code: Code, _ endpoint: Endpoint, _ text: String) {
    self.code = code
    self.endpoint = endpoint
    self.text = text
  }

  /// "cannot listen on 127.0.0.1:443: another process listens there; …".
  public var description: String { "cannot listen on \(endpoint): \(text)" }

  /// The error of a failed system call.
  init(_ endpoint: Endpoint, _ error: SystemError) {
    self.init(Self.code(error.code), endpoint, Self.text(error, endpoint))
  }

  private static func code(_ number: Int32) -> Code {
    switch number {
    case EADDRINUSE: .inUse
    case EADDRNOTAVAIL, EAFNOSUPPORT, ENOENT, ENOTDIR: .noSuchAddress
    case EACCES, EPERM: .notPermitted
    default: .other
    }
  }

  private static func text(_ error: SystemError, _ endpoint: Endpoint) -> String {
    switch error.code {
    case EADDRINUSE: "another process listens there; stop it or choose another address"
    case EADDRNOTAVAIL, EAFNOSUPPORT: "it is no address of this machine"
    case EACCES, EPERM:
      if case .unix = endpoint {
        "no permission to make a socket there; choose another folder"
      } else {
        "no permission; ports below 1024 need a privileged user, choose a higher one"
      }
    case ENOENT, ENOTDIR: "the folder of the socket doesn't exist"
    default: error.description
    }
  }
}
