import Foundation
import OnsideClient

/// The actions of the interface, each with its own error.
extension Runtime {
  func requestLogin() async -> Result<Void, OnsideLoginError> {
    do throws(OnsideError) {
      return .success(try await instance.logIn())
    } catch {
      return .failure(.loginDiscarded)
    }
  }

  func managePaymentMethods() async -> Result<Void, OnsidePaymentMethodsManagerError> {
    do throws(OnsideError) {
      return .success(try await instance.presentPaymentMethods())
    } catch {
      return .failure(OnsidePaymentMethodsManagerError(error))
    }
  }

  func attribution() async -> Result<OnsideAttributionMetadata, OnsideAttributionMetadataError> {
    do throws(OnsideError) {
      let url = try await instance.attribution()
      return .success(OnsideAttributionMetadata(refererUrl: url.flatMap(URL.init(string:))))
    } catch {
      return .failure(OnsideAttributionMetadataError(error))
    }
  }
}
