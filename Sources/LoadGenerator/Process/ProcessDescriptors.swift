import Glibc

/// What `/proc` tells of a process beside its memory.
enum ProcessDescriptors {
  /// Its open descriptors; nil: there is no such process, or it may not be looked at.
  static func count(ofProcess pid: Int32) -> Int? {
    entries(of: "/proc/\(pid)/fd").map(\.count)
  }

  /// The context switches of all its threads that live, voluntary and not; nil: as above.
  static func contextSwitches(ofProcess pid: Int32) -> UInt64? {
    guard pid > 0, let threads = entries(of: "/proc/\(pid)/task") else { return nil }
    var sum: UInt64 = 0
    for thread in threads {
      // One that has ended since isn't counted.
      guard let status = textFile("/proc/\(pid)/task/\(thread)/status") else { continue }
      sum += contextSwitches(status: status)
    }
    return sum
  }

  /// From the lines `voluntary_ctxt_switches` and `nonvoluntary_ctxt_switches`.
  static func contextSwitches(status: String) -> UInt64 {
    var sum: UInt64 = 0
    for line in status.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].hasSuffix("voluntary_ctxt_switches") else { continue }
      sum += UInt64(parts[1].filter { !$0.isWhitespace }) ?? 0
    }
    return sum
  }

  private static func entries(of folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
