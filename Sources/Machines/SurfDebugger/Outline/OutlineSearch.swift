import JSONTools
import JSONTree
import SurfQuery

/// Finds a text in the keys and values of an outline, folded or not. Each call of `advance`
/// searches one slice.
struct OutlineSearch: Sendable {
  struct Hit: Equatable, Sendable {
    let path: JSONPath
    /// The line of a long text that has it; nil for the value's own line.
    var textLine: Int?
    let order: OutlineOrder
  }

  let text: String
  /// In the order of the lines.
  private(set) var hits: [Hit] = []
  private let wanted: TextSearch
  private let roots: [Outline.Root]
  private var root = 0
  /// The values around the next one, from the outermost.
  private var around: [Level] = []

  private struct Level: Sendable {
    let path: JSONPath
    let members: OutlineMembers
    var next = 0
  }

  /// More than a person walks through. The search ends there.
  static let hitCountMax = 10_000

  /// Lines of one long text that are searched for hits of their own.
  static let lineCountMax = 2_000
  /// Whether a text with a hit has more lines than that.
  private var hasCutTexts = false

  /// Values in one slice: a few milliseconds' work.
  private static let sliceCount = 10_000

  /// - Parameter outline: nil until it has been read.
  init(_ text: String, in outline: Outline?) {
    self.text = text
    wanted = TextSearch(text)
    roots = outline?.roots ?? []
  }

  var isDone: Bool { around.isEmpty && root >= roots.count || isFull }

  var mayLackHits: Bool { isFull || hasCutTexts }

  private var isFull: Bool { hits.count >= Self.hitCountMax }

  /// Whether the text is a query about states, or a field of a row.
  var isQuery: Bool {
    do throws(QueryError) {
      let query = try Query(text)
      if case .field = query { return true }
      return query.asksStates
    } catch {
      return false
    }
  }

  mutating func advance() {
    for _ in 0..<Self.sliceCount where !isDone { step() }
  }

  private mutating func step() {
    guard let level = around.last else { return stepToRoot() }
    guard level.next < level.members.count, let (element, value) = level.members[level.next] else {
      around.removeLast()
      return
    }
    around[around.count - 1].next += 1
    visit(value, at: JSONPath(level.path.elements + [element]), named: element)
  }

  private mutating func stepToRoot() {
    let next = roots[root]
    root += 1
    // The path of a change is its key.
    let isFound =
      !next.label.isEmpty
      && (wanted.finds(in: "\(next.place.path)") || wanted.finds(in: next.framed("")))
    visit(next.members, at: next.place.path, isFound: isFound)
  }

  private mutating func visit(_ value: JSON, at path: JSONPath, named element: JSONPath.Element) {
    let isFound = if case .key(let key) = element { wanted.finds(in: key) } else { false }
    visit(OutlineMembers(value), at: path, isFound: isFound)
  }

  private mutating func visit(_ members: OutlineMembers, at path: JSONPath, isFound: Bool) {
    if isFound || members.scalarText.map(wanted.finds) == true {
      add(members, at: path, isFound: isFound)
    }
    if members.count > 0 { around.append(Level(path: path, members: members)) }
  }

  /// In a long text, each line that contains the wanted text is a hit of its own.
  private mutating func add(_ members: OutlineMembers, at path: JSONPath, isFound: Bool) {
    let order = OutlineOrder(root: root - 1, around.map { $0.next - 1 })
    let lines = members.longText.map { self.lines(of: $0) } ?? []
    if isFound || lines.isEmpty { hits.append(Hit(path: path, order: order)) }
    for line in lines where !isFull {
      var order = order
      order.append(line)
      hits.append(Hit(path: path, textLine: line, order: order))
    }
  }

  private mutating func lines(of text: String) -> [Int] {
    var lines: [Int] = []
    for (index, line) in TextLines(text).enumerated() {
      guard index < Self.lineCountMax else {
        hasCutTexts = true
        break
      }
      if wanted.finds(in: line) { lines.append(index) }
    }
    return lines
  }

  /// A line up to the end of the text; nil if the text is not on it.
  func beginning(of line: String) -> String? {
    guard wanted.finds(in: line) else { return nil }
    let letters = Array(line)
    let end = letters.indices.partitionPoint { wanted.finds(in: String(letters[...$0])) }
    return String(letters[...end])
  }

  /// The next hit after a line, or before it; from the other end after the last one.
  func hit(isNext: Bool, from order: OutlineOrder) -> Hit? {
    if isNext { return hits.first { $0.order > order } ?? hits.first }
    return hits.last { $0.order < order } ?? hits.last
  }
}

