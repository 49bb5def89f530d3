import ProtobufWire

/// Writes what belongs to a service: the protocol for servers, the descriptors, the client.
struct ServiceGenerator {
  let descriptor: ServiceDescriptor
  /// The full name in the schema.
  let protoName: String
  let swiftName: String
  let path: [Int32]
  let file: FileContext
  /// What holds the service's `.proto` file for reflection; nil: nothing does.
  let constant: String?
  let methods: [Method]

  init(
    _ descriptor: ServiceDescriptor, protoName: String, swiftName: String, path: [Int32],
    file: FileContext, constant: String?
  ) throws(GenerationError) {
    self.descriptor = descriptor
    self.protoName = protoName
    self.swiftName = swiftName
    self.path = path
    self.file = file
    self.constant = constant
    var methods: [Method] = []
    for (index, method) in descriptor.methods.enumerated() {
      methods.append(try Method(method, path: path + [2, Int32(index)], types: file.types))
    }
    self.methods = methods
  }

  private var visibility: String { file.options.visibility }
  private var descriptors: String { swiftName + "Methods" }

  func write(to source: inout SourceText) {
    writeProtocol(to: &source)
    source.line()
    writeRegistration(to: &source)
    source.line()
    writeDescriptors(to: &source)
    source.line()
    writeClient(to: &source)
  }

  private func writeProtocol(to source: inout SourceText) {
    let comment = file.comments[path]
    source.documentation(comment, fallback: "What a server of `\(protoName)` implements.")
    source.block("\(visibility) protocol \(swiftName): RPCService") { source in
      var first = true
      for method in methods {
        if !first { source.line() }
        first = false
        source.documentation(file.comments[method.path], fallback: "`\(method.protoName)`.")
        source.line("func \(method.name)(")
        for line in method.serverParameters { source.line("  \(line)") }
        source.line(") async throws\(method.serverResult)")
      }
    }
  }

  private func writeRegistration(to source: inout SourceText) {
    source.block("extension \(swiftName)") { source in
      source.line("/// The service and its methods.")
      source.line(
        "\(visibility) static var descriptor: ServiceDescriptor { \(descriptors).descriptor }")
      source.line()
      source.line("/// Adds each method to a registry.")
      source.block("\(visibility) func register(in registry: inout MethodRegistry)") { source in
        for method in methods {
          source.line("registry.\(method.shape)(\(descriptors).\(method.name)) {")
          source.line("  (\(method.handlerParameters)) in")
          source.line("  try await self.\(method.name)(\(method.handlerArguments))")
          source.line("}")
        }
      }
    }
  }

  private func writeDescriptors(to source: inout SourceText) {
    source.line("/// The methods of `\(protoName)`.")
    source.block("\(visibility) enum \(descriptors)") { source in
      for method in methods {
        source.line("/// `\(protoName)/\(method.protoName)`.")
        source.line("\(visibility) static let \(method.name) = MethodDescriptor(")
        source.line("  service: \"\(protoName)\", method: \"\(method.protoName)\",")
        source.line(
          "  shape: .\(method.shape), idempotency: .\(method.idempotency), "
            + "carriesCredentials: \(method.carriesCredentials))")
        source.line()
      }
      source.line("/// The service and its methods, in the order of the `.proto` file.")
      source.line("\(visibility) static let descriptor = ServiceDescriptor(")
      let names = methods.map(\.name).joined(separator: ", ")
      let file = constant.map { ",\n    file: .\($0)" } ?? ""
      source.line("  name: \"\(protoName)\", methods: [\(names)]\(file))")
    }
  }

  private func writeClient(to source: inout SourceText) {
    source.documentation(file.comments[path], fallback: "Calls `\(protoName)`.")
    source.block("\(visibility) struct \(swiftName)Client: Sendable") { source in
      source.line("/// What carries the calls.")
      source.line("\(visibility) let invoker: any CallInvoker")
      source.line()
      source.line("/// A client whose calls `invoker` carries.")
      source.block("\(visibility) init(_ invoker: any CallInvoker)") { source in
        source.line("self.invoker = invoker")
      }
      for method in methods {
        source.line()
        source.documentation(file.comments[method.path], fallback: "`\(method.protoName)`.")
        source.line("\(visibility) func \(method.name)(")
        source.line("  \(method.clientParameters)")
        source.block(") \(method.clientResult)") { source in
          let request = method.hasManyRequests ? "" : "request, "
          let arguments = "\(descriptors).\(method.name), \(request)options: options"
          source.line(
            method.isUnary
              ? "try await invoker.unary(\(arguments))" : "invoker.\(method.shape)(\(arguments))")
        }
      }
    }
  }
}
