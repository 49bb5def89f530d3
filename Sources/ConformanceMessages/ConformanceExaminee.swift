import ProtobufReflection
import ProtobufWire

/// Answers the official conformance runner: decodes what it sends, and encodes it again.
public enum ConformanceExaminee {
  /// Does what a request asks for. Text and proto2 are answered with `skipped`.
  public static func answer(_ request: ConformanceRequest) -> ConformanceResponse {
    if request.messageType == ConformanceFailureSet.protoName {
      // The runner's first question: which tests are known to fail. None.
      return ConformanceResponse(result: .protobufPayload(ConformanceFailureSet().serialized()))
    }
    guard request.messageType == TestAllTypes.protoName else {
      return skipped("\(request.messageType) is not implemented: proto3 only")
    }
    switch (request.payload, request.requestedOutputFormat) {
    case (.protobufPayload(let payload), .protobuf):
      return transcode(payload, as: TestAllTypes.self)
    case (.protobufPayload, .json), (.jsonPayload, .protobuf), (.jsonPayload, .json):
      return transcodeDynamically(request)
    default:
      return skipped("only binary and JSON are implemented")
    }
  }

  private typealias TestAllTypes = ProtobufTestMessages_Proto3_TestAllTypesProto3

  private static func transcode<M: Message>(
    _ payload: [UInt8], as type: M.Type
  ) -> ConformanceResponse {
    do {
      return ConformanceResponse(
        result: .protobufPayload(try M(serialized: payload).serialized()))
    } catch {
      return ConformanceResponse(result: .parseError(error.description))
    }
  }

  /// JSON is for messages whose type is known at run time only.
  private static func transcodeDynamically(_ request: ConformanceRequest) -> ConformanceResponse {
    guard let type = types?.message(named: request.messageType) else {
      return ConformanceResponse(result: .runtimeError("\(request.messageType) isn't known"))
    }
    let message: DynamicMessage
    do {
      message = try read(request, as: type)
    } catch {
      return ConformanceResponse(result: .parseError("\(error)"))
    }
    guard request.requestedOutputFormat == .json else {
      return ConformanceResponse(result: .protobufPayload(message.serialized()))
    }
    do {
      return ConformanceResponse(result: .jsonPayload(try message.json()))
    } catch {
      return ConformanceResponse(result: .serializeError(error.description))
    }
  }

  private static func read(
    _ request: ConformanceRequest, as type: MessageType
  ) throws -> DynamicMessage {
    if case .protobufPayload(let payload) = request.payload {
      return try DynamicMessage(serialized: payload, as: type)
    }
    var text = ""
    if case .jsonPayload(let payload) = request.payload { text = payload }
    var options = JSONReadingOptions()
    options.ignoresUnknownFields = request.testCategory == .jsonIgnoreUnknownParsingTest
    return try DynamicMessage(json: text, as: type, options: options)
  }

  private static let types = try? DescriptorPool([.googleProtobufTestMessagesProto3])

  private static func skipped(_ reason: String) -> ConformanceResponse {
    ConformanceResponse(result: .skipped(reason))
  }
}
