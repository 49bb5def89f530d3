import Flags
import LoadGenerator
import RPCTransport

/// The command line of `onside-load`.
enum LoadFlags {
  static let scenario = Flag<String?>(
    optionalArgument: "SCENARIO", .choice(of: LoadScenario.allCases.map(\.rawValue)),
    help: "what each client does; see above (or --mix, --client)")
  static let target = Flag<[String]>(
    repeatable: "target", .hostPorts, isRequired: true,
    help: "where the server is; connections are spread over all targets and, of a name, over all"
      + " its addresses, in turn")
  static let ca = Flag<String?>(
    "ca", .file, help: "trust the certificates in this PEM file only; else the system's")
  static let certificate = Flag<String?>(
    "certificate", .file, help: "this client's certificate, for servers that ask for one")
  static let key = Flag<String?>("key", .file, help: "the private key of --certificate")
  static let serverName = Flag<String?>(
    "server-name", .text("NAME"),
    help: "the name that the server's certificate is checked for and that is sent to it (SNI),"
      + " in place of the target's host")
  static let insecure = Flag<Bool>(
    toggle: "insecure",
    help: "DON'T check the server's certificate: anybody on the way can pose as the server")

  static let connections = Flag<Int>(
    "connections", .integer(in: 1...1_000_000), default: 64, help: "TLS connections")
  static let inFlight = Flag<Int>(
    "in-flight", .integer(in: 1...10_000), default: 1,
    help: "calls under way on each connection (default of an open loop: 16)")
  static let duration = Flag<Double?>(
    "duration", .seconds(in: 0.001...604_800),
    help: "how long is measured (default: 10; with --calls: until they are made)")
  static let warmup = Flag<Double?>(
    "warmup", .seconds(in: 0...604_800),
    help: "how long calls are made before that (default: 1; with --calls: 0)")
  static let calls = Flag<Int?>(
    "calls", .integer(in: 1...Int.max), help: "make exactly so many calls in the measured time")
  static let rate = Flag<Double?>(
    "rate", .rate, help: "open loop: so many calls per second, however long the others take")
  static let ramp = Flag<Ramp?>(
    "ramp", .ramp, help: "open loop: a rate that changes steadily over --duration")
  static let steps = Flag<[Double]?>(
    "steps", .rates, help: "open loop: these rates, each for --step-duration")
  static let stepDuration = Flag<Double?>(
    "step-duration", .seconds(in: 0.001...604_800), help: "how long each step is (default: 10)")
  static let stages = Flag<[LoadStage]>(
    repeatable: "stage", .stage,
    help: "open loop: a part of the load, \"rate=100 for=10s\" or \"rate=100..500 for=30s\"; may be"
      + " repeated")
  static let spacing = Flag<String>(
    "arrivals", .choice(of: ArrivalSchedule.Spacing.allCases.map(\.rawValue)), default: "constant",
    help: "open loop: calls at even distances, or at random ones")
  static let maxInFlight = Flag<Int?>(
    "max-in-flight", .integer(in: 1...1_000_000),
    help: "open loop: the most calls under way at one time (default: --connections × --in-flight)")
  static let overload = Flag<String>(
    "overload", .choice(of: LoadPlan.Overload.allCases.map(\.rawValue)), default: "queue",
    help: "open loop: calls beyond that wait, with latency from their plan, or are skipped")
  static let thinkTime = Flag<ThinkTime?>(
    "think-time", .thinkTime, help: "closed loop: a client's pause between two calls")
  static let atEnd = Flag<String>(
    "at-end", .choice(of: LoadPlan.AtEnd.allCases.map(\.rawValue)), default: "wait",
    help: "calls under way when the time is over: wait for them up to --timeout, close their"
      + " connections, or ignore them")
  static let connectionsPerClient = Flag<Int>(
    "connections-per-client", .integer(in: 1...1000), default: 1,
    help: "each client spreads its calls over so many connections")
  static let callsPerConnection = Flag<Int?>(
    "calls-per-connection", .integer(in: 1...Int.max),
    help: "a client makes a new connection after so many calls (default: it keeps it)")
  static let mix = Flag<[MixPart]?>(
    "mix", .mix, help: "several scenarios by weight, as in session-return=3,product-filter=1")
  static let clients = Flag<[MixPart]>(
    repeatable: "client", .part,
    help: "one scenario of a mix with its own options, \"session-return weight=3 users=1000\", or"
      + " in a closed loop with clients of its own, \"journey clients=20 step-pause=2s\"; may be"
      + " repeated. Options: weight or clients, "
      + LoadPlan.partSettings.map(\.name).joined(separator: ", "))
  static let scenarioFile = Flag<String?>(
    "scenario-file", .file,
    help: "options from a file, one on each line without the dashes; the command line's come first")
  static let dryRun = Flag<Bool>(
    toggle: "dry-run", help: "print the plan as JSON and make no load")
  static let timeout = Flag<Double>(
    "timeout", .seconds(in: 0.001...86_400), default: 10, help: "how long one call may take")
  static let loops = Flag<Int>(
    "loops", .integer(in: 1...1024), default: 1, help: "event loops, a thread each")
  static let seed = Flag<Int?>(
    "seed", .integer(in: 0...Int.max),
    help: "of all random choices and of the users' names (default: a new one each time)")

