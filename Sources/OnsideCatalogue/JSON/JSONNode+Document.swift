extension JSONNode {
  /// Reads a whole text: one value, and nothing but white space behind it.
  package init(document text: [UInt8]) throws(CatalogueProblem) {
    // The scanner decodes strings in place.
    var text = text
    let result = text.withUnsafeMutableBytes { bytes in
      Result { () throws(CatalogueProblem) in
        var scanner = JSONScanner(bytes)
        let node = try JSONNode(&scanner)
        try scanner.finish()
        return node
      }
    }
    self = try result.get()
  }
}
