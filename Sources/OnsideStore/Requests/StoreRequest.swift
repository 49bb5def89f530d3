/// A request on its way through a queue: it is run with the connection of whoever takes it, and
/// completed later, when the batch that it was in has been committed.
///
/// Unchecked: it is handed from the caller to the queue's thread to the completion's thread, and
/// touched by one at a time.
class StoreRequest: @unchecked Sendable {
  final let options: RequestOptions

  init(options: RequestOptions) {
    self.options = options
  }

  /// Runs the request. What it throws by itself is kept as its result, and returned.
  func run(on connection: SQLiteConnection) -> StoreError? { nil }

  /// Makes `error` the result, whatever the request found itself.
  func fail(_ error: StoreError) {}

  /// Makes `error` the result if there is none yet.
  func failUnlessAnswered(_ error: StoreError) {}

  /// Hands the result to the caller.
  func complete() {}
}

/// A request with a result.
final class TypedRequest<Value: Sendable>: StoreRequest, @unchecked Sendable {
  typealias Body = @Sendable (SQLiteConnection) throws(StoreError) -> Value

  private let body: Body
  private let completion: StoreCompletion<Value>
  private var result: Result<Value, StoreError>?

  init(
    options: RequestOptions, completion: @escaping StoreCompletion<Value>, body: @escaping Body
  ) {
    self.body = body
    self.completion = completion
    super.init(options: options)
  }

  override func run(on connection: SQLiteConnection) -> StoreError? {
    do throws(StoreError) {
      result = .success(try body(connection))
      return nil
    } catch {
      result = .failure(error)
      return error
    }
  }

  override func fail(_ error: StoreError) {
    result = .failure(error)
  }

  override func failUnlessAnswered(_ error: StoreError) {
    if result == nil { result = .failure(error) }
  }

  override func complete() {
    completion(result ?? .failure(.storeClosed))
  }
}

/// Hands a batch's results out.
enum Delivery {
  /// Completes the requests, with one post for each target.
  static func complete(_ requests: some Sequence<StoreRequest>) {
    var groups: [(target: any CompletionTarget, requests: [StoreRequest])] = []
    for request in requests {
      guard let target = request.options.target else {
        request.complete()
        continue
      }
      if let group = groups.firstIndex(where: { $0.target === target }) {
        groups[group].requests.append(request)
      } else {
        groups.append((target, [request]))
      }
    }
    for group in groups {
      let requests = group.requests
      group.target.post { for request in requests { request.complete() } }
    }
  }
}
