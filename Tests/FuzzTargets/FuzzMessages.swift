import ConformanceMessages
import ProtobufWire

func fuzzMessages(_ input: [UInt8]) throws {
  var input = FuzzInput(input)
  let kind = input.byte()
  let bytes = Array(input.rest())
  switch kind % 8 {
  case 0: try checkRoundTrip(ProtobufTestMessages_Proto3_TestAllTypesProto3.self, bytes)
  case 1: try checkRoundTrip(Google_Protobuf_Struct.self, bytes)
  case 2: try checkRoundTrip(Scalars.self, bytes)
  case 3: try checkRoundTrip(Lists.self, bytes)
  case 4: try checkRoundTrip(Maps.self, bytes)
  case 5: try checkRoundTrip(Tree.self, bytes)
  case 6: try checkRoundTrip(Choice.self, bytes)
  default: try checkRoundTrip(Optionals.self, bytes)
  }
}

/// What decodes also encodes, to bytes that decode to the same.
private func checkRoundTrip<M: Message>(_ type: M.Type, _ bytes: [UInt8]) throws {
  guard let message = try? M(serialized: bytes) else { return }
  // Compared as bytes: a number that isn't one doesn't equal itself. Maps have no order, so that
  // only the size of their encodings can be compared.
  let encoded = message.serialized()
  let again: M
  do {
    again = try M(serialized: encoded)
  } catch {
    // An expansion that the longer original allowed may be too much for what is left of it.
    if error.code == .tooLarge { return }
    throw FuzzFinding("\(type) doesn't decode what it encoded: \(error)")
  }
  guard again.serialized().count == encoded.count else {
    throw FuzzFinding("\(type) isn't the same after a round trip")
  }
}
