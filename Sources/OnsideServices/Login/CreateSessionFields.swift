import OnsideDomain
import ProtobufWire

/// The fields of an encoded `CreateSessionRequest`, as places in its bytes. Of several credentials
/// the last counts; one that isn't an external user identifier leaves that empty.
struct CreateSessionFields {
  var appID = 0..<0
  var externalUserID = 0..<0
  var countryHint = 0..<0

  private static let appIDTag = WireFormat.tag(1, .lengthDelimited)
  private static let externalUserIDTag = WireFormat.tag(2, .lengthDelimited)
  private static let phoneTag = WireFormat.tag(4, .lengthDelimited)
  private static let storeTag = WireFormat.tag(5, .lengthDelimited)
  private static let countryHintTag = WireFormat.tag(3, .lengthDelimited)

  /// Reads a request, and checks nothing but its form; nil: it can't be read.
  init?(_ request: UnsafeRawBufferPointer) {
    var reader = WireReader(RawSpan(_unsafeBytes: request))
    do throws(WireError) {
      while true {
        let tag = try reader.readTag()
        switch tag {
        case 0: return
        case Self.appIDTag: appID = try reader.readRange()
        case Self.externalUserIDTag: externalUserID = try reader.readRange()
        case Self.countryHintTag: countryHint = try reader.readRange()
        case Self.phoneTag, Self.storeTag:
          externalUserID = 0..<0
          try reader.skipField(tag)
        default: try reader.skipField(tag)
        }
      }
    } catch {
      return nil
    }
  }
}
