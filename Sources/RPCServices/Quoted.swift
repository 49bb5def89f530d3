/// A name from a peer for a message: in quotes, without control characters, not longer than a line.
struct Quoted: CustomStringConvertible {
  let description: String

  init(_ name: String) {
    let shown = name.unicodeScalars.prefix(100).map { scalar in
      scalar.properties.generalCategory == .control ? "?" : String(scalar)
    }
    description = "\"\(shown.joined())\(name.unicodeScalars.count > 100 ? "…" : "")\""
  }
}
