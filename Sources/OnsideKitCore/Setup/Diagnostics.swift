import Foundation

/// What a developer has to know and no function can say.
enum Diagnostics {
  /// Writes one line to standard error.
  static func report(_ problem: String) {
    FileHandle.standardError.write(Data("OnsideKit: \(problem)\n".utf8))
  }
}
