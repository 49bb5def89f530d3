import CLinux

/// What tells one state of a file from another without reading it: which file the path leads to
/// (through symbolic links), its size, and when it was written.
public struct FileFingerprint: Sendable, Hashable {
  /// The path.
  public let path: String
  private let device: UInt64
  private let inode: UInt64
  private let size: UInt64
  private let seconds: Int64
  private let nanoseconds: Int64
  /// Why there is no file to be seen: the system's error number, 0 for none.
  private let error: Int32

  /// Looks at a file, which doesn't have to exist. Blocks for as long as the file system does.
  public init(of path: String) {
    self.path = path
    var state = clinux_file_state()
    error = clinux_file_state(path, &state)
    device = state.device
    inode = state.inode
    size = state.size
    seconds = state.seconds
    nanoseconds = state.nanoseconds
  }
}
