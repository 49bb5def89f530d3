import Flags
import Glibc
import OnsideCatalogue
import OnsideDomain

/// Times look-ups, without a server.
struct Measure {
  let products: Int
  let calls: Int
  let identifiers: Int

  init(_ arguments: ParsedArguments) {
    products = arguments[CatalogueCommand.products]
    calls = arguments[CatalogueCommand.calls]
    identifiers = arguments[CatalogueCommand.identifiers]
  }

  func run() {
    let catalogue = LargeCatalogue()
    let start = Self.now
    let snapshot: CatalogueSnapshot
    do throws(CatalogueError) {
      snapshot = try CatalogueLoader().load(generated: catalogue, products: products)
    } catch {
      CatalogueCommand.root.fail(.resources, error.description)
    }
    let seconds = Double(Self.now - start) / 1e9
    print("\(products) products in \(seconds) s, \(snapshot.byteCount >> 20) MiB")
    guard let app = snapshot.app(catalogue.app) else { return }
    let place = ListingPlace.storefront(app, snapshot.defaultStorefront(of: app))
    let lister = ProductLister(CatalogueHolder(snapshot))
    let requests = (0..<1_000).map { _ in request(catalogue) }
    for profile in ProfileKind.allCases { time(lister, requests, place, profile) }
  }

  /// Processor time, which other work on the machine changes least.
  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// An encoded request: of 20 identifiers, one that the catalogue doesn't have.
  private func request(_ catalogue: LargeCatalogue) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<identifiers {
      let index = Int.random(in: 0..<products)
      let isKnown = Int.random(in: 0..<20) > 0
      let id = isKnown ? catalogue.identifier(index) : catalogue.unknownIdentifier(index)
      bytes.append(0x0A)
      bytes.append(UInt8(id.utf8.count))
      bytes.append(contentsOf: id.utf8)
    }
    return bytes
  }

  private func time(
    _ lister: ProductLister, _ requests: [[UInt8]], _ place: ListingPlace, _ profile: ProfileKind
  ) {
    let response = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { response.deallocate() }
    var best = UInt64.max
    var bytes = 0
    for _ in 0..<5 {
      bytes = 0
      let start = Self.now
      for call in 0..<calls {
        bytes += requests[call % requests.count].withUnsafeBytes {
          answer(lister, $0, place, profile, response)
        }
      }
      best = min(best, Self.now - start)
    }
    let micros = Double(best) / 1e3 / Double(calls)
    print("\(profile): \(micros) µs a call, \(bytes / calls) bytes an answer")
  }

  private func answer(
    _ lister: ProductLister, _ request: UnsafeRawBufferPointer, _ place: ListingPlace,
    _ profile: ProfileKind, _ response: UnsafeMutableRawBufferPointer
  ) -> Int {
    do throws(ListingError) {
      _ = try lister.read(request)
    } catch {
      CatalogueCommand.root.fail(.failure, error.description)
    }
    let size = lister.plan(place, for: profile)
    lister.write(into: UnsafeMutableRawBufferPointer(rebasing: response[..<size]))
    return size
  }
}
