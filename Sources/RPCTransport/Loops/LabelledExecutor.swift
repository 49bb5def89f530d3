/// An event loop as the executor of one kind of task: while a step of such a task runs, the loop's
/// `Activity` has the kind's label.
public final class LabelledExecutor: TaskExecutor {
  /// Where the tasks run.
  public let loop: EventLoop

  /// What is shown while one of them does; not 0.
  public let label: UInt

  /// Makes an executor; it has to live as long as tasks prefer it.
  public init(_ loop: EventLoop, label: UInt) {
    self.loop = loop
    self.label = label
  }

  /// Runs a task's next step on the loop. Called by Swift's runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    loop.add(.labelled(UnownedJob(job), self))
  }
}
