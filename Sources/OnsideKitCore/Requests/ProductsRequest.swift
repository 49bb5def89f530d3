import OnsideClient

/// The request that `Onside.makeProductsRequest` makes.
@MainActor final class ProductsRequest: OnsideProductsRequest {
  typealias Answer = Result<OnsideProductsResponse, OnsideProductsRequestError>

  weak var delegate: (any OnsideProductsRequestDelegate)?

  private let instance: any MarketplaceInstance
  private let identifiers: [String]
  private let question = Question<Answer>()

  init(_ instance: any MarketplaceInstance, _ identifiers: Set<String>) {
    self.instance = instance
    // A set has no order; this one doesn't change from run to run.
    self.identifiers = identifiers.sorted()
  }

  func start() {
    question.ask(
      { [instance, identifiers] in await instance.products(for: identifiers) },
      { [weak self] answer in self?.take(answer) })
  }

  func stop() {
    question.cancel(.failure(.cancelled)) { [weak self] answer in self?.take(answer) }
  }

  private func take(_ answer: Answer) {
    switch answer {
    case .success(let response):
      delegate?.onsideProductsRequest(self, didReceive: response)
      delegate?.onsideProductsRequestDidFinish(self)
    case .failure(let error): delegate?.onsideProductsRequest(self, didFailWithError: error)
    }
  }
}

extension MarketplaceInstance {
  /// The products, in the words of the interface.
  func products(
    for identifiers: [String]
  ) async -> Result<OnsideProductsResponse, OnsideProductsRequestError> {
    do throws(OnsideError) {
      return .success(OnsideProductsResponse(try await products(identifiers)))
    } catch {
      return .failure(OnsideProductsRequestError(error))
    }
  }
}
