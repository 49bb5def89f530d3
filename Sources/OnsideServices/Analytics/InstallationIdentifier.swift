import OnsideDomain

/// What identifiers of installations and events look like: 1 to 64 visible ASCII characters.
enum InstallationIdentifier {
  static let maximumLength = 64

  static func isValid(_ text: String) -> Bool {
    (1...maximumLength).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// What is wrong with an installation's identifier that isn't valid.
  static func problem(_ text: String) -> String {
    "installation_id \(Escaping.quoted(text)) isn't 1 to \(maximumLength) visible ASCII "
      + "characters; make one at random when the app is installed"
  }
}
