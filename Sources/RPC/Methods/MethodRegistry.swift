public import ProtobufWire

/// Collects the methods of services, with their authorization rules, for a server.
///
/// ```swift
/// var registry = MethodRegistry()
/// registry.add(login, authorization: [
///   LoginServiceMethods.createSession: .anyone,
///   LoginServiceMethods.getProfile: sessions.rule,
/// ])
/// registry.immediate(LoginServiceMethods.createSession) { request, context, sink in … }
/// ```
///
/// Mistakes are kept, and reported when the server starts.
public struct MethodRegistry: Sendable {
  /// The services that were added, in that order.
  public private(set) var services: [ServiceDescriptor] = []

  private var starts: [MethodDescriptor: RegisteredMethod.Start] = [:]
  private var order: [MethodDescriptor] = []
  private var immediates: [MethodDescriptor: ImmediateBox] = [:]
  private var rules: [MethodDescriptor: AuthorizationRule] = [:]
  private var offloaded: Set<MethodDescriptor> = []
  private var duplicates: [MethodDescriptor] = []
  private var switched: SwitchedInterceptor?

  /// Makes an empty registry.
  public init() {}

  /// The methods that have a handler, in the order of registration.
  public var methods: [MethodDescriptor] { order }

  /// Adds a service and the rules of its methods.
  ///
  /// - Parameters:
  ///   - service: Implements a generated service protocol.
  ///   - authorization: Who may call each method. Rules can be given later with `authorize`.
  public mutating func add<Service: RPCService>(
    _ service: Service, authorization: [MethodDescriptor: AuthorizationRule] = [:]
  ) {
    services.append(Service.descriptor)
    service.register(in: &self)
    for (method, rule) in authorization { rules[method] = rule }
  }

  /// Says who may call a method; the last word counts.
  public mutating func authorize(_ method: MethodDescriptor, _ rule: AuthorizationRule) {
    rules[method] = rule
  }

  /// Gives a unary method a second handler that is asked first, and answers without a task what it
  /// can. The method needs its ordinary handler as well.
  public mutating func immediate(
    _ method: MethodDescriptor, _ handler: @escaping ImmediateHandler
  ) {
    immediates[method] = ImmediateBox(handler: handler)
  }

  /// Lets an interceptor look at the calls of all methods, those too that are registered later,
  /// whenever it is switched on. A registry has one: the last word counts.
  public mutating func intercept(by switched: SwitchedInterceptor) {
    self.switched = switched
  }

  /// Says that a method's handler may compute for long or block: it runs on the server's worker
  /// threads (`ServerConfiguration.offload`) instead of on its connection's event loop, and its
  /// deadline holds also while it computes. The method has no immediate handler.
  ///
  /// In process, where no loop is held up, nothing changes.
  public mutating func offload(_ method: MethodDescriptor) {
    offloaded.insert(method)
  }

  /// Registers the handler of a unary method. Called by generated code.
  @inlinable
  public mutating func unary<Request: Message, Response: Message>(
    _ method: MethodDescriptor,
    _ handler: @escaping @Sendable (Request, ServerContext) async throws -> Response
  ) {
    register(method) { bytes, context in
      let request: Request
      do throws(WireError) {
        request = try Request(decoding: bytes)
      } catch {
        context.refuse(undecodable: error)
        return
      }
      context.willRun()
      // One closure for all of it: each further one would cost an allocation and a frame.
      let task = Task.immediate(executorPreference: context.executor) {
        do {
          let interceptors = context.interceptors
          if interceptors.isEmpty {
            let response = try await CallDeadline.with(context.deadline) {
              try await handler(request, context)
            }
            context.respond(with: response)
          } else {
            let response = try await CallDeadline.with(context.deadline) {
              try await intercepted(request, context, by: interceptors, handler: handler)
            }
            context.respond(with: response)
          }
        } catch {
          context.fail(error)
        }
        context.didRun()
      }
      context.isRunning(as: task)
    }
  }

  private func offloading(
    _ start: @escaping RegisteredMethod.Start
  ) -> RegisteredMethod.Start {
    { request, context in context.responder.offload(request, context, start) }
  }

  @usableFromInline
  mutating func register(_ method: MethodDescriptor, _ start: @escaping RegisteredMethod.Start) {
    if starts.updateValue(start, forKey: method) == nil {
      order.append(method)
    } else {
      duplicates.append(method)
    }
  }

  /// Checks what was registered and makes the table that calls are looked up in.
  ///
  /// - Parameters:
  ///   - interceptors: Run around every handler, the first outermost.
  ///   - executors: Where the handlers of a method run, by event loop; gets the method's label.
  package func table(
    interceptors: [any ServerInterceptor], executors: (UInt) -> [any TaskExecutor] = { _ in [] }
  ) throws(RegistrationError) -> MethodTable {
    guard duplicates.isEmpty else { throw .duplicate(duplicates.map(\.path)) }
    let unknown = Set(immediates.keys).union(rules.keys).union(offloaded).subtracting(order)
    guard unknown.isEmpty else { throw .unknown(unknown.map(\.path).sorted()) }
    let streaming = immediates.keys.filter { $0.shape != .unary }
    guard streaming.isEmpty else { throw .streamingImmediate(streaming.map(\.path).sorted()) }
    var methods: [RegisteredMethod] = []
    var unruled: [String] = []
    for method in order {
      guard let rule = rules[method], let start = starts[method] else {
        unruled.append(method.path)
        continue
      }
      let label = UInt(methods.count + 1)
      let isOffloaded = offloaded.contains(method)
      methods.append(
        RegisteredMethod(
          method, rule: rule, immediate: isOffloaded ? nil : immediates[method],
          interceptors: interceptors, switched: switched, executors: executors(label),
          label: label, start: isOffloaded ? offloading(start) : start))
    }
    guard unruled.isEmpty else { throw .missingAuthorization(unruled) }
    return MethodTable(methods)
  }
}
