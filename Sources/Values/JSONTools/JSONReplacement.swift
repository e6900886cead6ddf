import JSONTree

/// A place in a value, what stood there, and what stands there instead.
package struct JSONReplacement: Hashable, Sendable {
  package let path: JSONPath
  /// Nil if the place was not there.
  package let old: JSON?
  /// Nil if the place is not there any more.
  package let new: JSON?

  package init(_ path: JSONPath, _ old: JSON?, _ new: JSON?) {
    (self.path, self.old, self.new) = (path, old, new)
  }
}
