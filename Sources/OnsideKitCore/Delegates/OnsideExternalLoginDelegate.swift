/// Supplies the app's own account identifier, for external login.
///
/// The library holds the delegate weakly. Assigning one switches external login on for later
/// logins; a session that there is already stays. Source: external-login.txt.
public protocol OnsideExternalLoginDelegate: AnyObject {
  /// The identifier of the app's current user: the `external_user_id`, not a token of any kind.
  ///
  /// Asked for at each external login. Nil: there is no account to use, so another way to sign in
  /// is taken. An empty string is sent to the service as it is.
  @MainActor func onsideExternalAccountToken() async -> String?
}
