import ProtobufReflection

/// JSON as text, made of parts that are JSON already.
enum JSONText {
  /// An object; its members keep their order.
  static func object(_ members: KeyValuePairs<StaticString, String>) -> String {
    var writer = JSONWriter()
    writer.begin("{")
    for (name, value) in members {
      writer.name("\(name)")
      writer.raw(value)
    }
    writer.end("}")
    return writer.text
  }

  static func array(_ elements: [String]) -> String {
    var writer = JSONWriter()
    writer.begin("[")
    for element in elements {
      writer.element()
      writer.raw(element)
    }
    writer.end("]")
    return writer.text
  }

  /// A string, or null.
  static func string(_ text: String?) -> String {
    text.map(JSONWriter.quoted) ?? "null"
  }
}
