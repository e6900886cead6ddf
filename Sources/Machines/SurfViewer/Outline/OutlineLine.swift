/// A line of an outline, before it has a width.
package struct OutlineLine: Equatable, Sendable {
  package enum Fold: Equatable, Sendable {
    /// Nothing is in it.
    case leaf
    case folded
    case unfolded
  }

  package let place: OutlinePlace
  /// Levels below the root.
  package let depth: Int
  /// The key, `[index]`, or `[0…99]` for a run; empty for the root.
  package let label: String
  package let fold: Fold
  /// A leaf's value, the beginning of what is folded, or the number of members.
  package let text: String
}
