import CLinux
import Glibc

/// The thread's work: waits with `poll` for visitors and what they send, until it is told to end.
struct Reception {
  private let listener: Int32
  private let wake: Int32
  private let text: @Sendable () -> String
  private var visits: [(descriptor: Int32, visit: Visit)] = []
  private var block = [UInt8](repeating: 0, count: 4096)

  init(listener: Int32, wake: Int32, text: @escaping @Sendable () -> String) {
    (self.listener, self.wake, self.text) = (listener, wake, text)
  }

  /// Serves until `wake` can be read.
  mutating func serve() {
    while true {
      var waiting = descriptors()
      let count = poll(&waiting, nfds_t(waiting.count), timeout())
      if count < 0, errno != EINTR { break }
      let events = count > 0 ? waiting.map(\.revents) : waiting.map { _ in 0 }
      guard events[0] == 0 else { break }
      for index in visits.indices where events[index + 2] != 0 { attend(index) }
      let now = monotonic()
      for index in visits.indices { visits[index].visit.tick(now: now) }
      dismiss { $0.visit.phase == .over }
      if events[1] != 0 { admit(now) }
    }
    dismiss { _ in true }
  }

  private func descriptors() -> [pollfd] {
    let input = Int16(POLLIN)
    return [
      pollfd(fd: wake, events: input, revents: 0), pollfd(fd: listener, events: input, revents: 0),
    ]
      + visits.map { descriptor, visit in
        pollfd(
          fd: descriptor, events: visit.phase == .writing ? Int16(POLLOUT) : input, revents: 0)
      }
  }

  /// Milliseconds until the first visit has lasted long enough; -1: there is none.
  private func timeout() -> Int32 {
    guard let first = visits.map(\.visit.deadline).min() else { return -1 }
    let now = monotonic()
    return first <= now ? 0 : Int32(clamping: (first - now) / 1_000_000 + 1)
  }

  /// Who comes when all places are taken gets that of the oldest visit: those who sit and say
  /// nothing can't keep others out.
  private mutating func admit(_ now: UInt64) {
    let descriptor = clinux_accept(listener, nil, nil)
    guard descriptor >= 0 else {
      // No descriptors left: poll would report the waiting visitor again at once.
      if errno == EMFILE || errno == ENFILE { usleep(50_000) }
      return
    }
    if visits.count >= MetricsEndpoint.mostVisits {
      close(visits.removeFirst().descriptor)
    }
    visits.append((descriptor, Visit(now: now)))
  }

  private mutating func attend(_ index: Int) {
    if visits[index].visit.phase == .writing { write(index) } else { read(index) }
    // A request is mostly answered by what the socket takes at once.
    if visits[index].visit.phase == .writing { write(index) }
  }

  private mutating func read(_ index: Int) {
    let count = Glibc.read(visits[index].descriptor, &block, block.count)
    if count > 0 {
      visits[index].visit.received(block[..<count]) { [text] head in
        HTTPAnswer(to: head, path: MetricsEndpoint.path, text: text)
      }
    } else if count == 0 {
      visits[index].visit.visitorEnded()
    } else if errno != EAGAIN, errno != EINTR {
      visits[index].visit.broke()
    }
  }

  private mutating func write(_ index: Int) {
    let descriptor = visits[index].descriptor
    let count = visits[index].visit.unsent.withUnsafeBytes { bytes in
      send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
    if count > 0 {
      visits[index].visit.sent(count, now: monotonic())
      if visits[index].visit.phase == .leaving { shutdown(descriptor, Int32(SHUT_WR)) }
    } else if count < 0, errno != EAGAIN, errno != EINTR {
      visits[index].visit.broke()
    }
  }

  private mutating func dismiss(where isOver: ((descriptor: Int32, visit: Visit)) -> Bool) {
    for visit in visits where isOver(visit) { close(visit.descriptor) }
    visits.removeAll(where: isOver)
  }

  private func monotonic() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
