/// What a path that is being typed may become.
struct FileNames: Equatable, Sendable {
  /// The path with all that its candidates begin with.
  let path: String
  /// Several, if it is not clear; without the folder that they are in.
  let candidates: [String]

  /// - Parameter names: those in the folder of `typed`; of folders with a `/`.
  init(of typed: String, among names: [String]) {
    let slash = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
    let (folder, beginning) = (typed[..<slash], typed[slash...])
    // Hidden ones are shown to those who ask for them.
    let found = names.filter { name in
      name.hasPrefix(beginning) && (!name.hasPrefix(".") || beginning.hasPrefix("."))
    }.sorted()
    let common = found.dropFirst().reduce(found.first ?? String(beginning)) { common, name in
      String(zip(common, name).prefix { $0 == $1 }.map(\.0))
    }
    path = folder + common
    candidates = found.count > 1 ? found : []
  }
}
