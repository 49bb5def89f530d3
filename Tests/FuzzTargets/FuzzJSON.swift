import ConformanceMessages
import ProtobufReflection
import ProtobufWire

func fuzzJSON(_ input: [UInt8]) throws {
  var input = FuzzInput(input)
  let kind = Int(input.byte())
  guard let pool = fuzzedTypes, let type = pool.message(named: typeNames[kind % typeNames.count])
  else { throw FuzzFinding("the types aren't there") }
  let bytes = Array(input.rest())
  if kind >= 128 {
    try checkBinary(bytes, type)
  } else if let message = try? DynamicMessage(json: bytes, as: type) {
    try checkText(message)
  }
}

/// What is read as JSON can be written, and reads as the same message again.
private func checkText(_ message: DynamicMessage) throws {
  let again: DynamicMessage
  do {
    again = try DynamicMessage(json: try message.json(), as: message.type)
  } catch {
    throw FuzzFinding("\(message.type.fullName) isn't read as it was written: \(error)")
  }
  // As bytes: a number that isn't one doesn't equal itself.
  guard again.serialized() == message.serialized() else {
    throw FuzzFinding("\(message.type.fullName) isn't the same after a round trip")
  }
}

/// Dynamic messages are what generated code is, and have a JSON form or a reason why not.
private func checkBinary(_ bytes: [UInt8], _ type: MessageType) throws {
  let isMessage = type.fullName == TestAllTypes.protoName
  let generated = isMessage ? try? TestAllTypes(serialized: bytes) : nil
  guard let dynamic = try? DynamicMessage(serialized: bytes, as: type) else {
    guard generated == nil else { throw FuzzFinding("only generated code decodes it") }
    return
  }
  if let generated {
    let again = try? TestAllTypes(serialized: dynamic.serialized())
    guard again?.serialized().count == generated.serialized().count else {
      throw FuzzFinding("a dynamic message isn't what generated code makes of the same bytes")
    }
  }
  guard let text = try? dynamic.json() else { return }
  guard (try? DynamicMessage(json: text, as: type)) != nil else {
    throw FuzzFinding("\(type.fullName) isn't read as it was written: \(text)")
  }
}

private typealias TestAllTypes = ProtobufTestMessages_Proto3_TestAllTypesProto3

private let fuzzedTypes = try? DescriptorPool([.googleProtobufTestMessagesProto3, .testV1Kinds])

private let typeNames = [
  TestAllTypes.protoName, "google.protobuf.Value", "google.protobuf.Any", "test.v1.Tree",
  "test.v1.Maps", "test.v1.Lists", "google.protobuf.Timestamp", "google.protobuf.Duration",
]
