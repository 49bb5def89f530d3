import RPCCore

extension Metadata {
  /// Adds the entries of another metadata behind the own ones, as many as there is room for.
  package mutating func append(contentsOf other: Metadata) {
    for entry in other.entries {
      do throws(Metadata.Refusal) {
        switch entry.value {
        case .ascii(let text): try add(entry.key, text)
        case .binary(let bytes): try add(entry.key, binary: bytes)
        }
      } catch {
        // Entries of a Metadata are valid, so that only their number can be refused.
        return
      }
    }
  }
}
