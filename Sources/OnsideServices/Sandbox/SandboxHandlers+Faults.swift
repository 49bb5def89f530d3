import OnsideDomain
import OnsideProto
import RPC

extension SandboxHandlers {
  func addFault(
    _ request: AddFaultRequest, context: ServerContext
  ) async throws -> AddFaultResponse {
    let fault = try Fault(request.rule ?? FaultRule())
    guard let added = faults.add(fault) else {
      throw RPCError.faultInvalid(
        "rule", "there are \(FaultRules.limit) fault rules, the most there may be; remove some")
    }
    return AddFaultResponse(rule: added.message)
  }

  func listFaults(
    _ request: ListFaultsRequest, context: ServerContext
  ) async throws -> ListFaultsResponse {
    ListFaultsResponse(rules: faults.all.map(\.message))
  }

  func removeFaults(
    _ request: RemoveFaultsRequest, context: ServerContext
  ) async throws -> RemoveFaultsResponse {
    if request.faultID.isEmpty {
      return RemoveFaultsResponse(removed: Int32(clamping: faults.removeAll()))
    }
    guard let wasThere = faults.remove(request.faultID) else {
      throw RPCError(
        .sandboxNotFound,
        "there is no fault rule \(Escaping.quoted(request.faultID)); ListFaults answers which "
          + "there are", ["fault_id": String(request.faultID.prefix(64))])
    }
    // Removing it again changes nothing.
    return RemoveFaultsResponse(removed: wasThere ? 1 : 0)
  }
}
