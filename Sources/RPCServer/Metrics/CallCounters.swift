import RPC
import Synchronization

/// How many calls of each method have come to one loop, and what they were answered with: written
/// on the loop, read from anywhere.
///
/// Unchecked: the memory is reached through a pointer, and what is in it is atomic.
final class CallCounters: @unchecked Sendable {
  /// Of a row: the 17 codes, one for all others, and the calls that have come.
  private static let others = 17
  private static let starts = 18
  private static let rowLength = 19

  private let methods: [RegisteredMethod]

  /// A row for each method, by its label; the first is of calls of no method that is known. Behind
  /// them a sum of all, since the watchdog asks for it often.
  private let cells: UnsafeMutablePointer<Atomic<Int>>
  private let count: Int

  init(_ methods: [RegisteredMethod]) {
    self.methods = methods
    count = (methods.count + 1) * Self.rowLength + 1
    cells = .allocate(capacity: count)
    for index in 0..<count { (cells + index).initialize(to: Atomic(0)) }
  }

  deinit {
    cells.deinitialize(count: count)
    cells.deallocate()
  }

  /// Changes with every call that comes or is answered.
  var sum: Int { cells[count - 1].load(ordering: .relaxed) }

  /// Counts a call that has come for a method, by its label.
  func countStart(of label: UInt) {
    count(in: Int(label) * Self.rowLength + Self.starts)
  }

  /// Counts an answered call of a method, by its label; 0: of none.
  func countAnswer(_ code: StatusCode, of label: UInt) {
    count(in: Int(label) * Self.rowLength + min(Self.others, Int(code.rawValue)))
  }

  @inline(__always)
  private func count(in cell: Int) {
    assert(cell < count - 1)
    increment(cell)
    increment(count - 1)
  }

  /// One writer makes a load and a store enough.
  @inline(__always)
  private func increment(_ cell: Int) {
    cells[cell].store(cells[cell].load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  /// Adds these counts to a sum.
  func add(to sum: inout ServerMetrics) {
    for label in 0...methods.count {
      var counts = ServerMetrics.MethodCounts()
      let row = label * Self.rowLength
      for number in 0...Self.others {
        let answered = cells[row + number].load(ordering: .relaxed)
        guard answered > 0 else { continue }
        let code = StatusCode(rawValue: UInt32(number))
        counts.answered[code] = answered
        sum.calls[code, default: 0] += answered
      }
      counts.started = cells[row + Self.starts].load(ordering: .relaxed)
      guard label > 0, counts != ServerMetrics.MethodCounts() else { continue }
      sum.methods[methods[label - 1].descriptor.path, default: .init()].add(counts)
    }
  }
}