  static let app = Flag<String>(
    "app", .text("ID"), default: "com.example.shop", help: "the app that users sign in to")
  static let appKey = Flag<String?>(
    "app-key-file", .file, help: "a file with the app's key, for apps registered with one")
  static let users = Flag<Int>(
    "users", .integer(in: 1...10_000_000), default: 1000,
    help: "known users, made known before the load")
  static let products = Flag<String?>(
    "products", .file,
    help: "identifiers to ask for: a catalogue (JSON Lines or .storekit), or lines of"
      + " IDENTIFIER [KIND] (default: those of the example catalogue)")
  static let identifiers = Flag<Int?>(
    "identifiers", .integer(in: 1...10_000),
    help: "product identifiers in one list (default: 100, of purchase 10)")
  static let unknownShare = Flag<Double>(
    "unknown-share", .number(in: 0...1), default: 0.05,
    help: "share of identifiers that no catalogue has, of product-filter")
  static let unsupportedShare = Flag<Double?>(
    "unsupported-share", .number(in: 0...1),
    help: "share of identifiers that external profiles can't buy, of product-filter (default: as"
      + " they come in --products)")
  static let zipf = Flag<Double?>(
    "zipf", .number(in: 0...10),
    help: "known users come by Zipf's law with this exponent, 1.1 for instance: few of them most"
      + " of the time (default: in turn)")
  static let repeatShare = Flag<Double>(
    "repeat-share", .number(in: 0...1), default: 0.01,
    help: "share of purchases that are made again with their key, which must give the same")
  static let stepPause = Flag<Double?>(
    "step-pause", .seconds(in: 0.001...86_400),
    help: "pause between the steps of a journey: a random time from half of it to one and a half"
      + " (default: none)")
  static let burst = Flag<Int>(
    "burst", .integer(in: 1...10_000), default: 100, help: "connections that storm makes at once")
  static let watchers = Flag<Int>(
    "watchers", .integer(in: 1...10_000), default: 10,
    help: "streams that each simulated client of watch holds open")
  static let serviceTime = Flag<String>(
    "service-time", .choice(of: ServiceTimeSampling.allCases.map(\.rawValue)),
    default: ServiceTimeSampling.sampled.rawValue,
    help: "which calls ask the server how long it worked on them; sampled: one of sixteen")
  static let adminCertificate = Flag<String?>(
    "admin-certificate", .file,
    help: "an administrator's certificate: the server is asked once a second for its CPU time,"
      + " memory, descriptors and context switches, on whatever machine it runs, and its counters"
      + " are compared with the load's")
  static let adminKey = Flag<String?>(
    "admin-key", .file, help: "the private key of --admin-certificate")
  static let applePayToken = Flag<String>(
    "apple-pay-token", .text("TOKEN"), default: "sandbox-paid", help: "what purchases are paid with"
  )
  static let resume = Flag<ResumeChoice>(
    "resume", .resumption, default: .named(.on),
    help: "which handshakes resume a TLS session: of handshake, and with --calls-per-connection")

  static let serverPID = Flag<Int?>(
    "server-pid", .integer(in: 1...4_194_304, "PID"),
    help: "the server's process on this machine: its CPU time and memory are reported")
  static let json = Flag<String?>(
    "json", .file,
    help: "write the report as JSON there; - is standard output, and nothing else is"
      + " written to it")
  static let quiet = Flag<Bool>(toggle: "quiet", help: "show no progress")

