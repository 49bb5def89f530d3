import OnsideProto
import RPC

extension OnsideClient {
  /// Sends a code to a phone number: the first step of the login with one.
  ///
  /// - Parameter phoneNumber: E.164.
  /// - Throws: `refused` with `phoneNumberInvalid` or `phoneLimited`.
  public func sendPhoneCode(
    to phoneNumber: String
  ) async throws(OnsideError) -> PhoneChallenge {
    let request = SendPhoneCodeRequest(appID: configuration.appID, phoneNumber: phoneNumber)
    let options = try options(session: nil)
    do throws(RPCError) {
      let response = try await login.sendPhoneCode(request, options: options)
      return PhoneChallenge(
        id: response.challengeID, expiresAtMilliseconds: response.expiresAtMs,
        resendAfterMilliseconds: response.resendAfterMs)
    } catch {
      throw OnsideError(error)
    }
  }

  /// Begins a login through the store app.
  ///
  /// - Parameter callbackScheme: The URL scheme that the app has registered.
  /// - Throws: `refused` with `callbackSchemeInvalid`.
  public func beginStoreLogin(
    callbackScheme: String
  ) async throws(OnsideError) -> StoreLoginStart {
    let request = BeginStoreLoginRequest(
      appID: configuration.appID, callbackScheme: callbackScheme)
    let options = try options(session: nil)
    do throws(RPCError) {
      let response = try await login.beginStoreLogin(request, options: options)
      return StoreLoginStart(
        id: response.loginID, url: response.url, expiresAtMilliseconds: response.expiresAtMs)
    } catch {
      throw OnsideError(error)
    }
  }
}
