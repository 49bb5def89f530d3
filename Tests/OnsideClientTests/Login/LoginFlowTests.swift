import OnsideDomain
import Testing

@testable import OnsideClient

/// The sequence of a login, without anything around it.
@Suite struct LoginFlowTests {
  private let failed = OnsideError(.unavailable, "down")
  private let half = OnsideError(.profileUnavailable, "no profile")

  private func flow(external: Bool = true, local: Bool = false) -> (LoginFlow, LoginFlow.Step) {
    var flow = LoginFlow(appID: "shop", hasExternalAccounts: external, isLocalTesting: local)
    let step = flow.start()
    return (flow, step)
  }

  private func isPhone(_ step: LoginFlow.Step) -> Bool {
    if case .askPhoneNumber = step { true } else { false }
  }

  private func isDiscarded(_ step: LoginFlow.Step) -> Bool {
    if case .discarded(let error) = step { error.code == .loginDiscarded } else { false }
  }

  private func take(_ flow: inout LoginFlow, _ answer: LoginFlow.Answer) -> LoginFlow.Step {
    flow.take(answer)
  }

  @Test func theExternalAccountComesFirst() {
    var (flow, step) = flow()
    #expect(step == .askExternalAccount)
    step = take(&flow, .externalAccount("anna"))
    #expect(step == .openSession(.externalUserID("anna")))
  }

  @Test func anEmptyIdentifierIsSentAsItIs() {
    var (flow, _) = flow()
    let step = take(&flow, .externalAccount(""))
    #expect(step == .openSession(.externalUserID("")))
  }

  @Test func withoutAnIdentifierTheLoginMethodDecides() {
    var (flow, _) = flow()
    var step = take(&flow, .externalAccount(nil))
    #expect(step == .askMethod)
    step = take(&flow, .method(.auto))
    #expect(step == .beginStoreLogin)
  }

  @Test func afterAFailedSessionTheLoginMethodDecides() {
    var (flow, _) = flow()
    _ = take(&flow, .externalAccount("anna"))
    var step = take(&flow, .sessionFailed(failed))
    #expect(step == .askMethod)
    step = take(&flow, .method(.local))
    #expect(isPhone(step))
  }

  @Test func afterAFailedProfileComesThePhoneAndNeverTheStoreApp() {
    var (flow, _) = flow()
    _ = take(&flow, .externalAccount("anna"))
    let step = take(&flow, .sessionFailed(half))
    #expect(isPhone(step))
  }

  @Test func withoutExternalAccountsNobodyIsAskedForOne() {
    let (_, step) = flow(external: false)
    #expect(step == .askMethod)
  }

  @Test func localTestingAsksForThePhoneAlone() {
    let (_, step) = flow(local: true)
    #expect(isPhone(step))
  }

  @Test func aLogoutMeanwhileEndsTheLogin() {
    var (flow, _) = flow()
    _ = take(&flow, .externalAccount("anna"))
    let gone = OnsideError(.superseded, "gone")
    let step = take(&flow, .sessionFailed(gone))
    #expect(step == .discarded(gone))
  }

  @Test func theStoreAppApprovesRefusesAndTakesTooLong() {
    let start = StoreLoginStart(id: "l", url: "onside://login", expiresAtMilliseconds: 0)
    for (answer, check) in [
      (StoreAppAnswer.refused, isDiscarded), (.timedOut, isDiscarded), (.notOpened, isPhone),
    ] {
      var (flow, _) = flow(external: false)
      _ = take(&flow, .method(.auto))
      var step = take(&flow, .storeLoginBegun(start))
      #expect(step == .waitForStoreApp(start))
      step = take(&flow, .storeApp(answer))
      #expect(check(step), "\(answer)")
    }
    var (flow, _) = flow(external: false)
    _ = take(&flow, .method(.auto))
    _ = take(&flow, .storeLoginBegun(start))
    var step = take(&flow, .storeApp(.approved(loginID: "l", code: "c")))
    #expect(step == .openSession(.store(loginID: "l", code: "c")))
    step = take(&flow, .sessionFailed(failed))
    #expect(isDiscarded(step))
  }

