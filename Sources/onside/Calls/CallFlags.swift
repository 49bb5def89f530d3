import Flags

/// The commands that work with any service: `call`, `list` and `describe`.
struct CallFlags {
  let method = Flag<String>(
    argument: "METHOD", .text(), help: "What to call: PACKAGE.SERVICE/METHOD, or with a dot.")
  let data = Flag<String?>(
    "data", short: "d", .anyText("JSON|@FILE|@"),
    help: "The request as JSON, from a file, or (@ or -) from standard input. Several requests of "
      + "a streaming method stand one behind the other. Default: {}.")
  let verbose = Flag<Bool>(
    toggle: "verbose", short: "v",
    help: "Print the method, and the metadata that comes back, on standard error.")
  let header = Flag<[String]>(
    repeatable: "header", short: "H", .text("KEY:VALUE"),
    help: "Metadata to send; may be repeated. The value of a key that ends with -bin is base64.")
  let noSession = Flag<Bool>(
    toggle: "no-session", help: "Don't send the token of the session that login opened.")
  let descriptorSet = Flag<String?>(
    "descriptor-set", .file,
    help: "Take the types from this file, which protoc --include_imports --descriptor_set_out "
      + "wrote, and don't ask the server.")
  let builtIn = Flag<Bool>(
    toggle: "built-in",
    help: "Take the types of the marketplace's own services, which the program has.")
  let emitDefaults = Flag<Bool>(
    toggle: "emit-defaults", help: "Print fields also where they have their default value.")
  let service = Flag<String?>(
    optionalArgument: "SERVICE", .text(), help: "List its methods. Default: list the services.")
  let symbol = Flag<String?>(
    optionalArgument: "SYMBOL", .text(),
    help: "A service, method, message, field or enumeration by its full name. Default: all "
      + "services.")

  var commands: [Command] { [call, list, describe] }

  private var call: Command {
    Command(
      "call", summary: "Calls any method, with JSON in and out.",
      discussion: """
        The types come from the server's reflection (onside-server --reflection), else from \
        --descriptor-set, else from what the program knows of the marketplace's services. Of a \
        method with many requests, all in --data are sent; of one with many responses, each is \
        printed as it comes.

        The token of the session that `login` opened with this server goes with the call, and so \
        does the app's key of --app-key-file. A call with many responses has no time limit unless \
        --timeout is given.

        A refusal is printed on standard error: the code's name, the text, and each detail as JSON.

        Examples:
          onside call rpc.v1.Health/Check
          onside call onside.v1.ProductsService/ListProducts -d '{"productIdentifiers": ["coins"]}'
        """,
      elements: [method, data, header, verbose, emitDefaults, noSession, descriptorSet, builtIn],
      exitCodes: Self.exitCodes)
  }

  private var list: Command {
    Command(
      "list", summary: "Lists the services of a server, or the methods of one.",
      elements: [service, header, noSession, descriptorSet, builtIn],
      exitCodes: Self.exitCodes)
  }

  private var describe: Command {
    Command(
      "describe", summary: "Shows services and messages as their .proto files define them.",
      elements: [symbol, header, noSession, descriptorSet, builtIn], exitCodes: Self.exitCodes)
  }

  private static let exitCodes: [(code: ExitCode, meaning: String?)] = [
    (.success, nil), (.failure, "no answer in time, or the connection was lost"),
    (.usage, "wrong command line, JSON that is no request, or a name that isn't there"),
    (.address, nil), (.certificate, nil), (.file, nil),
    (.refused, "the call was answered with an error"),
  ]
}
