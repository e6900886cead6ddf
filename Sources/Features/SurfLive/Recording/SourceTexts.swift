internal import SurfStore

/// The texts of the source places that record: few, and used again and again.
struct SourceTexts {
  private struct Key: Hashable {
    /// Where the file's name lies while the program runs.
    var file: UInt
    var line: UInt
  }

  /// As many as a large program has; beyond that, the table forgets all.
  private static let countMax = 4_096

  private var texts: [Key: String] = [:]
  private var latest: (key: Key, text: String)?

  mutating func text(of site: CallSite) -> String {
    switch site {
    case .none: ""
    case .step(let source): source.description
    case .call(let file, let line): text(of: file, line)
    case .logger(let file, let line): "\(file):\(line)"
    }
  }

  private mutating func text(of file: StaticString, _ line: UInt) -> String {
    guard file.hasPointerRepresentation else { return Self.describe(file, line) }
    let key = Key(file: UInt(bitPattern: file.utf8Start), line: line)
    if let latest, latest.key == key { return latest.text }
    if texts[key] == nil, texts.count >= Self.countMax { texts = [:] }
    let text = texts[key] ?? Self.describe(file, line)
    texts[key] = text
    latest = (key, text)
    return text
  }

  private static func describe(_ file: StaticString, _ line: UInt) -> String {
    ActionSource(file: file, line: line).description
  }
}
