import Flags
import Foundation
import ProtobufReflection

/// The requests of a call: JSON objects one behind the other, from the command line, a file or
/// standard input, which is read as it comes.
struct RequestSource {
  private var splitter = JSONSplitter()
  private var readsStandardInput = false

  /// True: there is no JSON at all, which stands for one empty request of a unary method.
  let isAbsent: Bool

  /// - Parameter argument: JSON, `@FILE` or `-`; nil: nothing.
  init(_ argument: String?) throws(Failure) {
    isAbsent = argument == nil
    guard let argument else { return }
    if argument == "-" {
      readsStandardInput = true
    } else if argument.hasPrefix("@") {
      splitter.append(try InputFile.read(String(argument.dropFirst()), flag: "--data"))
    } else {
      splitter.append(argument.utf8)
    }
  }

  /// The next request; nil: there is none any more.
  mutating func next(as type: MessageType) throws(Failure) -> DynamicMessage? {
    guard let text = nextText() else { return nil }
    var options = JSONReadingOptions()
    options.firstLine = text.line
    do throws(JSONError) {
      return try DynamicMessage(json: text.bytes, as: type, options: options)
    } catch {
      throw Failure(.usage, "--data: \(error)")
    }
  }

  private mutating func nextText() -> JSONSplitter.Text? {
    while true {
      if let text = splitter.next() { return text }
      guard readsStandardInput else { return splitter.rest() }
      let more = FileHandle.standardInput.availableData
      if more.isEmpty { readsStandardInput = false } else { splitter.append(more) }
    }
  }
}
