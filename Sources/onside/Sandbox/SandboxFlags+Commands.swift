import Flags

extension SandboxFlags {
  /// All of it.
  var command: Command {
    Command(
      Self.command, summary: "Controls a test environment.",
      discussion: """
        For administrators: connect with the certificate that onside-server was given as \
        --admin-certificate, with --certificate and --key. Docs/sandbox.md says more.

        Examples, where A stands for --ca Certs/dev/ca.pem --certificate Certs/dev/admin.pem \
        --key Certs/dev/admin.key:
          onside sandbox fault add --method LoginService/GetProfile --count 1 --status UNAVAILABLE A
          onside sandbox codes +491701234567 A
          onside sandbox storefront JP --external-id user-1 A
        """,
      subcommands: [
        faults, storefront, codes, logins, deferred, approve, decline, account, attribution, events,
      ], exitCodes: Self.exitCodes)
  }

  private var faults: Command {
    Command(
      "fault", summary: "Makes calls fail.",
      subcommands: [
        Command(
          "add", summary: "Adds a fault rule: the calls that it matches fail from now on.",
          discussion: """
            A rule matches the calls that every given one of --method, --app, --profile and \
            --external-id names. The oldest rule that matches and is due fires. Give one of \
            --status, --drop-reply and --cut-connection, or --delay, or both; after a delay alone \
            the call goes on as ever.
            """,
          elements: [
            method, profile, externalID, skip, count, delay, status, message, reason, dropReply,
            cutConnection,
          ], exitCodes: Self.exitCodes),
        Command(
          "list", summary: "Shows the rules, oldest first, with how often they fired.",
          exitCodes: Self.exitCodes),
        Command(
          "remove", summary: "Removes a rule, or all.", elements: [fault, all],
          exitCodes: Self.exitCodes),
      ])
  }

  private var storefront: Command {
    Command(
      "storefront", summary: "Moves a profile to another storefront; its watchers are told.",
      discussion: "Name the profile with one of --profile, --external-id (in --app) and --phone.",
      elements: [country, profile, externalID, phone], exitCodes: Self.exitCodes)
  }

  private var codes: Command {
    Command(
      "codes", summary: "Shows the codes that were sent to a phone and can still be used.",
      elements: [number], exitCodes: Self.exitCodes)
  }

  private var logins: Command {
    Command(
      "logins", summary: "Shows the logins that wait for the store app's user.",
      discussion: "Of all apps, unless --app is given.", exitCodes: Self.exitCodes)
  }

  private var deferred: Command {
    Command(
      "deferred", summary: "Shows the purchases that wait for approval, oldest first.",
      discussion: "Of all apps, unless --app is given.", exitCodes: Self.exitCodes)
  }

  private var approve: Command {
    Command(
      "approve", summary: "Approves a login through the store app, or a deferred purchase.",
      discussion: """
        A login is approved as the account of --phone, which is made if it isn't there. Prints the \
        URL that the app is opened with.
        """, elements: [pending, phone], exitCodes: Self.exitCodes)
  }

  private var decline: Command {
    Command(
      "decline", summary: "Refuses a login through the store app, or a deferred purchase.",
      elements: [pending], exitCodes: Self.exitCodes)
  }

  private var account: Command {
    Command(
      "account", summary: "Shows what the store app lists for an account: its purchases.",
      discussion: "Those of external profiles are in no account.", elements: [number],
      exitCodes: Self.exitCodes)
  }

  private var attribution: Command {
    Command(
      "attribution", summary: "Says where an installation of --app came from.",
      elements: [installation, referrer], exitCodes: Self.exitCodes)
  }

  private var events: Command {
    Command(
      "events", summary: "Shows the events that --app has tracked, newest first.",
      elements: [limit], exitCodes: Self.exitCodes)
  }

  private static let exitCodes: [(code: ExitCode, meaning: String?)] = [
    (.success, nil), (.failure, "no answer in time, or the connection was lost"), (.usage, nil),
    (.address, nil), (.certificate, nil), (.file, nil),
    (.refused, "the certificate isn't an administrator's, or the service refused"),
  ]
}
