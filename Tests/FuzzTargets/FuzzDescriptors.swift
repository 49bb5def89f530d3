import ProtobufReflection
import ProtobufWire

/// A file's descriptor, behind the length of a message that its types are tried with.
func fuzzDescriptors(_ input: [UInt8]) {
  var input = FuzzInput(input)
  let sample = Array(input.take(Int(input.byte())))
  guard let pool = try? DescriptorPool(serializedFiles: [Array(input.rest())]) else { return }
  for file in pool.files { _ = file.withImports }
  for service in pool.services {
    _ = pool.describe(service.fullName)
    for method in service.methods {
      _ = pool.describe(service.fullName + "." + method.name)
      use(method.input, in: pool, sample)
      use(method.output, in: pool, sample)
    }
  }
}

private func use(_ type: MessageType, in pool: DescriptorPool, _ sample: [UInt8]) {
  _ = pool.describe(type.fullName)
  for field in type.fields.prefix(20) { _ = pool.describe(type.fullName + "." + field.name) }
  if let message = try? DynamicMessage(serialized: sample, as: type) {
    _ = message.serialized()
    if let text = try? message.json() { _ = try? DynamicMessage(json: text, as: type) }
  }
  var options = JSONWritingOptions()
  options.includesDefaults = true
  _ = try? DynamicMessage(type).json(options: options)
}
