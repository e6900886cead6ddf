/// Follows `RedactedPaths` through a value for `RedactionPass`. It builds an automaton as it goes,
/// so that each transition is computed only once.
struct PathGuide {
  /// All places at which the paths have progressed equally far.
  struct Node {
    fileprivate let progress: RedactedPaths.Progress
    fileprivate let names: [String]
    /// The nodes after each of `names`, and last the node after any other name, once known.
    fileprivate var next: [Int?]

    /// Whether a path ends here.
    var isAtEnd: Bool { progress.isAtEnd }
    /// Whether no path continues.
    var isLost: Bool { progress.isLost }
    /// Whether all names lead to the same node.
    var isIndifferent: Bool { names.isEmpty }
  }

  private let paths: RedactedPaths
  private(set) var nodes: [Node] = []

  init(_ paths: RedactedPaths) { self.paths = paths }

  /// The node for this progress.
  mutating func node(_ progress: RedactedPaths.Progress) -> Int {
    if let known = nodes.firstIndex(where: { $0.progress == progress }) { return known }
    let names = paths.names(from: progress).sorted()
    nodes.append(
      Node(progress: progress, names: names, next: Array(repeating: nil, count: names.count + 1)))
    return nodes.count - 1
  }

  /// The node after a name; nil stands for any name that no path contains here.
  mutating func node(after name: String?, from index: Int) -> Int {
    let names = nodes[index].names
    let way = name.flatMap { names.firstIndex(of: $0) } ?? names.count
    if let known = nodes[index].next[way] { return known }
    let name = way < names.count ? names[way] : nil
    let next = node(paths.entering(name, from: nodes[index].progress))
    nodes[index].next[way] = next
    return next
  }
}
