import RPC
import RPCClient

/// Calls that are made one after the other by several workers, until told to stop, with a book of
/// how each of them ended. Every third one streams its answers.
final class ConstantLoad: Sendable {
  /// How the calls ended so far.
  struct Book: Sendable {
    var begun = 0
    var answered = 0
    var errors: [RPCError] = []
  }

  private let book = Locked(Book())
  private let isOver = Locked(false)
  private let workers = Locked<[Task<Void, Never>]>([])

  /// What is known now.
  var current: Book { book.current }

  /// Begins to call `Echo`.
  ///
  /// - Parameters:
  ///   - clients: Who calls.
  ///   - workers: Calls under way at a time, of each client.
  init(_ clients: [RPCClient], workers count: Int) {
    let tasks = clients.flatMap { client in
      (0..<count).map { worker in
        Task {
          let stub = EchoServiceClient(client)
          var number = 0
          while !self.isOver.current {
            number += 1
            if number % 3 == 0 {
              await self.stream(stub)
            } else {
              await self.call(stub, "\(worker)-\(number)")
            }
          }
        }
      }
    }
    workers.withLock { $0 = tasks }
  }

  private func call(_ stub: EchoServiceClient, _ text: String) async {
    book.withLock { $0.begun += 1 }
    do throws(RPCError) {
      let answer = try await stub.echo(EchoMessage(text: text)).text
      guard answer == text else { throw RPCError(.dataLoss, "'\(answer)' answers '\(text)'") }
      book.withLock { $0.answered += 1 }
    } catch {
      book.withLock { $0.errors.append(error) }
    }
  }

  private func stream(_ stub: EchoServiceClient) async {
    book.withLock { $0.begun += 1 }
    do throws(RPCError) {
      var count = 0
      for try await message in stub.repeat(RepeatRequest(count: 5, size: 1_000)) {
        if message.payload.count == 1_000 { count += 1 }
      }
      guard count == 5 else { throw RPCError(.dataLoss, "\(count) messages, not 5") }
      book.withLock { $0.answered += 1 }
    } catch {
      book.withLock { $0.errors.append(error) }
    }
  }

  /// Waits until so many further calls are answered, or one has failed.
  func answers(_ count: Int) async {
    let goal = current.answered + count
    await until { [book] in book.current.answered >= goal || !book.current.errors.isEmpty }
  }

  /// Makes no further calls; waits for those under way.
  func stop() async -> Book {
    isOver.withLock { $0 = true }
    for worker in workers.current { await worker.value }
    return current
  }
}
