import Glibc
public import LoadReporting

extension Machine {
  /// This machine, as far as it tells.
  public static func current() -> Machine {
    var system = utsname()
    uname(&system)
    let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let cpuInfo = textFile("/proc/cpuinfo") ?? ""
    return Machine(
      hostName: string(of: &system.nodename),
      kernel: string(of: &system.sysname) + " " + string(of: &system.release),
      cpuModel: cpuModel(cpuInfo: cpuInfo),
      usableCores: usableCores(status: textFile("/proc/self/status") ?? "") ?? cores, cores: cores)
  }

  static func cpuModel(cpuInfo: String) -> String {
    for line in cpuInfo.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].hasPrefix("model name") else { continue }
      return parts[1].split(separator: " ").joined(separator: " ")
    }
    return "unknown"
  }

  /// From the line `Cpus_allowed_list: 0-1,4` of `/proc/self/status`; nil if there is none.
  static func usableCores(status: String) -> Int? {
    for line in status.split(separator: "\n") where line.hasPrefix("Cpus_allowed_list:") {
      let list = line.drop { $0 != ":" }.dropFirst().filter { !$0.isWhitespace }
      var count = 0
      for range in list.split(separator: ",") {
        let ends = range.split(separator: "-").compactMap { Int($0) }
        guard let first = ends.first, let last = ends.last, last >= first else { return nil }
        count += last - first + 1
      }
      return count > 0 ? count : nil
    }
    return nil
  }

  private static func string<Tuple>(of tuple: inout Tuple) -> String {
    withUnsafeBytes(of: &tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
