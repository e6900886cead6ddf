/// What `InputParser` gets from a terminal: what a person did, or an answer to a question.
package enum InputEvent: Equatable, Sendable {
  case key(KeyStroke)
  case mouse(MouseEvent)
  /// Pasted text, unescaped. `isCut` means that it exceeded `InputParser.pasteSizeMax`, or that the
  /// end is missing.
  case paste(String, isCut: Bool)
  /// Whether the terminal's window has the keyboard focus.
  case focus(Bool)
  case reply(TerminalReply)
}

/// A key and its modifiers.
package struct KeyStroke: Hashable, Sendable {
  package enum Key: Hashable, Sendable {
    /// The scalar that the key types, a capital if Shift was held. With Control, mostly a small
    /// letter: `c` for Ctrl-C.
    case character(Character)
    case enter, tab, backspace, escape
    case up, down, left, right, home, end, pageUp, pageDown, insert, delete
    case function(Int)
  }

  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// With a character, only if Shift does not change the character itself.
    package static let shift = Modifiers(rawValue: 1)
    /// Also Meta and Option.
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  package var key: Key
  package var modifiers: Modifiers

  package init(_ key: Key, _ modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }
}

/// A mouse action, and the cell under the pointer.
package struct MouseEvent: Hashable, Sendable {
  package enum Button: Hashable, Sendable { case left, middle, right }

  package enum Action: Hashable, Sendable {
    case press(Button)
    /// Moved with the button held.
    case drag(Button)
    case release(Button)
    case wheelUp, wheelDown, wheelLeft, wheelRight
  }

  package var action: Action
  /// May be outside of a screen that has just shrunk.
  package var place: ScreenPlace

  package init(_ action: Action, at place: ScreenPlace) {
    self.action = action
    self.place = place
  }
}

/// A terminal's answer to one of `TerminalModes.questions`.
package enum TerminalReply: Hashable, Sendable {
  /// To DA1. Every terminal answers it, after all others.
  case attributes
  /// To DECRQM of a private mode.
  case mode(Int, ModeSetting)
  /// To the query of kitty's protocol: its flags.
  case keyboard(Int)
  /// To DSR 6: the cursor's place; the first row is 1.
  case cursor(row: Int, column: Int)
  /// To OSC 11: the background's luminance, from 0 for black to 1 for white.
  case background(luminance: Double)

  /// DECRPM's numbers.
  package enum ModeSetting: Int, Sendable {
    case unknown, set, reset, permanentlySet, permanentlyReset
  }
}
