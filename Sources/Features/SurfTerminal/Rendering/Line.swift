import SurfNetwork
import SurfViewer
import SurfWire
import TerminalScreen

/// A line of text with styles, before it is known whether there is a terminal.
package struct Line: Equatable, Sendable {
  package var spans: [Span]

  package init(_ spans: [Span] = []) { self.spans = spans }
  package init(_ text: String, _ style: Style = .plain) { spans = [Span(text, style)] }

  /// Without styles.
  package var text: String { spans.map(\.text).joined() }

  /// With SGR sequences (ECMA-48 §8.3.117), or without.
  package func text(coloured: Bool) -> String {
    guard coloured else { return text }
    return spans.map { span in
      span.style.code.map { "\u{1B}[\($0)m\(span.text)\u{1B}[0m" } ?? span.text
    }.joined()
  }

  /// The line within a terminal's width; a longer one would wrap and could not be redrawn.
  package func fitted(columns width: Int) -> Line {
    var left = width
    var result = Line()
    for span in spans where left > 0 {
      let text = SurfTerminal.fitted(span.text, left)
      result.spans.append(Span(escaped: text, span.style))
      left -= columns(text)
    }
    return result
  }
}

/// Text in one style. Making one escapes what could drive a terminal: no caller can forget it.
package struct Span: Equatable, Sendable {
  package let text: String
  package let style: Style

  package init(_ text: String, _ style: Style = .plain) {
    self.init(escaped: TerminalScreen.escaped(text), style)
  }

  fileprivate init(escaped text: String, _ style: Style) {
    self.text = text
    self.style = style
  }

  /// Nil if nothing is left. It looks at octets: at characters it would take a third of the time in
  /// which a row becomes a line.
  var withoutBlanksAtEnd: Span? {
    let octets = text.utf8
    guard let last = octets.lastIndex(where: { $0 != 0x20 }) else { return nil }
    return Span(escaped: String(text[...last]), style)
  }
}

package enum Style: Equatable, Sendable {
  case plain, dim, bold, good, bad, caution, accent

  /// SGR parameters; the colours are the terminal's own, readable on light and dark.
  var code: String? {
    switch self {
    case .plain: nil
    case .dim: "2"
    case .bold: "1"
    case .good: "32"
    case .bad: "31"
    case .caution: "33"
    case .accent: "36"
    }
  }
}

extension Record.Kind {
  var style: Style {
    switch self {
    case .action: .accent
    case .log(.error): .bad
    case .log(.warning), .revision: .caution
    case .log, .other: .dim
    case .update, .remove, .mark, .restored: .plain
    }
  }

  /// The style of the name: coloured where it tells of more than one row, or of a fault.
  var nameStyle: Style {
    switch self {
    case .log(.error): .bad
    case .revision: .caution
    case .action, .update, .remove, .log, .mark, .restored, .other: .plain
    }
  }
}

/// How much has come; nil for what a person would not wait for.
func progressLine(received counters: NetworkCounters) -> Line? {
  guard counters.bytesReceived > 1_000_000 else { return nil }
  return Line("received \(byteText(counters.bytesReceived)) …", .dim)
}

/// How far an upload is; nil for one that is done before a person could read it.
package func progressLine(_ upload: UploadProgress) -> Line? {
  if let share = upload.share { return Line("the app is at work … \(share.percent) %", .dim) }
  guard upload.total > 1_000_000 else { return nil }
  let size = byteText(upload.total)
  guard upload.received < upload.total else {
    return Line("sent \(size), waiting for the app …", .dim)
  }
  return Line("sending \(size) … \(upload.received * 100 / upload.total) %", .dim)
}
