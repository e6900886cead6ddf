import JSONTree
import SurfControl
import SurfTimeline
import SurfViewer
import SurfWire

/// How an action is spelled for `dispatch`: text with holes for its values. Completes an action
/// that is being typed.
struct ActionShape: Equatable, Sendable {
  let name: String
  /// One more than there are holes.
  private(set) var pieces: [String] = [""]
  /// For each hole the values that it had, without duplicates.
  private(set) var values: [[String]] = []

  /// Rows to look at, from the newest on, and values to keep for a hole.
  private static let rowCountMax = 2_000
  private static let valueCountMax = 20
  /// Larger payloads are not typed.
  private static let payloadSizeMax = 4_096
  private static let depthMax = 4

  /// The actions that an app has done, the latest first, and then those that it offers.
  static func all(in timeline: Timeline) -> [ActionShape] {
    var shapes: [ActionShape] = []
    var offered: [ActionShape] = []
    for row in timeline.rows.suffix(rowCountMax).reversed() {
      switch row.record.kind {
      case .action: ActionShape(row.record).map { $0.add(to: &shapes) }
      case .revision where offered.isEmpty:
        offered = row.record.revision?.creators.map(ActionShape.init) ?? []
      default: break
      }
    }
    return shapes + offered.filter { shape in !shapes.contains { $0.name == shape.name } }
  }

  /// The spelling of a recorded action (Protocol.md §11.5).
  init?(_ record: Record) {
    name = String(record.name.prefix { $0 != "(" })
    guard let payload = record.payload else {
      add(JSON.string(name).text())
      return
    }
    guard payload.bytes.count <= Self.payloadSizeMax, let json = JSON(ifValid: payload.bytes) else {
      return nil
    }
    if case .string = json { add(json.text()) } else { add(json, depth: 0) }
  }

  /// - Parameter signature: as the app describes an action that it offers.
  init(_ signature: ActionSignature) {
    name = signature.name
    let labels = signature.labels
    let name = JSON.string(name).text()
    guard !labels.isEmpty else {
      add(name)
      return
    }
    add("{\(name):")
    if labels == ["_"] {
      addHole(nil)
    } else if labels.allSatisfy({ $0 == "_" }) {
      add(labels.map { _ in nil }, "[", "]")
    } else {
      for (index, label) in labels.enumerated() {
        add((index == 0 ? "{" : ",") + JSON.string(label == "_" ? "_\(index)" : label).text() + ":")
        addHole(nil)
      }
      add("}")
    }
    add("}")
  }

  /// With `…` in the holes.
  var label: String { pieces.joined(separator: "…") }

  // MARK: Making

  private func add(to shapes: inout [ActionShape]) {
    guard let index = shapes.firstIndex(where: { $0.name == name && $0.pieces == pieces }) else {
      return shapes.append(self)
    }
    for (hole, value) in zip(values.indices, values.compactMap(\.first))
    where shapes[index].values[hole].count < Self.valueCountMax
      && !shapes[index].values[hole].contains(value)
    {
      shapes[index].values[hole].append(value)
    }
  }

  private mutating func add(_ text: String) { pieces[pieces.count - 1] += text }

  private mutating func addHole(_ value: JSON?) {
    values.append(value.map { [$0.text()] } ?? [])
    pieces.append("")
  }

  private mutating func add(_ json: JSON, depth: Int) {
    switch json {
    case .object(let object) where depth < Self.depthMax:
      add("{")
      for (index, member) in object.members.enumerated() {
        add((index == 0 ? "" : ",") + JSON.string(member.key).text() + ":")
        let isType = depth == 0 && member.key == "type"
        if isType { add(member.value.text()) } else { add(member.value, depth: depth + 1) }
      }
      add("}")
    case .array(let elements) where depth == 1 && elements.count > 1:
      add(elements, "[", "]")
    default: addHole(json)
    }
  }

  private mutating func add(_ elements: [JSON?], _ open: String, _ close: String) {
    for (index, element) in elements.enumerated() {
      add(index == 0 ? open : ",")
      addHole(element)
    }
    add(close)
  }

  // MARK: Completing

  /// Completions of the typed text, up to the next hole, or past its value.
  fileprivate func continuations(of typed: String) -> [(text: String, label: String)] {
    var rest = typed[...]
    for (index, piece) in pieces.enumerated() {
      guard let missing = rest.take(piece) else { return [] }
      if rest.isEmpty, !missing.isEmpty { return [(typed + missing, label)] }
      guard index < values.count else { break }
      if let begun = rest.takeValue() {
        let fits = values[index].filter { $0.hasPrefix(begun) }
        if fits.isEmpty, begun.isBegunText { return [("\(typed)\"\(pieces[index + 1])", label)] }
        return fits.isEmpty && begun.isEmpty
          ? [(typed, label)] : fits.map { (typed.dropLast(begun.count) + $0, $0) }
      }
    }
    return rest.isEmpty ? [(typed, label)] : []
  }
}

extension Completion {
  /// Completes an action: by its name, or by its next field or value.
  init(ofAction typed: String, among shapes: [ActionShape]) {
    let opening = typed.prefix { "{\"' ".contains($0) }
    let name = typed.dropFirst(opening.count)
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "._".contains($0) }
    let named = shapes.filter { $0.name.hasPrefix(name) }
    guard isName, !named.isEmpty else {
      let choices = shapes.flatMap { $0.continuations(of: typed) }
      var texts: Set<String> = []
      self.init(of: typed, among: choices.filter { texts.insert($0.text).inserted })
      return
    }
    let choices = named.map {
      (text: named.count == 1 ? $0.pieces[0] : "\(opening)\($0.name)", label: $0.label)
    }
    self.init(of: typed, among: choices)
  }
}

extension String {
  /// Whether a quotation mark makes it a JSON string.
  fileprivate var isBegunText: Bool {
    hasPrefix("\"") && reversed().prefix { $0 == "\\" }.count.isMultiple(of: 2)
  }
}

extension Substring {
  /// Takes the beginning that is also that of `piece`, whatever blanks it has between.
  ///
  /// - Returns: what is missing at the end of `piece`; nil if the text differs from it.
  fileprivate mutating func take(_ piece: String) -> String? {
    var missing = piece[...]
    while let next = missing.first {
      while next != " ", first == " " { removeFirst() }
      guard let letter = first else { return String(missing) }
      guard letter == next else { return nil }
      removeFirst()
      missing.removeFirst()
    }
    return ""
  }

  /// Takes a value of JSON.
  ///
  /// - Returns: nil if the value is whole; otherwise its beginning, which may be empty.
  fileprivate mutating func takeValue() -> String? {
    while first == " " { removeFirst() }
    let start = self
    var (depth, isQuoted, isEscaped) = (0, false, false)
    while let letter = first {
      if !isQuoted, depth == 0, ",]}".contains(letter) { break }
      removeFirst()
      let wasQuoted = isQuoted
      if letter == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = letter == "\\" && !isEscaped
      if !isQuoted, "[{".contains(letter) { depth += 1 }
      if !isQuoted, "]}".contains(letter) { depth -= 1 }
      // What closes ends a string or a container.
      if depth == 0, !isQuoted, wasQuoted || "]}".contains(letter) { return nil }
    }
    return start.isEmpty || isQuoted || depth > 0 ? String(start) : nil
  }
}
