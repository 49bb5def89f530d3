import RPC

func fuzzInflate(_ input: [UInt8]) throws {
  let inflater = Inflater(messageLimit: 1 << 20)
  try input.withUnsafeBytes { bytes in
    if let message = try? inflater.inflate(bytes), message.count > 1 << 20 {
      throw FuzzFinding("\(message.count) bytes came of a limit of 1 MiB")
    }
    guard let deflated = Deflater().deflate(bytes) else { return }
    guard deflated.count < bytes.count else {
      throw FuzzFinding("\(bytes.count) bytes became \(deflated.count)")
    }
    try deflated.withUnsafeBytes { deflated in
      let inflated = try inflater.inflate(deflated)
      guard inflated.bytes.elementsEqual(bytes) else {
        throw FuzzFinding("deflated and inflated, the bytes aren't what they were")
      }
    }
  }
}
