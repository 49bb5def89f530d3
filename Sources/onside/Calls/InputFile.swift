import Flags
import Foundation

/// Files that the command line names.
enum InputFile {
  /// Reads a file as a whole.
  static func read(_ path: String, flag: String) throws(Failure) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(.file, "\(flag): \(path) can't be read")
    }
    return [UInt8](data)
  }
}
