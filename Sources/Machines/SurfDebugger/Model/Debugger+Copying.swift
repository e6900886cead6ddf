import JSONTools
import JSONTree
import SurfTimeline
import SurfViewer
import SurfWire

// Copying to the clipboard, and plain text on the terminal's own screen.
extension Debugger {
  mutating func copy(_ command: ViewerCommand, in catalog: Catalog) -> [DebuggerEffect] {
    guard let app, let instance = catalog[app], let view = views[app] else { return [] }
    let row = view.shownRow(in: instance.timeline) ?? 0
    if view.detail.isReading, command == .copyValue || command == .copyDiff {
      tell("row \(row) is still being read", while: atCursor)
      return []
    }
    switch command {
    case .copyPath:
      return view.detail.place(in: tab).map { copy("the path", "\($0)") } ?? []
    case .copyValue: return copyValue(of: row, view, instance)
    case .copyDiff:
      guard let changes = view.detail.changes else {
        tell("there is no state to compare with")
        return []
      }
      return copy("the difference", changes.text)
    case .copyRow: return [.copy(CopyRequest(title: "row \(row)", content: .row(app, row)))]
    case .copySource:
      return copy("the source place", instance.timeline.row(row)?.record.source ?? "")
    default: return copyCommand(view, instance, in: catalog)
    }
  }

  private mutating func copyCommand(
    _ view: AppView, _ instance: Instance, in catalog: Catalog
  ) -> [DebuggerEffect] {
    do throws(Refusal) {
      return copy("the command", try ShellCommand(self, view, instance, in: catalog).text)
    } catch {
      tell(error.text)
      return []
    }
  }

  func copy(_ subcommand: ShellSubcommand, in catalog: Catalog) -> [DebuggerEffect] {
    let text = ShellCommand(subcommand, self, in: catalog).text
    return copy("`\(text)`", text)
  }

  private func copy(_ title: String, _ text: String) -> [DebuggerEffect] {
    [.copy(CopyRequest(title: title, content: .bytes(Array(text.utf8))))]
  }

  /// Copies a value as JSON, or the state as it was recorded.
  private mutating func copyValue(
    of row: SequenceNumber, _ view: AppView, _ instance: Instance
  ) -> [DebuggerEffect] {
    if tab == .action, let value = view.detail.payload?.value {
      return copy("the value", value.text(.pretty))
    }
    if pane == .detail, let path = view.detail.place(in: tab), !path.elements.isEmpty {
      guard let value = view.detail.outline(in: tab)?.value else {
        tell("the state of row \(row) has no \(Excerpt.text("\(path)"))")
        return []
      }
      return copy("the value", value.text(.pretty))
    }
    let timeline = instance.timeline
    guard let state = timeline.rowInForce(at: row).flatMap(timeline.state(of:)) else {
      tell("the state of row \(row) is not here")
      return []
    }
    return [.copy(CopyRequest(title: "the state", content: .bytes(state.bytes)))]
  }

  mutating func turnMouse() -> [DebuggerEffect] {
    takesMouse.toggle()
    tell(takesMouse ? "the mouse is the viewer's" : "the mouse is the terminal's, to select text")
    return [.mouse(takesMouse)]
  }

  mutating func showPlain(in catalog: Catalog) -> [DebuggerEffect] {
    overlay = .plain
    return [.showPlain(DebuggerPicture.plainText(of: self, in: catalog))]
  }
}

package struct CopyRequest: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case bytes([UInt8])
    /// The whole row, as `watch --json` prints it; within a program only its state.
    case row(SessionID, SequenceNumber)
  }

  /// What the answer calls it.
  package let title: String
  package let content: Content
}
