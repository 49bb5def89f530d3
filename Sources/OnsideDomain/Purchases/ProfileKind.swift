/// What a profile may do. The raw values are those of `ProfileKind` in `login.proto`.
public enum ProfileKind: UInt8, Hashable, Sendable, CaseIterable {
  /// A marketplace account of its own: everything.
  case regular = 1

  /// Signed in with the app's own account identifier: consumables through Apple Pay.
  case external = 2
}
