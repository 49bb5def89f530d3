/// A place in a JSON text.
struct JSONPosition: Hashable {
  /// From 1.
  let line: Int

  /// In bytes, from 1.
  let column: Int

  /// The text isn't JSON here.
  func malformed(_ reason: String) -> CatalogueProblem {
    CatalogueProblem(.malformed, reason, at: self)
  }

  /// The value that is here can't be used.
  func invalid(_ reason: String) -> CatalogueProblem {
    CatalogueProblem(.invalidValue, reason, at: self)
  }
}
