/// One kind of exchange inside a scenario's call: right answers in the measured window.
public struct StepFigures: Sendable, Equatable {
  /// The method, or the phase: `CreatePurchase`, `connect`.
  public var name: String

  /// How long they took.
  public var latency = LatencyHistogram()

  /// A step that wasn't made yet.
  public init(name: String) {
    self.name = name
  }
}
