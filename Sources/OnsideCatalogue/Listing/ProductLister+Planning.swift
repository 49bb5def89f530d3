import CPrefetch
import OnsideDomain
import ProtobufWire

extension ProductLister {
  /// Looks the identifiers of the request up.
  ///
  /// Everything is looked up in step: first all places of the index are asked of memory, then all
  /// records, so that the waits for them overlap.
  ///
  /// - Returns: The bytes of the encoded `ListProductsResponse`.
  public func plan(_ place: ListingPlace, for profile: ProfileKind) -> Int {
    scratch.clearSizes()
    switch place {
    case .storefront(let app, let storefront):
      storefrontField = tables.apps[app.index].storefrontFields[storefront.index]
      let isExternal = profile == .external
      findCandidates(tables.apps[app.index], isExternal: isExternal)
      resolve(app, storefront, isExternal: isExternal)
    case .elsewhere(let storefront):
      encode(storefront)
      rejectAll()
    }
    return scratch.listBytes + storefrontField.count
  }

  private func encode(_ storefront: Storefront) {
    var encoder = ProductEncoder()
    encoder.append(4, storefront: storefront)
    elsewhere.copyBytes(from: encoder.bytes)
    storefrontField = UnsafeRawBufferPointer(rebasing: elsewhere[..<encoder.bytes.count])
  }

  /// Sets each item's record to the first one whose slot has the bits of its hash.
  private func findCandidates(_ table: AppTable, isExternal: Bool) {
    let (items, tables) = (scratch.items, tables)
    for index in 0..<count {
      prefetch_for_read(
        table.slots + ProductIndex.start(items[index].hash, capacity: table.capacity))
    }
    for index in 0..<count {
      let hash = items[index].hash
      var place = ProductIndex.start(hash, capacity: table.capacity)
      var slot = IndexSlot(rawValue: table.slots[place])
      while !slot.isFree && !slot.matches(hash) {
        place = place + 1 == table.capacity ? 0 : place + 1
        slot = IndexSlot(rawValue: table.slots[place])
      }
      if slot.isFree { continue }
      let record = tables.record(slot.offset).address
      items[index].record = record
      prefetch_for_read(record)
      // Of one that isn't listed, the identifier at its beginning is all that is read.
      let isListed = !isExternal || slot.kind == ProductKind.consumable.rawValue
      let line = isListed ? Self.cacheLine : 0
      prefetch_for_read(record + line)
      prefetch_for_read(record + 2 * line)
    }
  }

  private static let cacheLine = 64

  /// Makes every identifier invalid.
  private func rejectAll() {
    for index in 0..<count {
      let length = Int(scratch.items[index].length)
      scratch.append(
        index, ListingOutcome.invalid, size: 1 + WireFormat.lengthDelimitedSize(length))
    }
  }

  /// Finds out what each item is, and adds it to a list.
  private func resolve(_ app: AppHandle, _ storefront: StorefrontHandle, isExternal: Bool) {
    guard let start = request.baseAddress else { return }
    let (items, tables) = (scratch.items, tables)
    for index in 0..<count {
      let item = items + index
      let identifier = item.pointee.identifier(start)
      if let candidate = item.pointee.record, !ProductRecord(candidate).isNamed(identifier) {
        // Another identifier with the same bits: one in millions, so the search starts over.
        item.pointee.record = tables.find(identifier, hash: item.pointee.hash, app: app)?.address
      }
      var size = 1 &+ WireFormat.lengthDelimitedSize(identifier.count)
      var outcome = ListingOutcome.invalid
      if let address = item.pointee.record {
        let record = ProductRecord(address)
        let handle = record.priceHandle(storefront.index)
        if handle != 0 {
          let part = PricePool.part(handle, in: tables.prices)
          item.pointee.part = part.baseAddress
          let isListed = !isExternal || record.kind == ProductKind.consumable.rawValue
          let whole = 1 &+ WireFormat.lengthDelimitedSize(record.common.count &+ part.count)
          size = isListed ? whole : size
          outcome = isListed ? ListingOutcome.product : ListingOutcome.unsupported
        }
      }
      scratch.append(index, outcome, size: size)
    }
  }
}
