import OnsideDomain
import RPC

/// The URL scheme that an app has registered for itself: `scheme` of RFC 3986, section 3.1.
struct CallbackScheme: Sendable {
  static let maximumBytes = 64

  let text: String

  /// Checks a scheme of a request.
  ///
  /// - Throws: `CALLBACK_SCHEME_INVALID`.
  init(checking text: String) throws(RPCError) {
    let bytes = text.utf8
    guard let first = bytes.first, Self.isLetter(first), bytes.count <= Self.maximumBytes,
      bytes.allSatisfy(Self.isAllowed)
    else {
      throw RPCError(
        .callbackSchemeInvalid,
        "callback_scheme \(Escaping.quoted(String(text.prefix(80)))) isn't a URL scheme; send a "
          + "letter, then letters, digits, \"+\", \"-\" and \".\", at most \(Self.maximumBytes) "
          + "characters, without \"://\"",
        ["field": "callback_scheme", "limit": String(Self.maximumBytes)])
    }
    self.text = text
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}

/// The URLs of a login through the store app.
enum StoreLoginURL {
  /// What the app opens, for the store app.
  static func request(state: LoginID, app: String, scheme: CallbackScheme) -> String {
    "onside://login?state=\(state)&app=\(escaped(app))"
      + "&callback=\(escaped("\(scheme.text)://onside/login"))"
  }

  /// What the store app opens when its user has agreed.
  static func approval(state: LoginID, code: String, scheme: CallbackScheme) -> String {
    "\(scheme.text)://onside/login?state=\(state)&code=\(code)"
  }

  /// What the store app opens when its user has refused.
  static func refusal(state: LoginID, scheme: CallbackScheme) -> String {
    "\(scheme.text)://onside/login?state=\(state)&error=refused"
  }

  /// A value of a query: everything but the unreserved characters is percent-encoded.
  private static func escaped(_ value: String) -> String {
    var text = ""
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        text += "%" + Hexadecimal.text([byte]).uppercased()
      }
    }
    return text
  }
}
