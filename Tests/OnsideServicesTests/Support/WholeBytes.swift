import Foundation

/// All bytes of a file.
enum WholeBytes {
  static func of(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

extension [UInt8] {
  /// Whether these bytes stand anywhere in it.
  func contains(_ part: [UInt8]) -> Bool {
    Data(self).range(of: Data(part)) != nil
  }
}
