import Flags

/// What `onside-server` takes and says about itself.
enum ServeCommand {
  static let command = Command(
    "onside-server", summary: "Serves login, products and payments over TLS.",
    discussion: """
      Prints "listening on HOST:PORT" on standard output when it is ready, and nothing else \
      there; logs go to standard error. SIGHUP reads certificates, apps and catalogue again: what \
      is broken is logged, and what was in use stays. SIGUSR1 writes all counters to the log. \
      SIGTERM and SIGINT let the accepted calls \
      end; a second one ends at once.

      Payments are taken by a sandbox: the token says what happens. Pay with sandbox-paid, \
      sandbox-declined, sandbox-cancelled, sandbox-needs-approval, sandbox-unavailable, \
      sandbox-unavailable-once or sandbox-reply-lost; see Docs/sandbox.md.

      Also:
        onside-server app-key       prints a new app key and its hash for the apps file
        onside-server check FILE…   reads catalogue files and says what is wrong with them

      Files and signals: Docs/operations.md. Limits: Docs/limits.md.
      """,
    version: "1.0.0",
    elements: [
      ServeFlags.listen, ServeFlags.certificate, ServeFlags.key, ServeFlags.clientCA,
      ServeFlags.clientCertificates, ServeFlags.certificateCheck, ServeFlags.administrators,
      ServeFlags.minimumTLS, ServeFlags.apps, ServeFlags.catalogue, ServeFlags.store,
      ServeFlags.loops, ServeFlags.poll,
      Heading("Services"), ServeFlags.reflection, ServeFlags.sessionLifetime,
      ServeFlags.keyLifetime,
      ServeFlags.maximumProducts, ServeFlags.profileCache, ServeFlags.drainTimeout,
    ] + LimitFlags.elements + [
      Heading("Logs"), ServeFlags.logLevel, ServeFlags.logFormat, ServeFlags.metricsInterval,
    ],
    exitCodes: [
      (.success, "drained after a signal"),
      (.failure, "ended by a second signal, or calls were lost at the end of --drain-timeout"),
      (.usage, nil), (.address, nil), (.certificate, nil), (.store, nil), (.catalogue, nil),
      (.apps, nil), (.resources, nil),
    ])
}
