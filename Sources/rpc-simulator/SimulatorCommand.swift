import Flags
import RPCSimulation
import Synchronization

/// `rpc-simulator`: runs seeds of the protocol's simulation, or one of them again, step by step.
struct SimulatorCommand {
  private static let seeds = Flag(
    "seeds", .integer(in: 1...1_000_000_000), default: 10_000, help: "How many seeds to run.")
  private static let first = Flag(
    "first", .integer(in: 0...Int.max >> 1), default: 1, help: "The first seed.")
  private static let seed: Flag<Int?> = Flag(
    "seed", .integer(in: 0...Int.max >> 1), help: "Run this seed only.")
  private static let trace = Flag(
    toggle: "trace", help: "Print every step; with --seed.")
  private static let threads = Flag(
    "threads", .integer(in: 1...256), default: 2, help: "How many seeds run side by side.")

  static let command = Command(
    "rpc-simulator",
    summary: "Runs both ends of the RPC protocol over a simulated, faulty connection.",
    discussion: """
      Each seed decides limits, faults and what happens in which order. After every step the books
      of both ends are compared: credit, slots, messages, the ends of calls.
      """,
    elements: [seeds, first, seed, trace, threads],
    exitCodes: [
      (.success, "every seed passed"), (.failure, "a seed failed; it is printed"), (.usage, nil),
    ])

  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
  }

  func execute() async -> ExitCode {
    if let seed = arguments[Self.seed] { return runOne(UInt64(seed)) }
    if arguments[Self.trace] {
      Self.command.fail(.usage, "--trace prints one run: name it with --seed N")
    }
    return await runMany()
  }

  private func runOne(_ seed: UInt64) -> ExitCode {
    do {
      let trace: ((String) -> Void)? = arguments[Self.trace] ? { print($0) } : nil
      let report = try Simulation.run(seed: seed, trace: trace)
      print("seed \(seed) passed: \(text(report))")
      return .success
    } catch {
      print("FAILED \(error)")
      return .failure
    }
  }

  private func runMany() async -> ExitCode {
    let queue = SeedQueue(
      first: UInt64(arguments[Self.first]), count: UInt64(arguments[Self.seeds]))
    let start = ContinuousClock.now
    let total = await withTaskGroup(of: SimulationReport.self) { group in
      for _ in 0..<arguments[Self.threads] { group.addTask { queue.runAll() } }
      return await group.reduce(into: SimulationReport()) { $0 += $1 }
    }
    guard !queue.hasFailed else { return .failure }
    let seconds = (ContinuousClock.now - start).components.seconds
    print("\(queue.count) seeds from \(queue.first) passed in \(seconds) s: \(text(total))")
    return .success
  }

  private func text(_ report: SimulationReport) -> String {
    report.counts.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
  }
}

/// Seeds that several threads take from.
private final class SeedQueue: Sendable {
  let first: UInt64
  let count: UInt64
  private let next = Atomic<UInt64>(0)
  private let failed = Atomic<Bool>(false)

  init(first: UInt64, count: UInt64) {
    self.first = first
    self.count = count
  }

  var hasFailed: Bool { failed.load(ordering: .relaxed) }

  /// Runs seeds until none is left, or one has failed.
  func runAll() -> SimulationReport {
    var total = SimulationReport()
    while !hasFailed {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < count else { break }
      do {
        total += try Simulation.run(seed: first + index)
      } catch {
        failed.store(true, ordering: .relaxed)
        print("FAILED \(error)")
        print("see it step by step: make simulate SEED=\(first + index)")
      }
    }
    return total
  }
}
