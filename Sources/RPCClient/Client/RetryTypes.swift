// What a configuration is made of is to be had by importing this module alone.

@_exported public import struct RPCCore.Backoff
@_exported public import struct RPCCore.CallPolicies
@_exported public import enum RPCCore.CallPolicy
@_exported public import struct RPCCore.HedgingPolicy
@_exported public import struct RPCCore.RetryPolicy
@_exported public import struct RPCCore.RetryThrottle
