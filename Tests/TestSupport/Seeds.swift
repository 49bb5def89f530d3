import Foundation

/// The seeds of properties with random interleavings.
public enum Seeds {
  /// `ONSIDE_SEED`, to repeat one; else from 1 to `ONSIDE_SEEDS`, or to a number that takes a few
  /// seconds.
  public static func first(_ count: UInt64) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["ONSIDE_SEED"].flatMap(UInt64.init) { return [seed] }
    return Array(1...max(1, environment["ONSIDE_SEEDS"].flatMap(UInt64.init) ?? count))
  }
}
