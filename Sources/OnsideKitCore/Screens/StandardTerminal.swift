import Dispatch
import Foundation
public import OnsideClient

/// The terminal that a process was started at: standard input and output.
public final class StandardTerminal: Terminal {
  /// Whether a person sits there.
  public static var isThere: Bool {
    isatty(FileHandle.standardInput.fileDescriptor) == 1
      && isatty(FileHandle.standardOutput.fileDescriptor) == 1
  }

  /// A read blocks its thread, which isn't one of those that run tasks.
  private let queue = DispatchQueue(label: "onside-terminal")

  /// The terminal; several share one input, so one is enough.
  public init() {}

  public func write(_ text: String) async {
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  public func readLine() async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Swift.readLine()) }
    }
  }
}
