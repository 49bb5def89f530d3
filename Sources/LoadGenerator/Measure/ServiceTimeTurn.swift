import RPC

/// Which of a simulated client's calls ask the server how long it worked on them.
public enum ServiceTimeSampling: String, Sendable, CaseIterable, Codable {
  /// Each.
  case all

  /// One of sixteen, so that the load stays what it is.
  case sampled

  /// None.
  case off

  /// One of so many calls; 0: none.
  var period: UInt64 {
    switch self {
    case .all: 1
    case .sampled: 16
    case .off: 0
    }
  }
}

/// Gives calls the options that ask for the service time, when it is their turn. Nothing is
/// allocated, and options change only around a call that asks.
struct ServiceTimeTurn {
  private let period: UInt64
  private var left: UInt64
  private var isAsking = false
  private let plain: CallOptions
  private let asking: CallOptions

  /// - Parameter options: of the calls that don't ask.
  init(_ sampling: ServiceTimeSampling, options: CallOptions = CallOptions()) {
    plain = options
    asking = options.askingServiceTime
    period = sampling.period
    // The first call of all asks, so that short runs have figures, too.
    left = 0
  }

  /// What the next call, made anew, is made with.
  mutating func take() -> CallOptions { isNext() ? asking : plain }

  /// Prepares a call that is used again and again; it was made with the options that don't ask.
  @inline(__always)
  mutating func prepare(_ call: OutgoingCall) {
    let asks = isNext()
    guard asks != isAsking else { return }
    isAsking = asks
    call.options = asks ? asking : plain
  }

  @inline(__always)
  private mutating func isNext() -> Bool {
    guard period > 0 else { return false }
    guard left == 0 else {
      left &-= 1
      return false
    }
    left = period &- 1
    return true
  }
}

extension CallOptions {
  /// The same for a call that asks how long the server works on it.
  var askingServiceTime: CallOptions {
    var options = self
    // There is room: the generator's own metadata are a few entries.
    try? options.metadata.add(ServiceTime.requestKey, "1")
    return options
  }
}
