import CLinux
import Dispatch
import Synchronization

extension EventLoop {
  /// Runs `work` on the loop, in the next round of its work: never inside this call. From any
  /// thread. Work from one thread runs in the order in which it was posted.
  public func post(_ work: @escaping @Sendable () -> Void) {
    add(.call(work))
  }

  /// Runs a task's next step on the loop. Called by Swift's runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    add(.job(UnownedJob(job)))
  }

  /// Runs `work` on the loop and returns its result.
  public func run<R: Sendable, E: Error>(
    _ work: @escaping @Sendable () throws(E) -> R
  ) async throws(E) -> R {
    let result: Result<R, E> = await withUnsafeContinuation { continuation in
      post {
        do throws(E) {
          continuation.resume(returning: .success(try work()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  func add(_ piece: LoopWork) {
    if isCurrent && !isRetired {
      work.append(piece)
      return
    }
    nonisolated(unsafe) let piece = piece
    switch inbox.add(piece) {
    case .queued: break
    case .wake: poller.wake()
    case .retired: queue.async { self.asCurrent { self.perform(piece) } }
    }
  }

  func perform(_ piece: LoopWork) {
    // One writer: a load and a store are enough.
    pieceCount.store(pieceCount.load(ordering: .relaxed) + 1, ordering: .relaxed)
    switch piece {
    case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
    case .labelled(let job, let executor):
      setLabel(executor.label)
      job.runSynchronously(on: executor.asUnownedTaskExecutor())
      setLabel(0)
    case .call(let work): work()
    }
  }

  /// Runs the work at hand, and what it brings with it. Bounded, so that tasks that keep each other
  /// busy can't keep the sockets waiting; the rest is for the next pass.
  func runWork() {
    inbox.drain(into: &work)
    var round = 0
    while !work.isEmpty && round < 8 {
      swap(&work, &runningWork)
      for piece in runningWork { perform(piece) }
      runningWork.removeAll(keepingCapacity: true)
      round += 1
    }
  }

  /// Runs `body` as this loop's, on a thread that no other loop runs on.
  func asCurrent(_ body: () -> Void) {
    clinux_set_current_loop(Unmanaged.passUnretained(self).toOpaque())
    body()
    clinux_set_current_loop(nil)
  }
}
