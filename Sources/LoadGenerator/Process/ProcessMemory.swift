import Glibc

/// The memory of a process, as `/proc/PID/status` tells it.
public struct ProcessMemory: Sendable, Equatable {
  /// What is in memory now (`VmRSS`).
  public var residentBytes: UInt64

  /// The most that ever was (`VmHWM`).
  public var peakResidentBytes: UInt64

  /// Of a process; nil if there is no such process.
  public init?(ofProcess pid: Int32) {
    guard pid > 0, let status = textFile("/proc/\(pid)/status") else { return nil }
    self.init(status: status)
  }

  /// From the text of `/proc/PID/status`; nil if the lines aren't there (a process that has ended).
  init?(status: String) {
    var values: [Substring: UInt64] = [:]
    for line in status.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0] == "VmRSS" || parts[0] == "VmHWM" else { continue }
      let words = parts[1].split(whereSeparator: \.isWhitespace)
      guard words.count == 2, words[1] == "kB", let number = UInt64(words[0]) else { continue }
      values[parts[0]] = number * 1024
    }
    guard let resident = values["VmRSS"] else { return nil }
    residentBytes = resident
    peakResidentBytes = values["VmHWM"] ?? resident
  }
}

/// The whole text of a small file; nil if it can't be read. Files under /proc have no size, so it
/// is read until its end.
func textFile(_ path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { return nil }
    if count == 0 { return String(decoding: bytes, as: UTF8.self) }
    bytes += block[..<count]
  }
}
