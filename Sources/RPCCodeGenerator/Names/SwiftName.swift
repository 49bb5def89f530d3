/// Turns names of the schema into Swift's.
enum SwiftName {
  /// Words that are written in capitals where they don't begin a name.
  private static let capitals: [String: String] = [
    "id": "ID", "ids": "IDs", "url": "URL", "urls": "URLs", "uri": "URI", "http": "HTTP",
    "https": "HTTPS", "uuid": "UUID",
  ]

  /// `external_user_id` → `externalUserID`; `FIELD_NAME11` → `fieldName11`.
  static func lowerCamel(_ name: String) -> String {
    let words = words(of: name)
    guard let first = words.first else { return "_" }
    return first + words.dropFirst().map(capitalized).joined()
  }

  /// `payment_method` → `PaymentMethod`; `user_id` → `UserID`.
  static func upperCamel(_ name: String) -> String {
    let words = words(of: name)
    guard let first = words.first else { return "_" }
    return first.prefix(1).uppercased() + first.dropFirst()
      + words.dropFirst().map(capitalized).joined()
  }

  /// `PaymentMethod` → `PAYMENT_METHOD_`: what the values of an enumeration begin with by custom.
  static func valuePrefix(_ enumName: String) -> String {
    words(of: enumName).map { $0.uppercased() }.joined(separator: "_") + "_"
  }

  /// A field's, method's or value's name as an identifier: in backticks where it is a keyword, with
  /// an underscore behind it where even that doesn't help.
  static func identifier(_ name: String) -> String {
    if unusableMembers.contains(name) { return name + "_" }
    if let first = name.first, first.isNumber { return "_" + name }
    return keywords.contains(name) ? "`\(name)`" : name
  }

  /// A type's name, changed where generated code uses that name for something else.
  static func type(_ name: String) -> String {
    usedTypes.contains(name) || keywords.contains(name) ? name + "_" : name
  }

  private static func capitalized(_ word: String) -> String {
    capitals[word] ?? word.prefix(1).uppercased() + word.dropFirst()
  }

  /// Lower-case words: split at underscores, before a capital behind a lower-case letter or digit,
  /// and before the last capital of several that a lower-case letter follows.
  private static func words(of name: String) -> [String] {
    let characters = Array(name)
    var words: [String] = []
    var word = ""
    for (index, character) in characters.enumerated() {
      if character == "_" || character == "." {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      if character.isUppercase, let last = word.last, startsWord(characters, index, last) {
        words.append(word)
        word = ""
      }
      word.append(character)
    }
    if !word.isEmpty { words.append(word) }
    return words.map { $0.lowercased() }
  }

  private static func startsWord(
    _ characters: [Character], _ index: Int, _ previous: Character
  ) -> Bool {
    if previous.isLowercase || previous.isNumber { return true }
    return index + 1 < characters.count && characters[index + 1].isLowercase
  }
}
