import Glibc

/// Reads a file line by line through one buffer.
struct LineReader: ~Copyable {
  private let file: InputFile
  private var buffer: UnsafeMutableRawBufferPointer

  /// The part of the buffer that has been read and not given out.
  private var pending = 0..<0
  private var isAtEnd = false

  /// The number of the line that was given out last, from 1.
  private(set) var line = 0

  /// Bytes read from the file.
  private(set) var bytesRead = 0

  /// Bytes of a line that is still taken.
  static let maximumLineLength = 4 << 20

  private static let chunk = 1 << 20

  init(_ file: consuming InputFile) {
    self.file = file
    buffer = .allocate(byteCount: Self.chunk, alignment: 16)
  }

  deinit {
    buffer.deallocate()
  }

  var path: String { file.path }
  var byteCount: Int? { file.byteCount }

  /// The next line without its end, valid until the next call; nil behind the last one. The caller
  /// may change its bytes.
  ///
  /// - Throws: `.unreadable`; `.malformed` for a line that is too long.
  mutating func next() throws(CatalogueError) -> UnsafeMutableRawBufferPointer? {
    var searched = pending.lowerBound
    while true {
      if let end = newline(from: searched) { return take(end: end, next: end + 1) }
      searched = pending.upperBound
      if isAtEnd {
        return pending.isEmpty ? nil : take(end: pending.upperBound, next: pending.upperBound)
      }
      let moved = pending.lowerBound
      try fill()
      searched -= moved
    }
  }

  private func newline(from start: Int) -> Int? {
    guard let base = buffer.baseAddress, start < pending.upperBound,
      let found = memchr(base + start, 0x0A, pending.upperBound - start)
    else { return nil }
    return found - base
  }

  private mutating func take(end: Int, next: Int) -> UnsafeMutableRawBufferPointer {
    let start = pending.lowerBound
    pending = next..<pending.upperBound
    line += 1
    return UnsafeMutableRawBufferPointer(rebasing: buffer[start..<end])
  }

  /// Moves what is pending to the front and reads more behind it.
  private mutating func fill() throws(CatalogueError) {
    if pending.lowerBound > 0 {
      UnsafeMutableRawBufferPointer(rebasing: buffer[..<pending.count])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[pending]))
    }
    pending = 0..<pending.count
    if pending.count == buffer.count { try grow() }
    let free = UnsafeMutableRawBufferPointer(rebasing: buffer[pending.count...])
    let count = try file.read(into: free)
    isAtEnd = count == 0
    bytesRead += count
    pending = 0..<pending.count + count
  }

  private mutating func grow() throws(CatalogueError) {
    guard buffer.count < Self.maximumLineLength else {
      throw CatalogueError(
        .malformed, file: path, line: line + 1,
        reason: "the line has more than \(Self.maximumLineLength) bytes")
    }
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
    buffer.deallocate()
    buffer = larger
  }
}
