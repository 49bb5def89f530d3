#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keeps receipts as text files in a folder.
public struct ReceiptFolder: Sendable {
  /// Where the files are. It is made with the first of them.
  public let path: String

  /// A folder, which needn't be there yet.
  public init(path: String) {
    self.path = path
  }

  /// Writes a receipt, and says where; nil: it can't be written.
  public func keep(_ receipt: ReceiptRecord) -> String? {
    // The number is the service's, and a path is ours.
    let number = receipt.number.filter { ($0.isLetter || $0.isNumber || $0 == "-") && $0.isASCII }
    let file = "\(path)/receipt-\(number.prefix(64)).txt"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data(receipt.text.utf8).write(to: URL(filePath: file), options: .atomic)
      return file
    } catch {
      return nil
    }
  }
}
