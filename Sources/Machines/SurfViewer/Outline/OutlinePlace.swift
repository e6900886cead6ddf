import JSONTools

/// What a line of an outline stands for. It keeps its meaning when the value is replaced.
package struct OutlinePlace: Hashable, Sendable {
  package var path: JSONPath
  /// A run of the members of the value at `path`; nil for the value itself.
  var bucket: Range<Int>?

  package init(_ path: JSONPath = JSONPath(), bucket: Range<Int>? = nil) {
    self.path = path
    self.bucket = bucket
  }

  package static let root = OutlinePlace()

  /// The value that this one is in; nil for the root.
  var parent: OutlinePlace? {
    if bucket != nil { return OutlinePlace(path) }
    return path.elements.isEmpty ? nil : OutlinePlace(JSONPath(path.elements.dropLast()))
  }
}
