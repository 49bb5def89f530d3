import RPCCore

/// The first byte says as what the rest arrives.
func fuzzMetadata(_ input: [UInt8]) throws {
  var input = FuzzInput(input)
  let kind = input.byte()
  let block = Array(input.rest())
  let payload = block.span.bytes
  switch kind % 4 {
  case 0:
    _ = try? Metadata(callHeader: payload)
    try fuzzCallHeader(block)
  case 1:
    guard let metadata = try? Metadata(headers: payload) else { return }
    try fuzzHeaders(metadata)
  case 2:
    _ = try? Status(decoding: payload)
    var pair = FuzzPair()
    pair.openCall(Metadata())
    pair.deliverToServer()
    pair.toClient(.end, length(of: block) + block)
    try pair.check()
  default:
    var pair = FuzzPair()
    pair.openCall(Metadata())
    pair.deliverToServer()
    pair.toClient(.headers, block)
    try pair.check()
  }
}

/// A block with its length before it, as CALL and END have it.
private func length(of block: [UInt8]) -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = block.count
  while rest >= 0x80 {
    bytes.append(UInt8(rest & 0x7F) | 0x80)
    rest >>= 7
  }
  return bytes + [UInt8(rest)]
}

private func fuzzCallHeader(_ block: [UInt8]) throws {
  var pair = FuzzPair()
  pair.toServer(.call, length(of: block) + block)
  try pair.check()
  guard let metadata = pair.received else { return }
  var second = FuzzPair()
  second.openCall(metadata)
  second.deliverToServer()
  try second.check()
  guard second.received == nil || second.received == metadata else {
    throw FuzzFinding("metadata of a call isn't the same after a round trip")
  }
}

private func fuzzHeaders(_ metadata: Metadata) throws {
  var pair = FuzzPair()
  pair.openCall(Metadata())
  pair.deliverToServer()
  pair.sendHeaders(metadata)
  pair.received = nil
  pair.deliverToClient()
  try pair.check()
  guard pair.received == nil || pair.received == metadata else {
    throw FuzzFinding("initial metadata isn't the same after a round trip")
  }
}
