/// Something other than a channel that has a descriptor in a loop's epoll set: a listening socket,
/// a socket that is being connected, a signal descriptor.
class Pollable {
  /// Called on the loop when the descriptor is ready, with epoll's flags.
  func ready(_ flags: UInt32) {}
}
