/// The marketplace's client library, with Apple Pay where the device has it.
///
/// Everything but the entry point is in `OnsideKitCore`, which this module hands on.
/// `OnsideKitLite` has the same interface without Apple Pay.
@_exported public import OnsideKitCore

/// The entry point of the library: see ``OnsideFacade``.
public typealias Onside = OnsideFacade<FullEdition>
