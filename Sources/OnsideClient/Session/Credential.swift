/// What a user signs in with. Codes are never part of a description.
public enum Credential: Sendable, Hashable {
  /// The app's own identifier of its user. An empty one is sent as it is, and refused by the
  /// service. Makes an external profile.
  case externalUserID(String)

  /// A code that was sent to the user's phone. Makes a regular profile.
  case phone(challengeID: String, code: String)

  /// What the store app's callback brought. Makes a regular profile.
  case store(loginID: String, code: String)
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The way to sign in, without the proof.
  public var description: String {
    switch self {
    case .externalUserID(let identifier): "external account \(identifier)"
    case .phone: "phone"
    case .store: "store app"
    }
  }

  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}
