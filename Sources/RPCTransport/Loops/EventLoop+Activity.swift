import Synchronization

extension EventLoop {
  /// What a loop was doing at one moment, for whoever watches over it from another thread.
  public struct Activity: Sendable, Equatable {
    /// How many passes have begun.
    public var passes: Int

    /// How many posts and steps of tasks have begun.
    public var pieces: Int

    /// True while the loop waits for something to do.
    public var isAsleep: Bool

    /// The label that was set last; 0: none.
    public var label: UInt
  }

  /// What the loop is doing, from any thread. Its parts may be of moments next to each other.
  public var activity: Activity {
    Activity(
      passes: passCount.load(ordering: .relaxed), pieces: pieceCount.load(ordering: .relaxed),
      isAsleep: inbox.isOwnerAsleep, label: currentLabel.load(ordering: .relaxed))
  }

  /// Says what the loop does from now on. On the loop only.
  @inline(__always)
  public func setLabel(_ label: UInt) { currentLabel.store(label, ordering: .relaxed) }

  /// Runs an action once, when the loop's next pass begins. From any thread; doesn't wake the loop.
  public func whenAwake(_ action: @escaping @Sendable () -> Void) {
    wakeActions.withLock { $0.append(action) }
    hasWakeActions.store(true, ordering: .releasing)
  }

  func runWakeActions() {
    let actions = wakeActions.withLock { actions in
      hasWakeActions.store(false, ordering: .relaxed)
      defer { actions = [] }
      return actions
    }
    for action in actions { action() }
  }
}
