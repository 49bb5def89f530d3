/// The names of fields in JSON.
enum JSONName {
  /// The name that a field has in JSON unless its schema gives another one: without underscores,
  /// and with a capital behind each. Source: `ToJsonName` of protoc.
  static func lowerCamel(_ name: String) -> String {
    var result = ""
    var capitalizes = false
    for character in name {
      if character == "_" {
        capitalizes = true
      } else {
        result += capitalizes ? character.uppercased() : String(character)
        capitalizes = false
      }
    }
    return result
  }

  /// The name in the schema of a name in JSON, for field masks: `fooBar` → `foo_bar`.
  static func snake(_ name: some StringProtocol) -> String {
    var result = ""
    for character in name {
      if character.isASCII, character.isUppercase {
        result += "_" + character.lowercased()
      } else {
        result.append(character)
      }
    }
    return result
  }
}
