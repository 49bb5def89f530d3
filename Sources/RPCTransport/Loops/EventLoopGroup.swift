import CLinux
import Synchronization

/// The event loops of a process.
public final class EventLoopGroup: Sendable {
  /// The loops, by index. Never empty.
  public let loops: [EventLoop]
  private let turn = Atomic(0)

  /// Makes and starts `count` loops.
  ///
  /// - Parameters:
  ///   - count: How many; at least 1. By default one per processor that the process may use.
  ///   - pollBudget: How long a loop polls before it blocks. Zero by default; some 50 µs halve a
  ///     lone client's latency, and cost that much CPU whenever a loop runs dry.
  ///   - timerResolution: How exactly loops wake for their timers.
  /// - Throws: ``SystemError`` if the system has no descriptors left.
  public init(
    loops count: Int = EventLoopGroup.availableProcessors, pollBudget: Duration = .zero,
    timerResolution: TimerResolution = .milliseconds
  ) throws(SystemError) {
    clinux_ignore_sigpipe()
    var loops: [EventLoop] = []
    for index in 0..<max(1, count) {
      loops.append(
        try EventLoop(index: index, pollBudget: pollBudget, timerResolution: timerResolution))
    }
    self.loops = loops
    for loop in loops { loop.start() }
  }

  /// The processors that this process may use.
  public static var availableProcessors: Int {
    max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }

  /// The first loop: listeners and signals are its.
  public var first: EventLoop { loops[0] }

  /// The loops in turn.
  public func next() -> EventLoop {
    let turn = turn.wrappingAdd(1, ordering: .relaxed).newValue
    return loops[Int(UInt(bitPattern: turn) % UInt(loops.count))]
  }

  /// The loop with the fewest connections.
  public func leastLoaded() -> EventLoop {
    var best = loops[0]
    var fewest = best.connectionCount
    for loop in loops.dropFirst() {
      let count = loop.connectionCount
      if count < fewest {
        best = loop
        fewest = count
      }
    }
    return best
  }

  /// Closes listeners and channels (output that is under way is sent first, for a bounded time),
  /// and returns when all loops have ended. Tasks that prefer a loop go on to run.
  public func shutdown() async {
    await withTaskGroup { group in
      for loop in loops {
        group.addTask {
          await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
        }
      }
    }
  }
}
