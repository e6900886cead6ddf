/// What comes from a terminal: what a person did, or an answer to a question.
package enum InputEvent: Equatable, Sendable {
  case key(KeyStroke)
  case mouse(MouseEvent)
  /// Pasted text, as it came: it may hold anything. `isCut` says that there was more than
  /// `InputParser.pasteSizeMax`, or that its end did not come.
  case paste(String, isCut: Bool)
  /// Whether the terminal's window has the keyboard now.
  case focus(Bool)
  case reply(TerminalReply)
}

/// A key, and what was held down with it.
package struct KeyStroke: Hashable, Sendable {
  package enum Key: Hashable, Sendable {
    /// What the key writes: one scalar, a capital if Shift was held. With Control, a small letter
    /// mostly: `c` for Ctrl-C.
    case character(Character)
    case enter, tab, backspace, escape
    case up, down, left, right, home, end, pageUp, pageDown, insert, delete
    /// F1 is 1.
    case function(Int)
  }

  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Of a character, only where it writes no other one by that.
    package static let shift = Modifiers(rawValue: 1)
    /// Or Meta, or Option.
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  package var key: Key
  package var modifiers: Modifiers

  /// Nothing else held down, unless said otherwise.
  package init(_ key: Key, _ modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }
}

/// What a person did with the mouse, and over which cell.
package struct MouseEvent: Hashable, Sendable {
  package enum Button: Hashable, Sendable { case left, middle, right }

  package enum Action: Hashable, Sendable {
    case press(Button)
    /// Moved with a button down.
    case drag(Button)
    case release(Button)
    case wheelUp, wheelDown, wheelLeft, wheelRight
  }

  package var action: Action
  /// May lie outside of a screen that has just become smaller.
  package var place: ScreenPlace
  package var modifiers: KeyStroke.Modifiers

  package init(_ action: Action, at place: ScreenPlace, _ modifiers: KeyStroke.Modifiers = []) {
    self.action = action
    self.place = place
    self.modifiers = modifiers
  }
}

/// An answer of the terminal.
package enum TerminalReply: Hashable, Sendable {
  /// The answer to DA1, which every terminal gives, and after all others.
  case attributes
  /// To DECRQM of a private mode.
  case mode(Int, ModeSetting)
  /// To the query of kitty's protocol: its flags.
  case keyboard(Int)
  /// To DSR 6: where the cursor is; the first row is 1.
  case cursor(row: Int, column: Int)
  /// To OSC 11: how light the background is, from 0 for black to 1 for white.
  case background(luminance: Double)

  /// Of a mode: by DECRPM's numbers.
  package enum ModeSetting: Int, Sendable {
    case unknown, set, reset, permanentlySet, permanentlyReset
  }
}
