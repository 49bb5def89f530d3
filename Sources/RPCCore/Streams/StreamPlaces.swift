/// The places of a stream table: memory that the table owns.
///
/// Like an `UnsafeMutableBufferPointer`, but never without an address: the compiler's support for
/// ThreadSanitizer makes invalid code of accesses through an optional one.
struct StreamPlaces: RandomAccessCollection {
  /// Dangles while there is no place.
  var base: UnsafeMutablePointer<Stream>
  var count = 0

  init() {
    // An address that an array of them could have; never read or written.
    base = UnsafeMutablePointer(bitPattern: MemoryLayout<Stream>.alignment).unsafelyUnwrapped
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  /// A place that was handed out by the table: it is within the bounds.
  subscript(place: Int) -> Stream {
    // Addresses, not coroutines: those allocate in a debug build.
    unsafeAddress { UnsafePointer(base + place) }
    nonmutating unsafeMutableAddress { base + place }
  }
}
