/// A part of a call's way whose time is measured by itself.
public enum CallPhase: String, Sendable, CaseIterable {
  /// From the planned start until the call could begin: a free client, a free place in flight.
  case waitForSlot = "wait_for_slot"

  /// Making the TCP connection.
  case tcpConnect = "tcp_connect"

  /// A full TLS handshake.
  case tlsFull = "tls_full"

  /// A resumed TLS handshake.
  case tlsResumed = "tls_resumed"

  /// From the call's begin to the first byte of its answer.
  case firstByte = "first_byte"

  /// From the call's begin to the end of its answer: what the service alone answers for, with the
  /// network.
  case rpc

  /// What the server says that it took, by its trailing metadata.
  case service

  /// `rpc` without `service`: network and queues.
  case network

  /// From the *planned* start to the end of the answer: what a user would have waited.
  case total

  /// For people: "TLS, resumed".
  public var title: String {
    switch self {
    case .waitForSlot: "wait for slot"
    case .tcpConnect: "TCP connect"
    case .tlsFull: "TLS, full"
    case .tlsResumed: "TLS, resumed"
    case .firstByte: "first byte"
    case .rpc: "RPC"
    case .service: "service time"
    case .network: "network and queues"
    case .total: "total from plan"
    }
  }
}

/// How long one phase took, of the right answers in the measured window.
public struct PhaseFigures: Sendable, Equatable {
  /// Which.
  public var phase: CallPhase

  /// Its times.
  public var latency = LatencyHistogram()

  /// A phase that wasn't gone through yet.
  public init(_ phase: CallPhase) {
    self.phase = phase
  }
}
