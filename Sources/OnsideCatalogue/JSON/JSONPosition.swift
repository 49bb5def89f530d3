/// A place in a JSON text.
package struct JSONPosition: Hashable, Sendable {
  /// From 1.
  package let line: Int

  /// In bytes, from 1.
  package let column: Int

  /// The text isn't JSON here.
  func malformed(_ reason: String) -> CatalogueProblem {
    CatalogueProblem(.malformed, reason, at: self)
  }

  /// The value that is here can't be used.
  func invalid(_ reason: String) -> CatalogueProblem {
    CatalogueProblem(.invalidValue, reason, at: self)
  }
}