  @Test func aStoreLoginThatCantBeginIsALoginByPhone() {
    var (flow, _) = flow(external: false)
    _ = take(&flow, .method(.auto))
    let step = take(&flow, .storeLoginUnavailable(failed))
    #expect(isPhone(step))
  }

  @Test func aStoreSessionWithoutProfileIsALoginByPhone() {
    var (flow, _) = flow(external: false)
    _ = take(&flow, .method(.auto))
    _ = take(&flow, .storeApp(.approved(loginID: "l", code: "c")))
    let step = take(&flow, .sessionFailed(half))
    #expect(isPhone(step))
  }

  private func phone() -> LoginFlow {
    var (flow, _) = flow(external: false)
    _ = take(&flow, .method(.local))
    _ = take(&flow, .phoneNumber(.number("+491")))
    _ = take(
      &flow,
      .codeSent(PhoneChallenge(id: "c", expiresAtMilliseconds: 2, resendAfterMilliseconds: 1)))
    return flow
  }

  @Test func aWrongCodeIsAskedForAgain() throws {
    var flow = phone()
    var step = take(&flow, .code(.code("1")))
    #expect(step == .openSession(.phone(challengeID: "c", code: "1")))
    step = take(
      &flow,
      .sessionFailed(
        OnsideError(.refused, "wrong", reason: .phoneCodeWrong, values: ["tries_left": "2"])))
    guard case .askCode(let screen) = step else { throw Unexpected(step: step) }
    #expect(screen.problem == "wrong")
    #expect(screen.triesLeft == 2)
    step = take(&flow, .code(.resend))
    #expect(step == .sendCode("+491"))
  }

  private struct Unexpected: Error {
    let step: LoginFlow.Step
  }

  @Test func tooManyCodesLeadBackToTheNumber() {
    var flow = phone()
    _ = take(&flow, .code(.code("1")))
    let step = take(
      &flow, .sessionFailed(OnsideError(.refused, "limited", reason: .phoneLimited)))
    #expect(isPhone(step))
  }

  @Test func theUserMayCloseEachScreen() {
    var flow = phone()
    var step = take(&flow, .code(.cancel))
    #expect(isDiscarded(step))
    flow = phone()
    step = take(&flow, .code(.otherNumber))
    #expect(isPhone(step))
    step = take(&flow, .phoneNumber(.cancel))
    #expect(isDiscarded(step))
  }

  /// Case B11: a login that can't succeed ends.
  @Test func aLoginEndsAfterSoManyScreens() {
    var flow = phone()
    var step = LoginFlow.Step.askMethod
    for _ in 0..<LoginFlow.maximumScreens {
      _ = take(&flow, .code(.code("1")))
      step = take(&flow, .sessionFailed(failed))
    }
    #expect(isDiscarded(step))
  }

  @Test(arguments: [
    ("shop://onside/login?state=l&code=a%20b", StoreAppAnswer.approved(loginID: "l", code: "a b")),
    ("SHOP://onside/login?code=c&state=l#x", .approved(loginID: "l", code: "c")),
    ("shop://onside/login?state=l&error=refused", .refused),
    ("shop://onside/login?state=l&code=c&error=refused", .refused),
    ("shop://onside/login?state=l", .refused),
  ]) func aCallbackIsRead(_ url: String, _ answer: StoreAppAnswer) {
    #expect(StoreCallback(url: url, scheme: "shop")?.answer == answer)
  }

  @Test(arguments: [
    "other://onside/login?state=l&code=c", "shop://elsewhere/login?state=l", "shop", "",
    "shop://onside/login?code=c", "shop://onside/login?state=%zz&code=c", "onside://login?state=l",
    "shop://onside/login?state=%",
  ]) func anotherURLIsNoCallback(_ url: String) {
    #expect(StoreCallback(url: url, scheme: "shop") == nil)
  }
}
