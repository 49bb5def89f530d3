/// What a store has done since it was opened.
public struct StoreCounters: Hashable, Sendable {
  /// Transactions of the database that changed something; each costs one sync of the disk.
  public var commits = 0

  /// Times that the disk was asked to make writes durable: for commits, and for copying the log.
  public var syncs = 0

  /// Requests in batches that were committed.
  public var committedRequests = 0

  /// The most requests that one batch had.
  public var largestBatch = 0

  /// Batches by size: element `i` counts those of 2^i to 2^(i+1) − 1 requests.
  public var batchSizes = [Int](repeating: 0, count: 20)

  /// Requests that failed by themselves.
  public var failedRequests = 0

  /// Requests that were refused since the queue was full.
  public var overloadedRequests = 0

  /// Requests that were dropped since their deadline had passed.
  public var expiredRequests = 0

  /// Times that the write-ahead log was copied into the database.
  public var checkpoints = 0

  /// Times that this failed. The log goes on growing; nothing is lost.
  public var failedCheckpoints = 0

  public init() {}

  mutating func countBatch(of requests: Int) {
    committedRequests += requests
    largestBatch = max(largestBatch, requests)
    guard requests > 0 else { return }
    let bucket = Int.bitWidth - 1 - requests.leadingZeroBitCount
    batchSizes[min(bucket, batchSizes.count - 1)] += 1
  }
}
