import Flags
import ProtobufReflection

extension CallProgram {
  /// Lists services, or the methods of one.
  func list(_ source: SchemaSource) async throws(Failure) {
    let names: [String]
    if let name = arguments[flags.service] {
      guard let service = try await source.pool(defining: name).service(named: name) else {
        throw Failure(.usage, "\(name) is no service; `onside list` shows services")
      }
      names = service.methods.map { "\(name).\($0.name)" }
    } else {
      names = try await source.services()
    }
    if arguments[options.json] { return print(JSON.text(names), terminator: "") }
    for name in names { print(Failure.harmless(name)) }
  }

  /// Describes a symbol, or all services.
  func describe(_ source: SchemaSource) async throws(Failure) {
    var symbols: [String] = []
    if let symbol = arguments[flags.symbol] {
      let plain = symbol.drop { $0 == "." || $0 == "/" }
      symbols = [String(plain.map { $0 == "/" ? "." : $0 })]
    } else {
      symbols = try await source.services()
    }
    for symbol in symbols {
      guard let described = try await source.pool(defining: symbol).describe(symbol) else {
        throw Failure(.usage, "\(symbol) can't be described")
      }
      print(described.text, terminator: "")
    }
  }
}
