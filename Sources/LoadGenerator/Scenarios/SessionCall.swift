import OnsideProto
import ProtobufWire
import RPC

/// `CreateSession`, made again and again by one slot without allocating: the request is written
/// from a template, and of the response only what is checked is read.
final class SessionCall: OutgoingCall, @unchecked Sendable {
  /// What of a response is looked at.
  struct Answer {
    var tokenFingerprint: UInt64 = 0
    var tokenLength = 0
    var profileLength = 0
    var isCreated = false
    var expiresAtMilliseconds: UInt64 = 0
    var bytes = 0
  }

  private let names: UserNames
  private let template: [UInt8]
  private let answered: (Answer) -> Void
  private let refused: (RPCError) -> Void

  /// The user of the next call.
  var user: UInt64 = 0

  /// Whether the next answer's token and profile are kept, for ``takeSession()``.
  var keepsSession = false
  private var session: SampledSession?

  /// - Parameters:
  ///   - answered: called on the loop with each right or wrong answer.
  ///   - refused: called on the loop if there is no answer to look at.
  init(
    appID: String, names: UserNames, options: CallOptions,
    answered: @escaping (Answer) -> Void, refused: @escaping (RPCError) -> Void
  ) {
    self.names = names
    self.answered = answered
    self.refused = refused
    let request = CreateSessionRequest(
      appID: appID, credential: .externalUserID(names.text(0)))
    template = request.serialized()
    super.init(LoginServiceMethods.createSession, options: options)
  }

  override func requestSize() -> Int { template.count }

  /// The user's identifier is the template's last field.
  override func encodeRequest(into buffer: UnsafeMutableRawBufferPointer) {
    buffer.copyBytes(from: template)
    guard let base = buffer.baseAddress else { return }
    names.write(user, to: base + (template.count - names.length))
  }

  override func succeeded(_ response: UnsafeRawBufferPointer, trailingMetadata: Metadata) {
    do throws(WireError) {
      let answer = try SessionCall.read(response)
      if keepsSession { try keep(response) }
      answered(answer)
    } catch {
      failed(
        RPCError(
          .internal, "the response can't be read: \(error)", cause: error,
          phase: .answered))
    }
  }

  /// What was kept of the last answer, once; nil: nothing was.
  func takeSession() -> SampledSession? {
    guard session != nil else { return nil }
    defer { session = nil }
    return session
  }

  private func keep(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
    let response = try CreateSessionResponse(decoding: bytes.bytes)
    session = SampledSession(
      token: response.sessionToken, profileID: response.profileID, user: user)
  }

  override func failed(_ error: RPCError) { refused(error) }

  /// Reads a `CreateSessionResponse`; fields that aren't known here are skipped.
  static func read(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> Answer {
    var answer = Answer()
    answer.bytes = bytes.count
    var reader = WireReader(bytes.bytes)
    while true {
      let tag = try reader.readTag()
      switch tag {
      case 0: return answer
      case 10:
        let range = try reader.readRange()
        answer.tokenLength = range.count
        let token = UnsafeRawBufferPointer(rebasing: bytes[range])
        answer.tokenFingerprint = Fingerprint.of(token)
      case 18: answer.profileLength = try reader.readRange().count
      case 24: answer.isCreated = try reader.readVarint() != 0
      case 32: answer.expiresAtMilliseconds = try reader.readVarint()
      default: try reader.skipField(tag)
      }
    }
  }
}
