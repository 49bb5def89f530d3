/// Decides, from looks at files that belong together, when to read them again.
///
/// Files that have changed are read when two looks in a row find the same: whoever replaces a
/// certificate and its key has then done both. What was read is never read again before it has
/// changed once more, whether it could be used or not, so that a broken file is reported once.
///
/// A plain value: who looks, and how often, is up to its owner.
public struct FileWatch: Sendable {
  /// What to do after a look.
  public enum Action: Sendable, Hashable {
    /// Nothing has changed since the files were read.
    case nothing
    /// Something has changed, and may be changing still.
    case wait
    /// Read the files now.
    case read
  }

  private var read: [FileFingerprint]
  private var seen: [FileFingerprint]

  /// A watch over files that have just been read.
  ///
  /// - Parameter fingerprints: Of the files, taken before they were read.
  public init(_ fingerprints: [FileFingerprint]) {
    read = fingerprints
    seen = fingerprints
  }

  /// The files look like this now. After `.read` they count as read.
  public mutating func look(_ fingerprints: [FileFingerprint]) -> Action {
    defer { seen = fingerprints }
    guard fingerprints != read else { return .nothing }
    guard fingerprints == seen else { return .wait }
    read = fingerprints
    return .read
  }

  /// The files are read for another reason.
  ///
  /// - Parameter fingerprints: Taken before.
  public mutating func wereRead(_ fingerprints: [FileFingerprint]) {
    self = FileWatch(fingerprints)
  }
}
