import OnsideKit
@testable import OnsideKitCore
import Testing

extension LibraryTests {
  @Suite("Products requests") @MainActor struct Requests {
    /// Case B37: each request is answered once, whatever is called afterwards.
    @Test("The answer, then the end; a failure has no end")
    func order() async throws {
      try await Kit.run { _, Onside in
        for (identifiers, calls): (Set<String>, [String]) in [
          (["coins"], ["received", "finished"]), ([""], ["failed"]),
        ] {
          let request = Onside.makeProductsRequest(productIdentifiers: identifiers)
          let delegate = ProductsRecorder()
          request.delegate = delegate
          request.start()
          request.start()
          _ = await delegate.answer()
          request.stop()
          await Task.yield()
          #expect(delegate.calls == calls)
        }
      }
    }

    @Test("stop() is told as cancelled, not within the call")
    func stop() async throws {
      try await Kit.run { _, Onside in
        let request = Onside.makeProductsRequest(productIdentifiers: ["coins"])
        let delegate = ProductsRecorder()
        request.delegate = delegate
        request.stop()
        request.start()
        request.stop()
        #expect(delegate.calls.isEmpty)
        guard case .failure(.cancelled) = await delegate.answer() else {
          Issue.record("a stopped request has an answer")
          return
        }
        #expect(delegate.calls == ["failed"])
      }
    }

    @Test("What is wrong with a request is said in the interface's words")
    func errors() async throws {
      try await Kit.run { kit, Onside in
        guard case .failure(.invalidProductIdentifier) = await Onside.load([""]) else {
          Issue.record("an empty identifier was taken")
          return
        }
        await Onside.shutDown()
        var other = kit.configuration
        other.appID = "com.example.unknown"
        Onside.initialize(configuration: other)
        guard case .failure(.appNotRegistered) = await Onside.load(["coins"]) else {
          Issue.record("an unknown app was served")
          return
        }
        await Onside.shutDown()
        guard case .failure(.connectionError) = await Onside.load(["coins"]) else {
          Issue.record("something was sold without the service")
          return
        }
      }
    }

    @Test("A delegate that has only the older, misspelt function is told by it")
    func misspelt() async throws {
      try await Kit.run { _, Onside in
        let request = Onside.makeProductsRequest(productIdentifiers: [""])
        let delegate = OlderDelegate()
        request.delegate = delegate
        request.start()
        for await error in delegate.errors {
          #expect(error == .invalidProductIdentifier)
          break
        }
      }
    }
  }

  /// As one public client has it.
  @MainActor private final class OlderDelegate: OnsideProductsRequestDelegate {
    let errors: AsyncStream<OnsideProductsRequestError>
    private let continuation: AsyncStream<OnsideProductsRequestError>.Continuation

    init() { (errors, continuation) = AsyncStream.makeStream() }

    func onsideProductsRequest(
      _ request: any OnsideProductsRequest, didReceive response: OnsideProductsResponse
    ) {}

    func onsideProductsRequestRequest(
      _ request: any OnsideProductsRequest, didFailWithError error: OnsideProductsRequestError
    ) { continuation.yield(error) }
  }
}

@Suite("A question that can be called off") @MainActor struct QuestionTests {
  @Test("Releasing it cancels what is under way, and there is no answer")
  func release() async {
    let (started, starts) = AsyncStream.makeStream(of: Void.self)
    let (ended, ends) = AsyncStream.makeStream(of: Bool.self)
    var question: Question<Int>? = Question<Int>()
    var answers = 0
    question?.ask(
      {
        starts.yield()
        try? await Task.sleep(for: .seconds(600))
        ends.yield(Task.isCancelled)
        return 1
      }, { _ in answers += 1 })
    for await _ in started { break }
    question = nil
    for await wasCancelled in ended {
      #expect(wasCancelled)
      break
    }
    await Task.yield()
    #expect(answers == 0)
  }

  @Test("An answer that comes after it was called off is dropped; it can be asked again")
  func cancel() async {
    let question = Question<Int>()
    let (taken, takes) = AsyncStream.makeStream(of: Int.self)
    question.ask({ 1 }, { takes.yield($0) })
    question.cancel(-1) { takes.yield($0) }
    question.cancel(-2) { takes.yield($0) }
    var iterator = taken.makeAsyncIterator()
    #expect(await iterator.next() == -1)
    question.ask({ 2 }, { takes.yield($0) })
    #expect(await iterator.next() == 2)
  }
}
