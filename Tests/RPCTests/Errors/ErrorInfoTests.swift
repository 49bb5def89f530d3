import RPC
import Testing

@Suite struct ErrorInfoTests {
  @Test func bytesAreThoseOfTheSchema() {
    // As `protoc --encode=rpc.v1.ErrorInfo` writes it.
    let info = ErrorInfo(reason: "R", domain: "d", values: ["b": "2", "a": "1"])
    #expect(
      info.detail.value == [
        0x0A, 1, 0x52, 0x12, 1, 0x64, 0x1A, 6, 0x0A, 1, 0x61, 0x12, 1, 0x31, 0x1A, 6, 0x0A, 1,
        0x62, 0x12, 1, 0x32,
      ])
    #expect(info.detail.typeURL == "type.googleapis.com/rpc.v1.ErrorInfo")
  }

  @Test(arguments: [
    ErrorInfo(reason: "", domain: ""),
    ErrorInfo(reason: "A", domain: "b", values: ["": "", "k": String(repeating: "v", count: 300)]),
  ])
  func readsWhatItWrites(info: ErrorInfo) {
    #expect(ErrorInfo(info.detail) == info)
  }

  @Test func whatIsNotAnInfoIsNone() {
    let detail = StatusDetail(typeURL: ErrorInfo.typeURL, value: [0x0A, 5, 0x52])
    #expect(ErrorInfo(detail) == nil)
    #expect(RPCError(.internal, "m", details: [detail]).info == nil)
    let other = StatusDetail(typeURL: "type.googleapis.com/other.Message", value: [])
    #expect(RPCError(.internal, "m", details: [other]).info == nil)
  }
}
