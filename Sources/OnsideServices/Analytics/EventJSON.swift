import OnsideProto
import ProtobufReflection

/// Writes an event's parameters, which have been checked, as a JSON object. Their order stays.
struct EventJSON {
  private var output = JSONWriter()

  var text: String { output.text }

  mutating func append(_ parameters: [EventParameter]) {
    output.begin("{")
    for parameter in parameters {
      output.name(parameter.name)
      append(parameter.value?.value)
    }
    output.end("}")
  }

  private mutating func append(_ value: EventValue.Value?) {
    switch value {
    case .text(let value): output.string(value)
    case .number(let number): append(number)
    case .flag(let flag): output.raw(flag ? "true" : "false")
    case .list(let list):
      output.begin("[")
      for element in list.values {
        output.element()
        append(element.value)
      }
      output.end("]")
    case nil: output.raw("null")
    }
  }

  /// Whole numbers without a fraction, as other languages write them.
  private mutating func append(_ number: Double) {
    if let whole = Int64(exactly: number), abs(number) < 1e15, number.sign == .plus || whole != 0 {
      output.raw(String(whole))
    } else {
      output.raw(number.description)
    }
  }
}
