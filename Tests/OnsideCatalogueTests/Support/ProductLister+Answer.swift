import OnsideCatalogue
import OnsideDomain
import OnsideProto
import ProtobufWire

extension ProductLister {
  /// All steps of a call, from request to response bytes.
  func answer(
    _ request: [UInt8], _ place: ListingPlace, for profile: OnsideDomain.ProfileKind = .regular
  ) throws(ListingError) -> [UInt8] {
    try request.span.bytes.withUnsafeBytes { bytes throws(ListingError) in
      _ = try read(bytes)
      let size = plan(place, for: profile)
      return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        write(into: UnsafeMutableRawBufferPointer(buffer))
        count = size
      }
    }
  }

  /// The fields of a request.
  func fields(_ request: [UInt8]) throws(ListingError) -> ListingFields {
    try request.span.bytes.withUnsafeBytes { bytes throws(ListingError) in try read(bytes) }
  }
}

/// A request for identifiers.
func request(_ identifiers: [String]) -> [UInt8] {
  var request = ListProductsRequest()
  request.productIdentifiers = identifiers
  return request.serialized()
}
