import OnsideDomain
import Testing

@Suite struct PurchaseLifecycleTests {
  static let outcomes: [PaymentOutcome] = [
    .paid, .needsApproval, .failed(.declined), .failed(.cancelled),
  ]

  @Test func firstOutcomeDecides() {
    for outcome in Self.outcomes {
      var purchase = PurchaseLifecycle()
      #expect(purchase.state == .purchasing)
      let transition = purchase.apply(outcome)
      #expect(transition == .changed(from: .purchasing, to: purchase.state))
      switch outcome {
      case .paid: #expect(purchase.state == .purchased)
      case .needsApproval: #expect(purchase.state == .deferred)
      case .failed(let reason):
        #expect(purchase.state == .failed)
        #expect(purchase.failureReason == reason)
      }
    }
  }

  @Test func approvalDecidesADeferredPurchase() {
    for outcome in Self.outcomes where outcome != .needsApproval {
      var purchase = PurchaseLifecycle()
      _ = purchase.apply(.needsApproval)
      #expect(purchase.apply(outcome) == .changed(from: .deferred, to: purchase.state))
      #expect(purchase.state.isFinal)
    }
  }

  @Test func everySecondOutcomeIsRepeatedRefusedOrAnApproval() {
    for first in Self.outcomes {
      for second in Self.outcomes {
        var purchase = PurchaseLifecycle()
        _ = purchase.apply(first)
        let before = purchase
        let transition = purchase.apply(second)
        if first == second {
          #expect(transition == .unchanged)
          #expect(purchase == before)
        } else if first == .needsApproval {
          #expect(transition == .changed(from: .deferred, to: purchase.state))
        } else {
          #expect(transition == .refused(before.state))
          #expect(purchase == before)
        }
      }
    }
  }

  @Test func onlyFinalStatesAreFinished() {
    var purchase = PurchaseLifecycle()
    #expect(purchase.finish() == .refused(.transactionNotFinal))
    _ = purchase.apply(.needsApproval)
    #expect(purchase.finish() == .refused(.transactionNotFinal))
    #expect(!purchase.isFinished)
    _ = purchase.apply(.failed(.declined))
    #expect(purchase.finish() == .finished)
    #expect(purchase.finish() == .alreadyFinished)
    #expect(purchase.isFinished)
  }

  @Test func onlyPossiblePurchasesComeFromStorage() {
    for state in PurchaseState.allCases {
      for reason in [nil] + FailureReason.allCases.map(Optional.some) {
        for isFinished in [false, true] {
          let purchase = PurchaseLifecycle(
            state: state, failureReason: reason, isFinished: isFinished)
          let isPossible = (state == .failed) == (reason != nil) && (state.isFinal || !isFinished)
          #expect((purchase != nil) == isPossible)
        }
      }
    }
  }
}
