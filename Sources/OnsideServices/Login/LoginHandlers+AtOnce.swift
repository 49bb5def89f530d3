import OnsideDomain
import OnsideStore
import ProtobufWire
import RPC

extension LoginHandlers {
  /// Answers the login of a user who came lately, from memory alone: without a task, a message or
  /// the store. The immediate handler of `CreateSession`.
  ///
  /// Whatever isn't plainly right is left to the ordinary handler, which knows all refusals.
  func answerAtOnce(
    _ request: UnsafeRawBufferPointer, _ context: ServerContext, _ sink: inout ResponseSink
  ) throws(RPCError) -> ImmediateResult {
    guard let fields = CreateSessionFields(request),
      let app = gate.apps.find(UnsafeRawBufferPointer(rebasing: request[fields.appID]))
    else { return .needsTask }
    if !app.isOpen {
      // Before the user is looked up: without the app's key nobody learns who is known, not even by
      // the time that the refusal takes.
      try gate.admit(app, context)
      context.principal = app
    }
    let user = UnsafeRawBufferPointer(rebasing: request[fields.externalUserID])
    let hint = UnsafeRawBufferPointer(rebasing: request[fields.countryHint])
    guard hint.isEmpty || CountryCode(alpha2: hint) != nil,
      let profile = profiles.find(app: app.tag, externalUserID: user)
    else { return .needsTask }
    try sessions.begin(profile, app: app, loop: context.ownLoop) { token, expiresAt in
      Self.write(token, profile, expiresAt, to: &sink)
    }
    return .answered
  }

  /// Writes a `CreateSessionResponse`; `created` is false, which isn't there on the wire.
  private static func write(
    _ token: UnsafeRawBufferPointer, _ profile: ProfileSummary, _ expiresAt: Timestamp,
    to sink: inout ResponseSink
  ) {
    let country = profile.storefront.country.alpha2
    let expiry = UInt64(bitPattern: expiresAt.milliseconds)
    let size =
      1 + WireFormat.lengthDelimitedSize(token.count)
      + 1 + WireFormat.lengthDelimitedSize(ProfileID.textLength)
      + 1 + WireFormat.varintSize(expiry)
      + 1 + WireFormat.lengthDelimitedSize(country.utf8.count)
    sink.write(size: size) { buffer in
      var writer = WireWriter(buffer)
      writer.writeTag(WireFormat.tag(1, .lengthDelimited))
      writer.writeLengthDelimited(token)
      writer.writeTag(WireFormat.tag(2, .lengthDelimited))
      writer.writeVarint(UInt64(ProfileID.textLength))
      let place = writer.count
      profile.id.writeText(to: UnsafeMutableRawBufferPointer(rebasing: buffer[place...]))
      var rest = WireWriter(
        UnsafeMutableRawBufferPointer(rebasing: buffer[(place + ProfileID.textLength)...]))
      rest.writeTag(WireFormat.tag(4, .varint))
      rest.writeVarint(expiry)
      rest.writeTag(WireFormat.tag(5, .lengthDelimited))
      rest.writeString(country)
    }
  }
}
