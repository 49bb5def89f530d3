import Flags
import OnsideProto
import RPC

extension SandboxProgram {
  func setAttribution(_ service: SandboxServiceClient) async throws(RPCError) {
    let (installation, url) = (arguments[flags.installation], arguments[flags.referrer])
    _ = try await service.setAttribution(
      SetAttributionRequest(
        appID: arguments[options.app], installationID: installation, referrerURL: url),
      options: callOptions)
    show(
      ["installation_id": installation, "referrer_url": url],
      "\(installation) came from \(url.isEmpty ? "nowhere in particular" : url)")
  }

  func listEvents(_ service: SandboxServiceClient) async throws(RPCError) {
    let events = try await service.listEvents(
      ListEventsRequest(
        appID: arguments[options.app], limit: Int32(clamping: arguments[flags.limit])),
      options: callOptions
    ).events
    var table = Table(header: ["at", "installation", "event", "name", "parameters"])
    for event in events {
      table.add([
        time(event.occurredAtMs), event.installationID, event.eventID, event.name,
        event.parametersJson,
      ])
    }
    show(events.map(JSON.object), events.isEmpty ? "no events" : table.text)
  }
}