  static let latency = Flag<CapacityCriteria>(
    required: "latency", .latencyLimit,
    help: "the latency from the planned start that has to be kept, \"p99<10ms\"")
  static let errors = Flag<Double>(
    "errors", .share, default: 0.001, help: "the share of the calls that may fail")
  static let delivered = Flag<Double>(
    "delivered", .share, default: 0.99,
    help: "the share of the planned calls that has to be answered rightly")
  static let fromRate = Flag<Double>(
    "from", .rate, default: 100, help: "calls per second of the first probe")
  static let toRate = Flag<Double>(
    "to", .rate, default: 1_000_000, help: "the highest rate that is probed")
  static let probeDuration = Flag<Double>(
    "probe-duration", .seconds(in: 0.1...3600), default: 10, help: "how long each probe measures")
  static let precision = Flag<Double>(
    "precision", .share, default: 0.05,
    help: "stop when the lowest failing rate is above the highest passing by less than this")
  static let votes = Flag<Int>(
    "votes", .integer(in: 1...20), default: 3,
    help: "probes of each of the two rates at the end, to say how sure it is")

  static let reports = Flag<[String]>(
    arguments: "FILE", .file, isRequired: true, help: "reports that run --json wrote")

  /// What the scenarios are to be like.
  private static let scenarios: [any CommandElement] = [
    Heading("Scenarios"), app, appKey, users, zipf, products, identifiers, unknownShare,
    unsupportedShare, applePayToken, repeatShare, stepPause, watchers, resume, burst,
  ]

  static let run = Command(
    "run",
    summary: "Loads a server and reports: in an open loop with --rate, else in a closed one.",
    discussion: "Scenarios:\n"
      + LoadScenario.allCases.map { scenario in
        let padding = String(repeating: " ", count: 16 - scenario.rawValue.count)
        return "  \(scenario.rawValue)\(padding)\(scenario.summary)"
      }.joined(separator: "\n"),
    elements: [
      scenario, scenarioFile, mix, clients, Heading("Server"), target, ca, certificate, key,
      serverName, insecure, Heading("Load"), rate, ramp, steps, stepDuration, stages, spacing,
      maxInFlight,
      overload, connections, connectionsPerClient, callsPerConnection, inFlight, thinkTime,
      duration, warmup, calls, timeout, atEnd, loops, seed,
    ] + scenarios + [
      Heading("Report"), serviceTime, adminCertificate, adminKey, serverPID, json, quiet, dryRun,
    ] + reportFiles + AgentFlags.ofRun,
    exitCodes: [
      (.success, "calls succeeded, none failed, and no check found anything wrong"),
      (.failure, "calls failed, or none succeeded"), (.usage, nil),
      (.address, "the server can't be reached, or refuses what the load needs to begin"),
      (.certificate, nil), (.catalogue, "the products file is unreadable or wrong"),
      (.resources, nil), (.file, "a file can't be written, or read"), (.checks, nil),
      (.saturated, "the generator was the limit: the figures say little about the server"),
      (.threshold, "a condition of --fail-if holds"), (.interrupted, nil),
    ])

  static let findCapacity = Command(
    "find-capacity",
    summary: "Searches the highest rate that keeps a latency and an error rate.",
    discussion: "Each probe is a load of its own in an open loop. The rate is doubled until a probe"
      + " fails, then the gap is halved, and both of its ends are probed again.",
    elements: [
      scenario, mix, clients, Heading("Server"), target, ca, certificate, key, serverName,
      insecure, Heading("Search"), latency, errors, delivered, fromRate, toRate, probeDuration,
      precision,
      votes, Heading("Load"), spacing, maxInFlight, connections, connectionsPerClient,
      callsPerConnection, inFlight, warmup, timeout, loops, seed,
    ] + scenarios + [
      Heading("Report"), serviceTime, adminCertificate, adminKey, serverPID, json, quiet,
      prometheus, prometheusListen,
    ] + AgentFlags.ofRun,
    exitCodes: [
      (.success, "a rate was found"), (.failure, "no rate holds"), (.usage, nil),
      (.address, "the server can't be reached, or refuses what the load needs to begin"),
      (.certificate, nil), (.catalogue, "the products file is unreadable or wrong"),
      (.resources, nil), (.file, "the result can't be written"),
      (.saturated, "the generator was the limit: the server may be able to do more"),
      (.interrupted, nil),
    ])

  static let table = Command(
    "table", summary: "Prints one table of several reports.", elements: [reports],
    exitCodes: [(.success, nil), (.usage, nil), (.file, "a report can't be read")])

  static let command = Command(
    "onside-load", summary: "A load generator for onside-server.", version: "0.1.0",
    subcommands: [run, findCapacity, AgentFlags.command, report, compare, table])
}
