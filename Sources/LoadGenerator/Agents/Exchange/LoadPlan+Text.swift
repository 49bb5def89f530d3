import FoundationEssentials

extension LoadPlan {
  /// The plan as JSON, for an agent of the same build. Nothing of it is lost.
  ///
  /// - Throws: `EncodingError` if a number of it is infinite or none.
  func text() throws -> String {
    String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
  }

  /// Reads what ``text()`` wrote.
  ///
  /// - Throws: `DecodingError` that says where the text isn't what was expected.
  init(text: String) throws {
    self = try JSONDecoder().decode(LoadPlan.self, from: Data(text.utf8))
  }
}
