import RPCCore

/// What a marketplace allows, and what it works with.
public struct MarketplaceConfiguration: Sendable {
  /// The apps that may use it.
  public var apps = AppRegistry.example

  /// Who may control it as a test environment. Nobody: the sandbox's service isn't offered.
  public var administrators = Administrators()

  /// The most product identifiers that one call of `ListProducts` may ask for.
  public var maximumProductIdentifiers = 1_000

  /// How long a session's token is good for.
  public var sessionLifetime = Duration.seconds(86_400)

  /// How long new tokens are sealed with one key.
  public var tokenKeyLifetime = Duration.seconds(86_400)

  /// How many profiles are held in memory, so that a known user's login touches no store.
  public var profileCacheCapacity = 1_000_000

  /// How many tracked events of each app are kept: beyond it the oldest make room.
  public var maximumTrackedEvents = 100_000

  /// What phone login allows.
  public var phoneLogin = PhoneLoginPolicy()

  /// Sends the codes of phone login.
  public var phoneGateway: any PhoneGateway = SandboxPhoneGateway()

  /// What logins through the store app allow.
  public var storeLogin = StoreLoginPolicy()

  /// Takes the payments.
  public var processor: any PaymentProcessor = SandboxProcessor()

  /// What signed histories name as their issuer (`iss`).
  public var historyIssuer = "onside"

  /// How long starting may wait for the processor to tell the outcomes of purchases that were left
  /// without one. What is still open then is asked for later.
  public var resolvingTime = Duration.seconds(10)

  /// How long tokens and their keys live.
  var tokenPolicy: TokenPolicy {
    var policy = TokenPolicy(tokenLifetime: sessionLifetime.saturatedNanoseconds / 1_000_000)
    policy.rotationPeriod = tokenKeyLifetime.saturatedNanoseconds / 1_000_000
    policy.leadTime = min(policy.leadTime, policy.rotationPeriod / 2)
    return policy
  }

  /// The clocks.
  public var clock = ServiceClock.system

  /// The defaults: the example app, and the sandbox's processor and gateway.
  public init() {}
}
