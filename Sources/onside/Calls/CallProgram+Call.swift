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
    var callOptions = CallOptions(metadata: metadata)
    // A stream of responses may last as long as it likes.
    if !method.isServerStreaming || arguments.isGiven(options.timeout) {
      callOptions.timeout = timeout
    }
    let call = DynamicCall(of: method, over: invoker, options: callOptions)
    let notes = CallNotes(isOn: arguments[flags.verbose])
    notes.show(method, sending: metadata)
    do {
      let trailers = try await call.run {
        try await requests.next(as: method.input)
      } onMetadata: { metadata in
        notes.show(metadata, as: "header")
      } onResponse: { response in
        try show(response)
      }
      notes.show(trailers, as: "trailer")
    } catch let error as RPCError {
      notes.show(error.trailers, as: "trailer")
      throw Failure(error, types: types)
    } catch is DynamicCall.TooManyRequests {
      throw Failure(.usage, "--data: \(name) takes one request, and there are more")
    } catch {
      throw (error as? Failure) ?? Failure(.failure, "\(error)")
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

  /// Prints a response as JSON, at once: the next one may take its time.
  private func show(_ response: DynamicMessage) throws(Failure) {
    var options = JSONWritingOptions()
    options.includesDefaults = arguments[flags.emitDefaults]
    options.showsUnknownAny = true
    do throws(JSONError) {
      FileHandle.standardOutput.write(Data((try response.json(options: options) + "\n").utf8))
    } catch {
      throw Failure(.failure, "the response has no form in JSON: \(error)")
    }
  }
}
