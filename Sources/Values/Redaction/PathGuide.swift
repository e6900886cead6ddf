/// Paths for one way through a value, in which most places are alike: what was found out at one is
/// not found out again.
struct PathGuide {
  /// What holds at all places to which the paths have come equally far.
  struct Post {
    fileprivate let progress: RedactedPaths.Progress
    fileprivate let names: [String]
    /// Where each of these names leads, and behind them any other name, once that is known.
    fileprivate var next: [Int?]

    /// Whether a path ends here.
    var isAtEnd: Bool { progress.isAtEnd }
    /// Whether no path leads on.
    var isLost: Bool { progress.isLost }
    /// Whether all names lead to the same.
    var isIndifferent: Bool { names.isEmpty }
  }

  private let paths: RedactedPaths
  private(set) var posts: [Post] = []

  init(_ paths: RedactedPaths) { self.paths = paths }

  /// The post at this progress.
  mutating func post(_ progress: RedactedPaths.Progress) -> Int {
    if let known = posts.firstIndex(where: { $0.progress == progress }) { return known }
    let names = paths.names(from: progress).sorted()
    posts.append(
      Post(progress: progress, names: names, next: Array(repeating: nil, count: names.count + 1)))
    return posts.count - 1
  }

  /// The post behind this name; nil stands for any that makes no difference.
  mutating func post(behind name: String?, from index: Int) -> Int {
    let names = posts[index].names
    let way = name.flatMap { names.firstIndex(of: $0) } ?? names.count
    if let known = posts[index].next[way] { return known }
    let name = way < names.count ? names[way] : nil
    let next = post(paths.entering(name, from: posts[index].progress))
    posts[index].next[way] = next
    return next
  }
}
