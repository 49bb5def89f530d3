import Dispatch
import OnsideDomain

/// A catalogue as it was at one moment: all products of all apps, never changed.
///
/// It lives in a few large blocks of memory. Wherever the last reference to it is released, they go
/// back to the system on a queue of their own, so that no event loop waits for that.
public final class CatalogueSnapshot: @unchecked Sendable {
  /// The apps that it has products of, in the order in which they were declared.
  public let apps: [CatalogueApp]

  let tables: SnapshotTables
  private let storage: Unmanaged<SnapshotStorage>
  private let handles: [String: AppHandle]

  /// By app and the place of a country in the table of countries: the storefront's place, or
  /// `none`.
  private let storefrontOfCountry: [[UInt8]]
  private static let none: UInt8 = .max

  init(apps: [CatalogueApp], storage: SnapshotStorage) {
    self.apps = apps
    tables = storage.tables
    self.storage = Unmanaged.passRetained(storage)
    handles = Dictionary(
      apps.enumerated().map { ($1.id, AppHandle(index: $0)) },
      uniquingKeysWith: { first, _ in first }
    )
    storefrontOfCountry = apps.map { app in
      CountryCode.all.map { country in
        let place = app.storefronts.firstIndex { $0.storefront.country == country }
        return place.map(UInt8.init) ?? Self.none
      }
    }
    byteCount = storage.byteCount
  }

  deinit {
    let retired = Retired(storage: storage)
    Retired.queue.async { retired.storage.release() }
  }

  /// Bytes of memory that the products, their prices and their indexes take.
  public let byteCount: Int

  /// How many products there are in all apps.
  public var productCount: Int { apps.reduce(0) { $0 + $1.productCount } }

  /// The app with an identifier; nil if the catalogue has nothing of it.
  public func app(_ id: String) -> AppHandle? { handles[id] }

  /// What the catalogue says about an app.
  public func details(of app: AppHandle) -> CatalogueApp { apps[app.index] }

  /// The storefront with an identifier; nil if the app sells nothing there.
  public func storefront(_ id: String, of app: AppHandle) -> StorefrontHandle? {
    let place = apps[app.index].storefronts.firstIndex { $0.storefront.id == id }
    return place.map(StorefrontHandle.init)
  }

  /// The first declared storefront of a country; nil if the app sells nothing there.
  public func storefront(in country: CountryCode, of app: AppHandle) -> StorefrontHandle? {
    let place = storefrontOfCountry[app.index][country.position]
    return place == Self.none ? nil : StorefrontHandle(index: Int(place))
  }

  /// Where users of an app belong that came without a hint.
  public func defaultStorefront(of app: AppHandle) -> StorefrontHandle {
    StorefrontHandle(index: apps[app.index].defaultStorefrontIndex)
  }

  /// What the catalogue says about a storefront of an app.
  public func details(of storefront: StorefrontHandle, of app: AppHandle) -> CatalogueStorefront {
    apps[app.index].storefronts[storefront.index]
  }

  /// A catalogue without apps.
  public static let empty = CatalogueSnapshot.withoutApps()
}

/// Storage whose snapshot is gone.
private struct Retired: @unchecked Sendable {
  let storage: Unmanaged<SnapshotStorage>

  static let queue = DispatchQueue(label: "onside.catalogue.retired")
}
