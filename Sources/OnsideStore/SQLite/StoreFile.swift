import Glibc
import Synchronization

/// The file of a store and the lock that keeps a second server away from it.
///
/// The lock is on a file of its own: a lock of the database file would meet SQLite's own.
final class StoreFile: Sendable {
  let path: String

  /// The descriptor that holds the lock; nil after `unlock`.
  private let lock: Mutex<Int32?>

  /// Makes the file, readable by its owner only, unless it exists; takes the lock.
  init(path: String) throws(StoreError) {
    let path = try Self.resolved(path)
    self.path = path
    lock = Mutex(try Self.lock(path))
    try Self.create(path)
  }

  deinit {
    unlock()
  }

  /// Lets another server have the store.
  ///
  /// The lock file stays: removing it would let two servers lock two files of one name.
  func unlock() {
    lock.withLock { descriptor in
      if let open = descriptor { close(open) }
      descriptor = nil
    }
  }

  /// The path without symbolic links, so that each way to name a store leads to one lock.
  private static func resolved(_ path: String) throws(StoreError) -> String {
    if let found = realpath(path, nil) {
      defer { free(found) }
      let resolved = String(cString: found)
      guard !isFolder(resolved) else {
        throw StoreError(
          .cannotOpen, "the store \(path) is a folder: give the path of a file in it")
      }
      return resolved
    }
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    guard !name.isEmpty, let found = realpath(folder, nil) else {
      throw StoreError(
        .cannotOpen,
        "the folder of the store \(path) can't be opened: make it, or give another path",
        cause: lastSystemError)
    }
    defer { free(found) }
    let resolved = String(cString: found)
    return resolved == "/" ? "/\(name)" : "\(resolved)/\(name)"
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func lock(_ path: String) throws(StoreError) -> Int32 {
    let name = path + ".lock"
    let descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(
        .cannotOpen,
        "can't make the lock file \(name): the store's folder must be writable by this user",
        cause: lastSystemError)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let cause = lastSystemError
      let holder = holder(descriptor)
      close(descriptor)
      throw StoreError(
        .locked,
        "the store \(path) is in use by another server\(holder): stop that one, or give another "
          + "path with --store sqlite:PATH", cause: cause)
    }
    let process = "\(getpid())\n"
    ftruncate(descriptor, 0)
    _ = process.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    return descriptor
  }

  /// The process that wrote itself into the lock file, as words for a message.
  private static func holder(_ descriptor: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    let digits = buffer.prefix(max(count, 0)).prefix { (48...57).contains($0) }
    return digits.isEmpty ? "" : " (process \(String(decoding: digits, as: UTF8.self)))"
  }

  private static func create(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(
        .cannotOpen, "can't open the store \(path): this user must be able to read and write it",
        cause: lastSystemError)
    }
    close(descriptor)
    // A new file's name is durable when its folder is.
    let folder = open(
      String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/",
      O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  private static var lastSystemError: String { String(cString: strerror(errno)) }
}
