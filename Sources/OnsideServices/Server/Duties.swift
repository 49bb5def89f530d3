/// What a server does by itself, from time to time: one task for each duty.
final class Duties: Sendable {
  private let tasks: [Task<Void, Never>]

  /// Something to do at an interval.
  struct Duty: Sendable {
    let interval: Duration
    let work: @Sendable () async -> Void
  }

  /// Begins; each duty's first turn comes after its interval.
  init(_ duties: [Duty], clock: any Clock<Duration> = ContinuousClock()) {
    tasks = duties.map { duty in
      Task {
        while (try? await clock.sleep(for: duty.interval)) != nil { await duty.work() }
      }
    }
  }

  /// Ends all duties; returns when none runs any more.
  func stop() async {
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
