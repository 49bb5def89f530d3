#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideClient

/// The request that `Onside.makeSignedInAppsHistoryRequest` makes.
@MainActor final class HistoryRequest: OnsideSignedInAppsHistoryRequest {
  typealias Answer = Result<OnsideSignedInAppsHistory, OnsideSignedInAppsHistoryRequestError>

  weak var delegate: (any OnsideSignedInAppsHistoryRequestDelegate)?

  private let instance: any MarketplaceInstance
  private let question = Question<Answer>()

  init(_ instance: any MarketplaceInstance) {
    self.instance = instance
  }

  func start() {
    question.ask(
      { [instance] in await instance.history() },
      { [weak self] answer in self?.take(answer) })
  }

  func stop() {
    question.cancel(.failure(.cancelled)) { [weak self] answer in self?.take(answer) }
  }

  private func take(_ answer: Answer) {
    switch answer {
    case .success(let history):
      delegate?.onsideSignedInAppsHistoryRequest(self, didReceive: history)
      delegate?.onsideSignedInAppsHistoryRequestDidFinish(self)
    case .failure(let error):
      delegate?.onsideSignedInAppsHistoryRequest(self, didFailWithError: error)
    }
  }
}

extension MarketplaceInstance {
  /// The signed history, in the words of the interface.
  func history() async -> Result<OnsideSignedInAppsHistory, OnsideSignedInAppsHistoryRequestError> {
    do throws(OnsideError) {
      return .success(OnsideSignedInAppsHistory(data: Data(try await signedHistory().utf8)))
    } catch {
      return .failure(OnsideSignedInAppsHistoryRequestError(error))
    }
  }

  /// Why a history request can't be made now; nil: it can.
  var historyRefusal: OnsideSignedInAppsHistoryRequestError? {
    if isLocalTesting { return .notSupportedInLocalTesting }
    return profile == nil ? .notLoggedIn : nil
  }
}
