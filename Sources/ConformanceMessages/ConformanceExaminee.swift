import ProtobufWire

/// Answers the official conformance runner: decodes what it sends, and encodes it again.
public enum ConformanceExaminee {
  /// Does what a request asks for. JSON, text and proto2 are answered with `skipped`.
  public static func answer(_ request: ConformanceRequest) -> ConformanceResponse {
    guard case .protobufPayload(let payload)? = request.payload else {
      return skipped("only binary input is implemented")
    }
    guard request.requestedOutputFormat == .protobuf else {
      return skipped("only binary output is implemented")
    }
    switch request.messageType {
    case ConformanceFailureSet.protoName:
      // The runner's first question: which tests are known to fail. None.
      return ConformanceResponse(result: .protobufPayload(ConformanceFailureSet().serialized()))
    case ProtobufTestMessages_Proto3_TestAllTypesProto3.protoName:
      return transcode(payload, as: ProtobufTestMessages_Proto3_TestAllTypesProto3.self)
    default:
      return skipped("\(request.messageType) is not implemented: proto3 only")
    }
  }

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

  private static func skipped(_ reason: String) -> ConformanceResponse {
    ConformanceResponse(result: .skipped(reason))
  }
}
