import Glibc
import OnsideDomain
import OnsideStore

/// Writes to the store named by its argument until it is killed. What has been acknowledged is
/// printed, one line each, so that the parent can look for it afterwards.
@main
struct StoreCrashChild {
  let store: SQLiteStore
  let storefront: Storefront
  let currency: Currency

  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 2, let country = CountryCode(alpha2: "DE"),
      let currency = Currency("EUR")
    else {
      write("usage: store-crash-child PATH", to: STDERR_FILENO)
      exit(64)
    }
    do throws(StoreError) {
      let store = try SQLiteStore(path: arguments[1])
      let child = StoreCrashChild(
        store: store, storefront: Storefront(country), currency: currency)
      await child.run()
    } catch {
      write("\(error)", to: STDERR_FILENO)
      exit(1)
    }
  }

  /// One write per line: a line is whole in the pipe or not there at all.
  private static func write(_ line: String, to descriptor: Int32) {
    let line = line + "\n"
    _ = line.withCString { Glibc.write(descriptor, $0, strlen($0)) }
  }

  private func acknowledge(_ line: String) { Self.write(line, to: STDOUT_FILENO) }

  /// 64 lanes of users, so that batches have many requests.
  private func run() async {
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<64 {
        group.addTask {
          var number = lane
          while true {
            do throws(StoreError) {
              try await live(as: number)
            } catch {
              Self.write("\(error)", to: STDERR_FILENO)
              exit(1)
            }
            number += 64
          }
        }
      }
    }
  }

  /// A user who logs in, buys, and logs out.
  private func live(as number: Int) async throws(StoreError) {
    let time = Timestamp(milliseconds: Int64(number))
    let proposed = ProfileRecord(
      id: .timeOrdered(at: time), kind: .external, appID: "app", externalUserID: "user-\(number)",
      storefront: storefront, createdAt: time)
    let profile = try await store.findOrCreateProfile(proposed).profile
    acknowledge("profile \(number) \(profile.id)")
    let intent = PurchaseIntent(
      transactionID: .timeOrdered(at: time), profileID: profile.id, appID: "app",
      idempotencyKey: "key", fingerprint: [1], productIdentifier: "coins",
      productKind: .consumable, isExclusive: false,
      price: Money(minorUnits: 1, currency: currency), storefront: storefront,
      appAccountToken: nil, payment: PaymentDescription(method: .applePay),
      paymentToken: "paid", createdAt: time)
    _ = try await store.beginPurchase(intent)
    _ = try await store.recordOutcome(
      .paid, of: intent.transactionID, profileID: profile.id, at: time)
    acknowledge("purchase \(number) \(intent.transactionID)")
    let session = SessionID(high: 0, low: UInt64(number))
    try await store.addRevocation(
      Revocation(sessionID: session, profileID: profile.id, expiresAt: time))
    acknowledge("revocation \(number) \(session)")
  }
}
