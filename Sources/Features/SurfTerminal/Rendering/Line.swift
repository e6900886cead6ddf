import SurfNetwork
import SurfViewer
import SurfWire
import TerminalScreen

/// A line of styled text. `Output` prints it with or without colours.
package struct Line: Equatable, Sendable {
  package var spans: [Span]

  package init(_ spans: [Span] = []) { self.spans = spans }
  package init(_ text: String, _ style: Style = .plain) { spans = [Span(text, style)] }

  package var text: String { spans.map(\.text).joined() }

  /// Adds SGR sequences (ECMA-48 §8.3.117) if `coloured`.
  package func text(coloured: Bool) -> String {
    guard coloured else { return text }
    return spans.map { span in
      span.style.code.map { "\u{1B}[\($0)m\(span.text)\u{1B}[0m" } ?? span.text
    }.joined()
  }

  /// Cuts the line to a terminal's width. A longer one would wrap and could not be redrawn.
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

/// Text in one style. The initializer escapes what could control a terminal, so nobody forgets to.
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

  /// Nil if nothing is left. Compares octets: comparing characters would take a third of the time
  /// of formatting a row.
  var withoutBlanksAtEnd: Span? {
    let octets = text.utf8
    guard let last = octets.lastIndex(where: { $0 != 0x20 }) else { return nil }
    return Span(escaped: String(text[...last]), style)
  }
}

package enum Style: Equatable, Sendable {
  case plain, dim, bold, good, bad, caution, accent

  /// SGR parameters. The colours are the terminal's own, readable on light and dark backgrounds.
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

  /// The style of the row's name: coloured for errors, and for revisions, which concern many rows.
  var nameStyle: Style {
    switch self {
    case .log(.error): .bad
    case .revision: .caution
    case .action, .update, .remove, .log, .mark, .restored, .other: .plain
    }
  }
}

/// How much has arrived; nil if it is too little to wait for.
func progressLine(received counters: NetworkCounters) -> Line? {
  guard counters.bytesReceived > 1_000_000 else { return nil }
  return Line("received \(byteText(counters.bytesReceived)) …", .dim)
}

/// How far an upload is; nil if it is done before anyone could read it.
package func progressLine(_ upload: UploadProgress) -> Line? {
  if let share = upload.share { return Line("the app is at work … \(share.percent) %", .dim) }
  guard upload.total > 1_000_000 else { return nil }
  let size = byteText(upload.total)
  guard upload.received < upload.total else {
    return Line("sent \(size), waiting for the app …", .dim)
  }
  return Line("sending \(size) … \(upload.received * 100 / upload.total) %", .dim)
}
