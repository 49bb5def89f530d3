import CLinux
import RPCCore

/// A loop's epoll set, with the descriptor that wakes it.
///
/// The target of an event is the address of a ``Channel`` or, with its lowest bit set, of a
/// ``Pollable``; 0 is the wake-up descriptor. Objects stay in memory until the end of the pass in
/// which they were removed, so an event that was reported before never points to freed memory.
final class Poller: @unchecked Sendable {
  enum Target {
    case wakeup
    case channel(UnsafeRawPointer)
    case other(UnsafeRawPointer)
  }

  private let epoll: Int32
  private let wakeup: Int32
  private let events: UnsafeMutableRawPointer
  static let eventsPerWait: Int32 = 256

  init() throws(SystemError) {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw SystemError("epoll_create1", clinux_errno()) }
    wakeup = clinux_wakeup_descriptor()
    guard wakeup >= 0 else {
      let error = SystemError("eventfd", clinux_errno())
      close(epoll)
      throw error
    }
    events = .allocate(
      byteCount: clinux_epoll_events_size(Self.eventsPerWait), alignment: 16)
    clinux_epoll_add_wakeup(epoll, wakeup)
  }

  deinit {
    // Not before: until the loop object itself goes, another thread may be about to wake it.
    close(epoll)
    close(wakeup)
    events.deallocate()
  }

  /// Wakes the loop from another thread.
  func wake() {
    clinux_wake(wakeup)
  }

  /// Waits for events, at most so long (-1: for ever), and returns their number. Polls for
  /// `pollBudget` nanoseconds before it blocks.
  func wait(nanoseconds: Int64, pollBudget: Int64, inbox: LoopInbox) -> Int32 {
    if nanoseconds == 0 {
      return clinux_epoll_wait(epoll, events, Self.eventsPerWait, 0)
    }
    if pollBudget > 0 {
      let polled = poll(nanoseconds, pollBudget, inbox)
      if polled != 0 { return polled }
    }
    let mayBlock = inbox.prepareToSleep()
    defer { inbox.wokeUp() }
    return clinux_epoll_wait(epoll, events, Self.eventsPerWait, mayBlock ? nanoseconds : 0)
  }

  private func poll(_ nanoseconds: Int64, _ budget: Int64, _ inbox: LoopInbox) -> Int32 {
    let limit = nanoseconds < 0 ? budget : min(budget, nanoseconds)
    let start = clinux_monotonic_ns()
    repeat {
      let count = clinux_epoll_wait(epoll, events, Self.eventsPerWait, 0)
      if count != 0 { return count }
      if inbox.hasWork { return 0 }
    } while clinux_monotonic_ns() - start < limit
    return 0
  }

  func target(_ index: Int32) -> UInt {
    UInt(bitPattern: clinux_epoll_target(events, index))
  }

  func flags(_ index: Int32) -> UInt32 { clinux_epoll_flags(events, index) }

  @inline(__always)
  static func kind(of target: UInt) -> Target {
    guard let pointer = UnsafeRawPointer(bitPattern: target & ~1) else { return .wakeup }
    return target & 1 == 0 ? .channel(pointer) : .other(pointer)
  }

  static func target(_ channel: Channel) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(channel).toOpaque()
  }

  static func target(_ pollable: Pollable) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(pollable).toOpaque() + 1
  }

  func add(_ descriptor: Int32, _ flags: UInt32, _ target: UnsafeMutableRawPointer) -> Bool {
    clinux_epoll_add(epoll, descriptor, flags, target) == 0
  }

  @discardableResult
  func modify(_ descriptor: Int32, _ flags: UInt32, _ target: UnsafeMutableRawPointer) -> Bool {
    clinux_epoll_modify(epoll, descriptor, flags, target) == 0
  }

  func remove(_ descriptor: Int32) {
    clinux_epoll_remove(epoll, descriptor)
  }
}
