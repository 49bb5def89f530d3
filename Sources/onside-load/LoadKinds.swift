import Flags
import LoadGenerator
import RPCTransport

// The values of this command line that other programs don't have. How they are read is the load
// generator's; scenario files have the same.

extension ValueKind where Value == Double {
  /// Calls per second.
  static var rate: ValueKind {
    ValueKind(
      expectation: "calls per second, more than 0 and at most 10000000", placeholder: "N",
      show: { "\($0)" }
    ) { text in
      LoadStage.steps(text: text).flatMap { $0.count == 1 ? $0[0] : nil }
    }
  }
}

extension ValueKind where Value == Double {
  /// A share, as `0.001` or as `0.1%`.
  static var share: ValueKind {
    ValueKind(
      expectation: "a share from 0 to 1, or a percentage as in 0.1%", placeholder: "SHARE",
      show: { "\($0)" }
    ) { text in
      guard text.hasSuffix("%") else { return number(in: 0...1).read(text) }
      return number(in: 0...100).read(String(text.dropLast())).map { $0 / 100 }
    }
  }
}

extension ValueKind where Value == CapacityCriteria {
  /// A latency that has to be kept.
  static var latencyLimit: ValueKind {
    ValueKind(
      expectation: CapacityCriteria.expectation, placeholder: "'p99<10ms'", show: { $0.text },
      read: CapacityCriteria.init(text:))
  }
}

extension ValueKind where Value == [Double] {
  /// Several rates, one after the other.
  static var rates: ValueKind {
    ValueKind(
      expectation: "rates as in 100,200,400, each more than 0 and at most 10000000 per second",
      placeholder: "N,N,…", show: { "\($0)" }, read: LoadStage.steps(text:))
  }
}

extension ValueKind where Value == Endpoint {
  /// Where to listen; without an address, for this machine alone.
  static var listenAddress: ValueKind {
    ValueKind(
      expectation: "ADDRESS:PORT, [IPV6]:PORT or PORT, with a port from 0 to 65535",
      placeholder: "[ADDRESS:]PORT", show: { "\($0)" }
    ) { text in
      if let port = UInt16(text) { return .host("127.0.0.1", port: port) }
      guard case .host(let host, let port)? = try? Endpoint(text) else { return nil }
      return .host(host, port: port)
    }
  }
}

/// The rates at the ends of a ramp.
struct Ramp: Sendable {
  var from: Double
  var to: Double
}

extension ValueKind where Value == Ramp {
  /// A rate that rises or falls steadily.
  static var ramp: ValueKind {
    ValueKind(
      expectation: "FROM..TO calls per second, as in 100..500, at most 10000000",
      placeholder: "FROM..TO", show: { "\($0.from)..\($0.to)" }
    ) { text in
      LoadStage.ramp(text: text).map { Ramp(from: $0.from, to: $0.to) }
    }
  }
}

extension ValueKind where Value == LoadStage {
  /// A part of the load with its rate and its duration.
  static var stage: ValueKind {
    ValueKind(
      expectation: LoadStage.expectation, placeholder: "'rate=N for=TIME'", show: { "\($0)" },
      read: LoadStage.init(text:))
  }
}

extension ValueKind where Value == ThinkTime {
  /// A pause between calls.
  static var thinkTime: ValueKind {
    ValueKind(
      expectation: ThinkTime.expectation, placeholder: "TIME[..TIME]", show: { "\($0)" },
      read: ThinkTime.init(text:))
  }
}

extension ValueKind where Value == [MixPart] {
  /// A whole mix.
  static var mix: ValueKind {
    ValueKind(
      expectation: MixPart.mixExpectation, placeholder: "SCENARIO=WEIGHT,…", show: { "\($0)" },
      read: MixPart.mix(text:))
  }
}

extension ValueKind where Value == MixPart {
  /// One scenario of a mix.
  static var part: ValueKind {
    ValueKind(
      expectation: MixPart.expectation, placeholder: "'SCENARIO weight=N …'", show: { "\($0)" },
      read: MixPart.init(text:))
  }
}

/// Which connections resume: by name, or their share.
enum ResumeChoice: Sendable {
  case named(LoadPlan.Resumption)
  case share(Double)
}

extension ValueKind where Value == ResumeChoice {
  /// Which connections resume a TLS session.
  static var resumption: ValueKind {
    ValueKind(
      expectation: "on, off, both or a share from 0 to 1", placeholder: "on|off|both|SHARE",
      show: { choice in
        switch choice {
        case .named(let name): name.rawValue
        case .share(let share): "\(share)"
        }
      }
    ) { text in
      if let name = LoadPlan.Resumption(rawValue: text) { return .named(name) }
      return ValueKind<Double>.number(in: 0...1).read(text).map { .share($0) }
    }
  }
}
