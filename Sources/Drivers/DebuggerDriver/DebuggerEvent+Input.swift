import SurfDebugger
import SurfViewer
import TerminalScreen

extension DebuggerEvent {
  /// The event for a terminal's input; nil if the debugger ignores it.
  package init?(_ input: InputEvent) {
    switch input {
    case .key(let stroke):
      guard let key = CommandKey(stroke) else { return nil }
      self = .key(key)
    case .paste(let text, let isCut): self = .paste(text, isCut: isCut)
    case .mouse(let event):
      switch event.action {
      case .press(.left): self = .pointer(.press(event.place))
      case .wheelUp: self = .pointer(.scroll(-3, event.place))
      case .wheelDown: self = .pointer(.scroll(3, event.place))
      case .press, .drag, .release, .wheelLeft, .wheelRight: return nil
      }
    case .focus, .reply: return nil
    }
  }
}

extension CommandKey {
  /// A key press as the command table names it; nil if it has no name there.
  package init?(_ stroke: KeyStroke) {
    guard !stroke.modifiers.contains(.alt), let name = Self.name(stroke.key) else { return nil }
    let control = stroke.modifiers.contains(.control) ? "Ctrl-" : ""
    let shift = stroke.modifiers.contains(.shift) ? "Shift-" : ""
    self.init(control + shift + name)
  }

  private static func name(_ key: KeyStroke.Key) -> String? {
    switch key {
    case .character(let character): CommandKey(String(character)).name
    case .enter: "Enter"
    case .tab: "Tab"
    case .backspace: "Backspace"
    case .escape: "Esc"
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PageUp"
    case .pageDown: "PageDown"
    case .insert: nil
    case .delete: "Delete"
    case .function(let number): "F\(number)"
    }
  }
}
