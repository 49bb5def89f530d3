// What stubs, services and interceptors need of the protocol's values is to be had by importing
// this module alone. Each by name: the rest of the core is for those who drive connections.

@_exported public import struct RPCCore.Metadata
@_exported public import struct RPCCore.MonotonicInstant
@_exported public import enum RPCCore.RetryPushback
@_exported public import struct RPCCore.Status
@_exported public import struct RPCCore.StatusCode
@_exported public import struct RPCCore.StatusDetail