/// The place of a value among all values of an outline, folded or not.
struct OutlineOrder: Comparable, Sendable {
  /// The root's index, and the positions on the way down.
  private var steps: [Int]

  static let start = OutlineOrder(root: 0, [])

  var root: Int { steps[0] }

  init(root: Int, _ positions: [Int]) { steps = [root] + positions }

  mutating func append(_ position: Int) { steps.append(position) }

  static func < (one: Self, other: Self) -> Bool {
    one.steps.lexicographicallyPrecedes(other.steps)
  }
}

extension Outline {
  /// The order of a line: a run precedes its first member, and a line of a text follows the text's
  /// own.
  func order(of line: OutlineLine) -> OutlineOrder {
    let root = roots[line.root]
    var order = OutlineOrder(root: line.root, [])
    var members = root.members
    for element in line.place.path.elements.dropFirst(root.place.path.elements.count) {
      guard let position = members.position(of: element), let (_, member) = members[position]
      else { break }
      order.append(position)
      members = OutlineMembers(member)
    }
    switch line.place.part {
    case .run(let run):
      order.append(run.first - 1)
      order.append(.max)
    case .text(let index): order.append(index)
    case .note, nil: break
    }
    return order
  }
}

extension OutlineMembers {
  /// The text that a search looks at in a value without members.
  fileprivate var scalarText: String? {
    switch value {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let number): number.literal
    case .string(let text): text
    case .array, .object: nil
    }
  }
}

/// The search in a tab of the detail pane.
struct DetailSearch: Sendable {
  let tab: DetailTab
  /// The contents that it searches, as `DetailView` counts them.
  let edition: Int
  var search: OutlineSearch
  /// Where the person began to type; nil once the cursor has moved. The hits may arrive later.
  var origin: OutlineOrder?
}

extension DetailView {
  var isSearching: Bool { search.map { !$0.search.isDone } ?? false }

  /// Starts a search, which waits for contents that are being read; an empty text ends it.
  ///
  /// - Parameter origin: the cursor goes to the first hit from there on.
  mutating func find(_ text: String, in tab: DetailTab, from origin: OutlineOrder? = nil) {
    let outline = outline(in: tab)
    guard !text.isEmpty, outline != nil || isReading else {
      search = nil
      return
    }
    search = DetailSearch(
      tab: tab, edition: edition, search: OutlineSearch(text, in: outline), origin: origin)
  }

  /// Searches another slice; from the start if the tab or its contents are others.
  ///
  /// - Returns: whether the cursor went to a hit.
  mutating func advanceSearch(in tab: DetailTab) -> Bool {
    guard let known = search else { return false }
    if outline(in: tab) != nil, known.tab != tab || known.edition != edition {
      find(known.search.text, in: tab, from: known.tab == tab ? known.origin : nil)
    }
    search?.search.advance()
    guard let origin = search?.origin else { return false }
    if !isSearching, !isReading { search?.origin = nil }
    return seek(from: origin, in: tab)
  }

  /// The cursor's line as it is drawn, up to the end of a hit. Nil if the line has no hit, or is
  /// never cut.
  func hit(in tab: DetailTab) -> String? {
    guard let line = outline(in: tab)?.cursor, !line.isText else { return nil }
    let marks = String(repeating: " ", count: tab == .changes ? 5 : 3)
    let indent = String(repeating: " ", count: 2 * line.depth)
    return search?.search.beginning(of: indent + marks + line.label + ": " + line.text)
  }

  /// Moves to the next hit, or to the previous one.
  ///
  /// - Returns: whether there was one.
  mutating func turnHits(isNext: Bool, in tab: DetailTab) -> Bool {
    guard let outline = outline(in: tab), let line = outline.cursor,
      let hit = search?.search.hit(isNext: isNext, from: outline.order(of: line))
    else { return false }
    search?.origin = nil
    reveal(hit, in: tab)
    return true
  }

  /// Moves to the first hit at a line or after it.
  private mutating func seek(from origin: OutlineOrder, in tab: DetailTab) -> Bool {
    guard let hits = search?.search.hits, let outline = outline(in: tab),
      let hit = hits.first(where: { $0.order >= origin }) ?? hits.first
    else { return false }
    if outline.cursor.map(outline.order) != hit.order { reveal(hit, in: tab) }
    return true
  }

  private mutating func reveal(_ hit: OutlineSearch.Hit, in tab: DetailTab) {
    change(in: tab) { $0.reveal(hit.path, textLine: hit.textLine, in: hit.order.root) }
  }
}
