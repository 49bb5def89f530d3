/// The marketplace's client library without Apple Pay.
///
/// The interface is that of `OnsideKit`. Source: the SDK's documentation: same module API, no
/// PassKit, so that a consumable of an external profile always fails with `applePayRequired`.
@_exported public import OnsideKitCore

/// The entry point of the library: see ``OnsideFacade``.
public typealias Onside = OnsideFacade<LiteEdition>
