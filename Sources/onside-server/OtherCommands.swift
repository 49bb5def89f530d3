import Flags
import Glibc
import OnsideCatalogue
import OnsideDomain
import OnsideServices
import Synchronization

/// `onside-server app-key`: makes a key for an app.
enum AppKeyCommand {
  static let command = Command(
    "onside-server app-key", summary: "Prints a new app key and its hash.",
    discussion: """
      Give the key to the app's backend, which sends it as the metadata onside-app-key, and put \
      the hash into the apps file as "key_sha256". The key is printed once and kept nowhere.
      """,
    exitCodes: [(.success, nil), (.usage, nil), (.resources, "the system has no random bytes")])

  static func run() -> Never {
    do throws(AppKeyError) {
      let key = try AppKey.random()
      StandardOutput.write("key         \(key.text)\nkey_sha256  \(key.hash)\n")
      exit(ExitCode.success.rawValue)
    } catch {
      command.fail(.resources, "\(error)")
    }
  }
}

/// `onside-server check FILE…`: reads catalogue files and says what is wrong with them.
enum CheckCommand {
  static let files = Flag(
    arguments: "FILE", .file, isRequired: true,
    help: "a catalogue file, as --catalogue takes it: [APP=]FILE")

  static let command = Command(
    "onside-server check", summary: "Reads catalogue files as the server would.",
    discussion: "Shows progress on standard error, and what was read on standard output.",
    elements: [files],
    exitCodes: [(.success, "all files can be used"), (.usage, nil), (.catalogue, nil)])

  static func run(_ arguments: ParsedArguments) -> Never {
    let sources = arguments[files].map(CatalogueSource.init(argument:))
    let progress = ProgressLine()
    do throws(CatalogueError) {
      let read = try CatalogueLoader { progress.show($0) }.load(sources)
      progress.end()
      for note in read.notes { StandardOutput.write("note: \(note)\n") }
      for app in read.snapshot.apps {
        let storefronts = app.storefronts.map(\.storefront.id).joined(separator: ", ")
        StandardOutput.write("\(app.id): \(app.productCount) products in \(storefronts)\n")
      }
      StandardOutput.write(
        "\(read.snapshot.productCount) products, \(read.snapshot.byteCount) bytes of memory\n")
      exit(ExitCode.success.rawValue)
    } catch {
      progress.end()
      command.fail(.catalogue, "\(error)")
    }
  }
}

/// How far reading is, on one line of a terminal that is written over. Nothing where there is none.
private final class ProgressLine: Sendable {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let shown = Mutex(0)

  func show(_ progress: ImportProgress) {
    guard isTerminal else { return }
    let percent = progress.byteCount.map { size in
      size > 0 ? " (\(progress.bytesRead * 100 / size) %)" : ""
    }
    let text = "\r\(progress.file): \(progress.products) products\(percent ?? "")"
    shown.withLock { count in
      count += 1
      StandardOutput.write(text + "\u{1B}[K", to: STDERR_FILENO)
    }
  }

  func end() {
    if shown.withLock({ $0 }) > 0 { StandardOutput.write("\n", to: STDERR_FILENO) }
  }
}
