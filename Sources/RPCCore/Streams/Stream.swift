/// The state of one call on one side.
struct Stream {
  /// The stream's number; 0 in a free place of the table.
  var id: UInt32 = 0
  /// Neighbours in the list of streams with something to write; -1 at its ends. In a free place
  /// `next` links the free ones.
  var next: Int32 = -1
  var previous: Int32 = -1
  var flags: StreamFlags = []
  /// Message bytes that may still be sent.
  var sendWindow = 0
  /// Message bytes that the peer may still send, and those to give back.
  var receive = ReceiveWindow(size: 0)
  /// When the call expires.
  var deadline = MonotonicInstant.distantFuture
  /// Bytes of the unfinished message whose credit went back already.
  var early = 0
  /// The same of whole messages that the application hasn't taken.
  var earlyWhole = 0
  /// Bytes of the unfinished message whose credit waits for the reassembly budget.
  var withheld = 0
  /// The beginning of a message that hasn't arrived whole.
  var assembly: [UInt8]?
  /// What waits to be written.
  var outbound: OutboundQueue?

  var streamID: StreamID { StreamID(id) }
  var hasQueue: Bool { outbound != nil }

  /// Makes a free place the state of a new call. `assembly` and `outbound` are nil in a free place.
  mutating func begin(_ id: UInt32, sendWindow: Int, receiveWindow: Int) {
    self.id = id
    next = -1
    previous = -1
    flags = []
    self.sendWindow = sendWindow
    receive = ReceiveWindow(size: receiveWindow)
    deadline = .distantFuture
    early = 0
    earlyWhole = 0
    withheld = 0
  }
}
