import Flags
import OnsideServices
import RPCTransport

/// A limit that a flag sets: its place in the configuration is also where its default comes from.
struct LimitFlag: Sendable {
  /// The flag, for the command's list.
  let element: any CommandElement

  /// Puts the flag's value into a configuration.
  let apply: @Sendable (ParsedArguments, inout MarketplaceServerConfiguration) -> Void

  /// Where a value is in the configuration.
  typealias Path<Value> = any WritableKeyPath<MarketplaceServerConfiguration, Value> & Sendable

  /// A configuration as it is without flags.
  private static let defaults = MarketplaceServerConfiguration(
    endpoint: .host("", port: 0),
    tls: ServerTLS.Configuration(certificateFile: "", keyFile: "", applicationProtocols: []),
    catalogue: [], store: .memory)

  /// A number of something.
  static func count(
    _ name: String, _ path: Path<Int>,
    in range: ClosedRange<Int>, help: String
  ) -> LimitFlag {
    let flag = Flag(name, .integer(in: range), default: defaults[keyPath: path], help: help)
    return LimitFlag(element: flag) { $1[keyPath: path] = $0[flag] }
  }

  /// A length of time.
  static func time(
    _ name: String, _ path: Path<Duration>,
    in range: ClosedRange<Double>, help: String
  ) -> LimitFlag {
    let flag = Flag(
      name, .seconds(in: range), default: defaults[keyPath: path] / .seconds(1), help: help)
    return LimitFlag(element: flag) { $1[keyPath: path] = .seconds($0[flag]) }
  }

  /// A length of time; 0 stands for none.
  static func optionalTime(
    _ name: String, _ path: Path<Duration?>,
    upTo longest: Double, help: String
  ) -> LimitFlag {
    let value = defaults[keyPath: path].map { $0 / .seconds(1) } ?? 0
    let flag = Flag(
      name, .seconds(in: 0...longest), default: value, help: help + "; 0 for never")
    return LimitFlag(element: flag) { arguments, configuration in
      let seconds = arguments[flag]
      configuration[keyPath: path] = seconds > 0 ? .seconds(seconds) : nil
    }
  }

  /// Something that is done only when it is asked for.
  static func toggle(_ name: String, _ path: Path<Bool>, help: String) -> LimitFlag {
    let flag = Flag(toggle: name, help: help)
    return LimitFlag(element: flag) { $1[keyPath: path] = $0[flag] }
  }
}
