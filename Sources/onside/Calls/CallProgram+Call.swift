import Flags
import Foundation
import ProtobufReflection
import RPC
import RPCServices

extension CallProgram {
  /// Calls a method.
  func call(
    _ invoker: any CallInvoker, _ source: SchemaSource, _ requests: RequestSource,
    _ metadata: Metadata
  ) async throws(Failure) {
    guard let name = MethodName(arguments[flags.method]) else {
      throw Failure(
        .usage, "\(arguments[flags.method]) names no method: expected PACKAGE.SERVICE/METHOD")
    }
    let types = try await source.pool(defining: name.service)
    let method = try method(name, in: types)
    guard !method.isClientStreaming, !method.isServerStreaming else {
      throw Failure(.usage, "\(name) is a streaming method")
    }
    let request = try onlyRequest(of: method, requests)
    do throws(RPCError) {
      let response = try await invoker.unary(
        method, request, options: CallOptions(timeout: timeout, metadata: metadata))
      try show(response)
    } catch {
      throw Failure(error, types: types)
    }
  }

  private func method(
    _ name: MethodName, in types: DescriptorPool
  ) throws(Failure) -> ServiceMethod {
    guard let service = types.service(named: name.service) else {
      throw Failure(.usage, "\(name.service) is no service; `onside list` shows services")
    }
    guard let method = service.method(named: name.method) else {
      let names = service.methods.map(\.name).joined(separator: ", ")
      throw Failure(.usage, "\(name.service) has no method \(name.method); it has \(names)")
    }
    return method
  }

  private func onlyRequest(
    of method: ServiceMethod, _ requests: RequestSource
  ) throws(Failure) -> DynamicMessage {
    var requests = requests
    guard let request = try requests.next(as: method.input) else {
      return DynamicMessage(method.input)
    }
    guard try requests.next(as: method.input) == nil else {
      throw Failure(.usage, "--data: \(method.name) takes one request, and there are more")
    }
    return request
  }

  /// Prints a response as JSON, at once: the next one may take its time.
  func show(_ response: DynamicMessage) throws(RPCError) {
    var options = JSONWritingOptions()
    options.includesDefaults = arguments[flags.emitDefaults]
    options.showsUnknownAny = true
    do throws(JSONError) {
      FileHandle.standardOutput.write(Data((try response.json(options: options) + "\n").utf8))
    } catch {
      throw RPCError(
        .internal, "the response has no form in JSON: \(error)", cause: error, phase: .answered)
    }
  }
}
