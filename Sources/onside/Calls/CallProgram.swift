import Flags
import ProtobufReflection
import RPC
import RPCServices

/// One run of `call`, `list` or `describe`.
struct CallProgram {
  let flags: CallFlags
  let options: OnsideCommand
  let arguments: ParsedArguments
  let access: ServerAccess

  /// The names of the commands.
  static let commands: Set<String> = ["call", "list", "describe"]

  init(_ options: OnsideCommand, _ arguments: ParsedArguments) {
    self.options = options
    self.arguments = arguments
    flags = options.calls
    access = ServerAccess(options: options, arguments: arguments)
  }

  /// Does what was asked.
  func run() async throws(Failure) {
    let metadata = try metadata()
    let types = try givenTypes()
    // `list` and `describe` of types that are here already need no server.
    if let types, arguments.path.first != "call" {
      return try await show(SchemaSource(given: types, server: nil))
    }
    // What is wrong with the request's file shouldn't cost a connection.
    let requests = arguments.path.first == "call" ? try RequestSource(arguments[flags.data]) : nil
    let connection = try access.connect()
    let server = ServerSchema(
      connection.client,
      options: CallOptions(timeout: timeout, metadata: metadata))
    let source = SchemaSource(given: types, server: server)
    let result: Result<Void, Failure>
    do throws(Failure) {
      if let requests {
        try await call(connection.client, source, requests, metadata)
      } else {
        try await show(source)
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    await connection.close()
    try result.get()
  }

  private func show(_ source: SchemaSource) async throws(Failure) {
    if arguments.path.first == "list" {
      try await list(source)
    } else {
      try await describe(source)
    }
  }

  /// How long one call may take.
  var timeout: Duration { .milliseconds(Int64(arguments[options.timeout] * 1_000)) }

  /// The types that the command line names; nil: the server is asked.
  private func givenTypes() throws(Failure) -> DescriptorPool? {
    guard let path = arguments[flags.descriptorSet] else {
      return arguments[flags.builtIn] ? try SchemaSource.builtIn() : nil
    }
    let bytes = try InputFile.read(path, flag: "--descriptor-set")
    do throws(DescriptorError) {
      return try DescriptorPool(descriptorSet: bytes, others: SchemaSource.knownFiles)
    } catch {
      throw Failure(.file, "--descriptor-set: \(path): \(error)")
    }
  }
}
