import OnsideProto
import RPC

extension OnsideClient {
  /// Where an installation of the app came from; nil: not known, or from nowhere in particular.
  ///
  /// - Parameter installationID: Made at random by the installation, once: 1 to 64 ASCII
  ///   characters.
  public func attribution(installationID: String) async throws(OnsideError) -> String? {
    let request = GetAttributionRequest(
      appID: configuration.appID, installationID: installationID)
    let options = try options(session: nil)
    do throws(RPCError) {
      let url = try await analytics.getAttribution(request, options: options).referrerURL
      return url.isEmpty ? nil : url
    } catch {
      throw OnsideError(error)
    }
  }

  /// Sends events. One that was sent already isn't counted again.
  ///
  /// - Parameter events: 1 to 100.
  /// - Returns: How many were new.
  @discardableResult
  public func track(
    _ events: [TrackedEvent], installationID: String
  ) async throws(OnsideError) -> Int {
    let request = TrackEventsRequest(
      appID: configuration.appID, installationID: installationID, events: events.map(\.message))
    let options = try options(session: nil)
    do throws(RPCError) {
      return Int(try await analytics.trackEvents(request, options: options).accepted)
    } catch {
      throw OnsideError(error)
    }
  }
}
