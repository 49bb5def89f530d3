extension RunSession {
  /// Simulated clients that prepare themselves at the same time.
  private static let preparingAtOnce = 64

  /// Lets each simulated client do what it has to have done before the load.
  func prepareSlots(_ onStage: (String) -> Void) async throws(SetupError) {
    onStage("preparing the simulated clients")
    var slots: [Slot] = []
    for driver in run.drivers { slots += await driver.ask { $0.places.flatMap(\.slots) } }
    let (all, workers) = (slots, min(slots.count, RunSession.preparingAtOnce))
    let failure = await withTaskGroup(of: SetupError?.self) { group in
      for worker in 0..<workers {
        group.addTask {
          for place in stride(from: worker, to: all.count, by: workers) {
            if let error = await all[place].prepareOnLoop() { return error }
          }
          return nil
        }
      }
      return await group.reduce(nil) { $0 ?? $1 }
    }
    if let failure { throw failure }
  }
}

extension Slot {
  /// Prepares it where it belongs.
  fileprivate func prepareOnLoop() async -> SetupError? {
    await Task(executorPreference: lane.loop) {
      do throws(SetupError) {
        try await self.prepare()
        return nil
      } catch {
        return error
      }
    }.value
  }
}
