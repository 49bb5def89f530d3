import OnsideClient

/// Logging in through the store app, whose part the sandbox plays.
extension Shop {
  private enum Event: Sendable {
    case loginEnded(OnsideError?)
    case questionEnded
  }

  func logInThroughStoreApp() async {
    let (urls, opened) = AsyncStream.makeStream(of: String.self)
    marketplace.host.loginMethod = { .auto }
    marketplace.host.loginFellBack = { [self] error in
      complain(error)
      say("The login by phone follows instead. Leave the number empty to go back.")
    }
    presenter.setStoreApp { opened.yield($0) }
    await withTaskGroup(of: Event.self) { group in
      group.addTask { .loginEnded(await self.result()) }
      group.addTask {
        for await url in urls { await self.waitForCallback(of: url) }
        return .questionEnded
      }
      for await case .loginEnded(let error) in group {
        opened.finish()
        group.cancelAll()
        report(error)
      }
    }
    presenter.setStoreApp(nil)
    marketplace.host.loginMethod = { .local }
    marketplace.host.loginFellBack = { _ in }
  }

  /// Takes the callback's URL from the person, until the login is over.
  private func waitForCallback(of url: String) async {
    let login = Self.loginID(url)
    say(
      """
      The store app would open now: \(PlainText.of(url))
      The sandbox plays its part. In another terminal, its administrator runs

        $ \(settings.approvalCommand(PlainText.of(login)))

      (or decline), which prints a line that begins with "open". Waiting for the approval.
      """)
    while !Task.isCancelled {
      switch await ask("Paste the URL of that line, or press Enter to cancel: ") {
      case .again: continue
      case .empty, .end:
        // The login ends with this, and its end is told.
        _ = marketplace.logOut()
        return
      case .value(let text):
        let url = text.hasPrefix("open ") ? String(text.dropFirst(5)) : text
        if marketplace.handle(url: url) { return }
        complain(
          "That isn't the answer to this login, which begins with "
            + "\(Self.callbackScheme)://onside/login?state=\(PlainText.of(login))")
      }
    }
  }

  /// The login that the store app is asked about.
  static func loginID(_ url: String) -> String {
    let query = url.split(separator: "?", maxSplits: 1).last ?? ""
    let state = query.split(separator: "&").first { $0.hasPrefix("state=") }
    return state.map { String($0.dropFirst("state=".count)) } ?? ""
  }
}
