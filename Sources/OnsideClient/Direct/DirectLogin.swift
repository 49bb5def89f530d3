import OnsideProto
import ProtobufWire
public import RPC
import Synchronization

/// Logs one user after the other in on one client, without a task: for programs that are very many
/// users at once, such as a load generator.
///
/// The client is signed in when the answer comes, as after `OnsideClient.resume(_:)`: the user's
/// profile isn't loaded. One object makes one call after the other, and allocates nothing for a
/// call but what the client keeps of it. A subclass is told how a call ended, on the loop of its
/// connection.
open class DirectLogin: OutgoingCall, @unchecked Sendable {
  /// What a login brought.
  public struct Answer: Sendable {
    /// The session, which the client has now.
    public let session: Session

    /// Whether the service made the user's profile now.
    public let isNewProfile: Bool

    /// The response's message, in bytes.
    public let responseSize: Int
  }

  /// Whose login it is.
  public final let client: OnsideClient

  @exclusivity(unchecked) private final var attempt: SessionMachine.Attempt?

  /// The encoded request. The user's identifier is the last of it.
  @exclusivity(unchecked) private final var request: [UInt8] = []

  /// The length of the identifier in the request, in bytes; -1: there is no request yet.
  @exclusivity(unchecked) private final var userLength = -1

  /// Whether the app's key is in the options.
  @exclusivity(unchecked) private final var isPrepared = false

  /// Makes no call yet.
  public init(_ client: OnsideClient) {
    self.client = client
    super.init(LoginServiceMethods.createSession)
  }

  /// The client has a session. It must not block.
  open func opened(_ answer: Answer) {}

  /// There is no session: the error is one of those of `OnsideClient.logIn(with:)`. It must not
  /// block.
  open func refused(_ error: OnsideError) {}

  /// Puts the app's key into the options, as `start` does before the first call.
  ///
  /// - Throws: `refused` for an app key that can't be sent.
  public final func prepare() throws(OnsideError) {
    options = try client.options(session: nil)
    isPrepared = true
  }

  /// Asks for a session; the object must not have a call under way.
  ///
  /// - Parameter externalUserID: as of `OnsideClient.logIn(externalUserID:)`.
  /// - Throws: `alreadySignedIn` when a user is signed in, or is signing in; as `prepare()`.
  public final func start(externalUserID: String) throws(OnsideError) {
    if !isPrepared { try prepare() }
    let begun = client.state.withLock { $0.machine.begin(.externalUserID(externalUserID)) }
    guard case .start(let attempt) = begun else {
      throw OnsideError(
        .alreadySignedIn, "a user is signed in, or is signing in; log out or abandon the session")
    }
    self.attempt = attempt
    write(externalUserID)
    client.invoker.start(self)
  }

  /// Puts a user into the request. What is as long as the user before only takes its place.
  private final func write(_ user: String) {
    var user = user
    let fits = user.withUTF8 { identifier in
      guard identifier.count == userLength else { return false }
      request.withUnsafeMutableBytes { bytes in
        let end = UnsafeMutableRawBufferPointer(rebasing: bytes.suffix(identifier.count))
        end.copyBytes(from: identifier)
      }
      return true
    }
    guard !fits else { return }
    // Messages may come in parts: so the credential is the last of it.
    let app = CreateSessionRequest(
      appID: client.configuration.appID, countryHint: client.configuration.countryHint ?? "")
    let credential = CreateSessionRequest(credential: .externalUserID(user))
    request = app.serialized() + credential.serialized()
    userLength = user.utf8.count
  }

  open override func prefetch() {
    RPC.prefetch(client, bytes: 256)
    request.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { RPC.prefetch(base, bytes: bytes.count) }
    }
  }

  public final override func requestSize() -> Int { request.count }

  public final override func encodeRequest(into buffer: UnsafeMutableRawBufferPointer) {
    buffer.copyBytes(from: request)
  }

  public final override func succeeded(
    _ response: UnsafeRawBufferPointer, trailingMetadata: Metadata
  ) {
    let message: CreateSessionResponse
    do throws(WireError) {
      message = try CreateSessionResponse(decoding: response)
    } catch {
      return failed(
        RPCError(
          .internal, "the response can't be read: \(error)", cause: error, phase: .answered))
    }
    guard let attempt else { return }
    let session = Session(message)
    guard client.finish(attempt, with: session) else {
      Task { [client] in try? await client.end(session) }
      return refused(.overtakenLogin)
    }
    opened(
      Answer(session: session, isNewProfile: message.created, responseSize: response.count))
  }

  public final override func failed(_ error: RPCError) {
    if let attempt { client.fail(attempt) }
    refused(OnsideError(error))
  }
}
