import Dispatch
import Flags
import Foundation
import ProtobufReflection

/// The requests of a call: JSON objects one behind the other, from the command line, a file or
/// standard input, which is read as it comes.
actor RequestSource {
  private var splitter = JSONSplitter()
  private var readsStandardInput = false

  /// - Parameter argument: JSON, `@FILE`, or `@` or `-` for standard input; nil: nothing.
  init(_ argument: String?) throws(Failure) {
    guard let argument else { return }
    if argument == "-" || argument == "@" {
      readsStandardInput = true
    } else if argument.hasPrefix("@") {
      splitter.append(try InputFile.read(String(argument.dropFirst()), flag: "--data"))
    } else {
      splitter.append(argument.utf8)
    }
  }

  /// The next request; nil: there is none any more.
  func next(as type: MessageType) async throws(Failure) -> DynamicMessage? {
    guard let text = await nextText() else { return nil }
    var options = JSONReadingOptions()
    options.firstLine = text.line
    do throws(JSONError) {
      return try DynamicMessage(json: text.bytes, as: type, options: options)
    } catch {
      throw Failure(.usage, "--data: \(error)")
    }
  }

  private func nextText() async -> JSONSplitter.Text? {
    while true {
      if let text = splitter.next() { return text }
      guard readsStandardInput else { return splitter.rest() }
      let more = await Self.readStandardInput()
      if more.isEmpty { readsStandardInput = false } else { splitter.append(more) }
    }
  }

  /// Waits on a thread of its own: those of Swift's tasks are needed for the responses.
  private static func readStandardInput() async -> Data {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "standard-input").async {
        continuation.resume(returning: FileHandle.standardInput.availableData)
      }
    }
  }
}
