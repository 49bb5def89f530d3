import Flags
import Glibc
import OnsideCatalogue

/// Writes a large catalogue.
struct Generate {
  let products: Int
  let output: String

  init(_ arguments: ParsedArguments) {
    products = arguments[CatalogueCommand.products]
    output = arguments[CatalogueCommand.output]
  }

  func run() {
    let descriptor =
      output == "-" ? STDOUT_FILENO : open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { fail("open") }
    LargeCatalogue().write(products: products) { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { fail("write") }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
    guard close(descriptor) == 0 else { fail("write") }
  }

  private func fail(_ verb: String) -> Never {
    let reason = String(cString: strerror(errno))
    CatalogueCommand.root.fail(.file, "can't \(verb) \(output): \(reason)")
  }
}
