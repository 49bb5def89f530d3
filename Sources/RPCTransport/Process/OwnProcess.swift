import CLinux
import Glibc

/// What this process has used since it was started, and holds now, as the system counts it.
public struct OwnProcess: Sendable, Equatable {
  /// Its process id.
  public var id: Int32

  /// CPU time of all its threads, in nanoseconds.
  public var cpuNanoseconds: UInt64

  /// In memory, in bytes; 0: the system doesn't say.
  public var residentBytes: UInt64

  /// The most that it ever had in memory, in bytes.
  public var peakResidentBytes: UInt64

  /// Open descriptors; 0: the system doesn't say.
  public var descriptors: Int

  /// Context switches of all its threads, voluntary and not.
  public var contextSwitches: UInt64

  /// Asks the system. It reads files under `/proc`: with many descriptors it takes milliseconds.
  public static func current() -> OwnProcess {
    var usage = clinux_usage()
    clinux_own_usage(&usage)
    let resident = residentBytes()
    // The system's own peak is a little behind.
    return OwnProcess(
      id: getpid(), cpuNanoseconds: usage.cpu_nanoseconds, residentBytes: resident,
      peakResidentBytes: max(usage.peak_resident_bytes, resident), descriptors: openDescriptors(),
      contextSwitches: usage.context_switches)
  }

  /// Processors that this process may use.
  public static var usableProcessors: Int {
    let count = Int(clinux_usable_processors())
    return count > 0 ? count : EventLoopGroup.availableProcessors
  }

  /// What this process has allocated and not given back, in bytes; nil: the C library doesn't say.
  public static var liveBytes: UInt64? {
    let bytes = clinux_live_bytes()
    return bytes > 0 ? bytes : nil
  }

  /// What the linker has named this program's build, as hexadecimal digits; nil: it hasn't.
  public static let buildID: String? = {
    let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = clinux_build_id(buffer.baseAddress, buffer.count)
    }
    guard !bytes.isEmpty else { return nil }
    return bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }()

  /// The second number of `/proc/self/statm`, which is in pages.
  private static func residentBytes() -> UInt64 {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard words.count > 1, let pages = UInt64(words[1]) else { return 0 }
    return pages * UInt64(max(0, sysconf(Int32(_SC_PAGESIZE))))
  }

  private static func openDescriptors() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // ".", ".." and the folder itself.
    return max(0, count - 3)
  }
}
