import Flags
import LoadGenerator
import RPCTransport

/// The command line of `onside-load`.
enum LoadFlags {
  static let scenario = Flag<String>(
    argument: "SCENARIO", .choice(of: LoadScenario.allCases.map(\.rawValue)),
    help: "what each client does; see above")
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
    "in-flight", .integer(in: 1...10_000), default: 1, help: "calls under way on each connection")
  static let duration = Flag<Double?>(
    "duration", .seconds(in: 0.001...604_800),
    help: "how long is measured (default: 10; with --calls: until they are made)")
  static let warmup = Flag<Double?>(
    "warmup", .seconds(in: 0...604_800),
    help: "how long calls are made before that (default: 1; with --calls: 0)")
  static let calls = Flag<Int?>(
    "calls", .integer(in: 1...Int.max), help: "make exactly so many calls in the measured time")
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
  static let applePayToken = Flag<String>(
    "apple-pay-token", .text("TOKEN"), default: "sandbox-paid", help: "what purchases are paid with"
  )
  static let resume = Flag<String>(
    "resume", .choice(of: LoadPlan.Resumption.allCases.map(\.rawValue)), default: "on",
    help: "which handshakes resume a TLS session")

  static let serverPID = Flag<Int?>(
    "server-pid", .integer(in: 1...4_194_304, "PID"),
    help: "the server's process on this machine: its CPU time and memory are reported")
  static let json = Flag<String?>(
    "json", .file,
    help: "write the report as JSON there; - is standard output, and nothing else is"
      + " written to it")
  static let quiet = Flag<Bool>(toggle: "quiet", help: "show no progress")

  static let reports = Flag<[String]>(
    arguments: "FILE", .file, isRequired: true, help: "reports that run --json wrote")

  static let run = Command(
    "run", summary: "Loads a server in a closed loop and reports.",
    discussion: "Scenarios:\n"
      + LoadScenario.allCases.map { scenario in
        let padding = String(repeating: " ", count: 16 - scenario.rawValue.count)
        return "  \(scenario.rawValue)\(padding)\(scenario.summary)"
      }.joined(separator: "\n"),
    elements: [
      scenario, Heading("Server"), target, ca, certificate, key, serverName, insecure,
      Heading("Load"),
      connections, inFlight, duration, warmup, calls, timeout, loops, seed, Heading("Scenarios"),
      app, appKey, users, products, identifiers, unknownShare, applePayToken, resume,
      Heading("Report"), serverPID, json, quiet,
    ] + reportFiles + AgentFlags.ofRun,
    exitCodes: [
      (.success, "calls succeeded, none failed, and no check found anything wrong"),
      (.failure, "calls failed, or none succeeded"), (.usage, nil),
      (.address, "the server can't be reached, or refuses what the load needs to begin"),
      (.certificate, nil), (.catalogue, "the products file is unreadable or wrong"),
      (.resources, nil), (.file, "a file can't be written, or read"), (.checks, nil),
      (.saturated, nil), (.threshold, "a condition of --fail-if holds"), (.interrupted, nil),
    ])

  static let table = Command(
    "table", summary: "Prints one table of several reports.", elements: [reports],
    exitCodes: [(.success, nil), (.usage, nil), (.file, "a report can't be read")])

  static let command = Command(
    "onside-load", summary: "A load generator for onside-server.", version: "0.1.0",
    subcommands: [run, AgentFlags.command, report, compare, table])
}
