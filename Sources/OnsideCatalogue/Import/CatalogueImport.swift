/// What came of reading a catalogue.
public struct CatalogueImport: Sendable {
  public let snapshot: CatalogueSnapshot

  /// What was read differently from how it was written, or left out.
  public let notes: [CatalogueNote]
}

/// Something in a file that its owner should know of, though the file can be used.
public struct CatalogueNote: Hashable, Sendable, CustomStringConvertible {
  public let file: String

  /// From 1.
  public let line: Int

  public let text: String

  /// `file:line: text`.
  public var description: String { "\(file):\(line): \(text)" }
}

/// How far reading a catalogue is.
public struct ImportProgress: Hashable, Sendable {
  /// The file that is being read.
  public let file: String
  public let bytesRead: Int

  /// The size of that file; nil if it isn't a plain file.
  public let byteCount: Int?

  /// Products so far, those of files before included.
  public let products: Int
}
