import OnsideStore

/// A fault rule: which calls fail, how, and how often.
struct Fault: Hashable, Sendable {
  /// Which calls it matches. A field that is nil matches every call.
  struct Match: Hashable, Sendable {
    /// The method's path: `onside.v1.LoginService/CreateSession`.
    var method: String?
    var appID: String?
    var profileID: ProfileID?
    var externalUserID: String?
  }

  /// A status to answer with.
  struct Answer: Hashable, Sendable {
    /// 1 to 16.
    var code: UInt32
    var message: String

    /// Of the error's `ErrorInfo`; empty: it has none.
    var reason: String
  }

  /// What becomes of a call.
  enum Effect: Hashable, Sendable {
    /// It isn't run, and answered with a status.
    case answer(Answer)

    /// It is run, and its reply is dropped.
    case dropReply

    /// It isn't run, and its connection is cut.
    case cutConnection
  }

  /// Given when the rule is added.
  var id = ""
  var match = Match()

  /// So many calls that match are let through first.
  var skip: UInt64 = 0

  /// How often it fires; 0: until it is removed.
  var count: UInt64 = 0

  /// Waits so many milliseconds before anything else.
  var delayMilliseconds: UInt32 = 0

  /// What happens after the delay; nil: the call goes on as ever.
  var effect: Effect?

  /// How many calls have matched.
  var matched: UInt64 = 0

  /// How often it has fired.
  var fired: UInt64 = 0
}

/// A call, as fault rules look at it. What isn't known matches only rules that don't ask for it.
struct FaultCandidate: Hashable, Sendable {
  var method: String
  var appID: String?
  var profileID: ProfileID?
  var externalUserID: String?
}

extension Fault.Match {
  /// Whether it is about this call.
  func matches(_ call: FaultCandidate) -> Bool {
    (method == nil || method == call.method)
      && (appID == nil || areSame(appID, call.appID))
      && (profileID == nil || profileID == call.profileID)
      && (externalUserID == nil || areSame(externalUserID, call.externalUserID))
  }

  /// Identifiers are compared byte by byte; `==` would take two spellings of "é" for one.
  private func areSame(_ own: String?, _ other: String?) -> Bool {
    guard let own, let other else { return false }
    return own.utf8.elementsEqual(other.utf8)
  }
}
