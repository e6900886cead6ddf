extension KeyStroke.Modifiers {
  /// Decodes xterm's and kitty's number, one more than the bits. Ignores Super, Hyper and the
  /// locks.
  init(code: Int) {
    let bits = max(code, 1) - 1
    self = []
    if bits & 1 != 0 { insert(.shift) }
    // The sixth bit is kitty's Meta.
    if bits & 0b10_0010 != 0 { insert(.alt) }
    if bits & 4 != 0 { insert(.control) }
  }
}

extension KeyStroke {
  /// One octet below 0x80.
  init(ascii byte: UInt8, isAlt: Bool) {
    self.init(.character(Character(Unicode.Scalar(byte))), isAlt ? .alt : [])
    switch byte {
    // Some terminals send Ctrl-J and Ctrl-H for these keys.
    case 0x0A, 0x0D: key = .enter
    case 0x08, 0x7F: key = .backspace
    case 0x09: key = .tab
    case 0x1B: key = .escape
    case 0x00: self.init(.character(" "), modifiers.union(.control))
    case 0x01...0x1A: setControl(byte + 0x60)
    case 0x1C...0x1F: setControl(byte + 0x40)
    default: break
    }
  }

  private mutating func setControl(_ byte: UInt8) {
    key = .character(Character(Unicode.Scalar(byte)))
    modifiers.insert(.control)
  }

  init(_ scalar: Unicode.Scalar, isAlt: Bool) {
    self.init(.character(Character(scalar)), isAlt ? .alt : [])
  }

  /// Decodes the octet after `ESC O`; nil if unknown.
  init?(singleShift byte: UInt8) {
    switch byte {
    case 0x4D: self.init(.enter)
    case 0x58: self.init(.character("="))
    // The keypad's signs and digits, each 0x40 above its ASCII code.
    case 0x6A...0x79: self.init(.character(Character(Unicode.Scalar(byte - 0x40))))
    case 0x61...0x64: self.init(Self.arrows[Int(byte) - 0x61], .control)
    default: self.init(final: byte, [])
    }
  }

  /// Decodes the final octet of a sequence without a number, or with `1` and modifiers.
  init?(final: UInt8, _ modifiers: Modifiers) {
    switch final {
    case 0x41...0x44: self.init(Self.arrows[Int(final) - 0x41], modifiers)
    // rxvt: arrows with Shift.
    case 0x61...0x64: self.init(Self.arrows[Int(final) - 0x61], .shift)
    case 0x46: self.init(.end, modifiers)
    case 0x48: self.init(.home, modifiers)
    case 0x50...0x53: self.init(.function(Int(final) - 0x4F), modifiers)
    case 0x5A: self.init(.tab, modifiers.union(.shift))
    default: return nil
    }
  }

  private static let arrows: [Key] = [.up, .down, .right, .left]

  /// Decodes the number before `~`.
  init?(keypad number: Int, _ modifiers: Modifiers) {
    switch number {
    case 1, 7: self.init(.home, modifiers)
    case 2: self.init(.insert, modifiers)
    case 3: self.init(.delete, modifiers)
    case 4, 8: self.init(.end, modifiers)
    case 5: self.init(.pageUp, modifiers)
    case 6: self.init(.pageDown, modifiers)
    // The gaps are those of the VT220's keyboard.
    case 11...15: self.init(.function(number - 10), modifiers)
    case 17...21: self.init(.function(number - 11), modifiers)
    case 23...26: self.init(.function(number - 12), modifiers)
    case 28...29: self.init(.function(number - 13), modifiers)
    case 31...34: self.init(.function(number - 14), modifiers)
    default: return nil
    }
  }

  /// Decodes kitty's number of a key, mostly its scalar's.
  init?(code: Int, _ modifiers: Modifiers) {
    switch code {
    case 0...0x1F, 0x7F:
      guard let key = Self.named[code] else { return nil }
      self.init(key, modifiers)
    case 57_376...57_398: self.init(.function(code - 57_363), modifiers)
    case 57_399...57_426:
      self.init(Self.keypad[code - 57_399], modifiers)
    // Other keys of kitty's protocol, such as Caps Lock.
    case 0xE000...0xF8FF: return nil
    default:
      guard code > 0x9F || code < 0x7F,
        let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init)
      else { return nil }
      self.init(scalar, modifiers)
    }
  }

  private static let named: [Int: Key] = [
    8: .backspace, 9: .tab, 13: .enter, 27: .escape, 127: .backspace,
  ]

  /// From 57399: `0` to `9`, signs, Enter, signs, and the keys without Num Lock.
  private static let keypad: [Key] =
    "0123456789./*-+".map { .character($0) } + [.enter, .character("="), .character(",")]
    + [.left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete]

  /// Turns a letter with Shift into a capital, as terminals without the protocol do.
  private init(_ scalar: Unicode.Scalar, _ modifiers: Modifiers) {
    let capital = scalar.properties.uppercaseMapping.unicodeScalars
    guard modifiers.contains(.shift), capital.count == 1, let letter = capital.first,
      letter != scalar
    else {
      self.init(.character(Character(scalar)), modifiers)
      return
    }
    self.init(.character(Character(letter)), modifiers.subtracting(.shift))
  }
}

extension MouseEvent {
  /// Decodes xterm's mode 1006; nil for moves without a button and for buttons after the third.
  init?(code: Int, column: Int, row: Int, isRelease: Bool) {
    guard row > 0, column > 0, let action = Self.action(code, isRelease: isRelease) else {
      return nil
    }
    self.init(action, at: ScreenPlace(row: row - 1, column: column - 1))
  }

  private static func action(_ code: Int, isRelease: Bool) -> Action? {
    guard code < 128 else { return nil }
    if code & 64 != 0 {
      return isRelease ? nil : [.wheelUp, .wheelDown, .wheelLeft, .wheelRight][code & 3]
    }
    guard code & 3 < 3 else { return nil }
    let button = [Button.left, .middle, .right][code & 3]
    if isRelease { return .release(button) }
    return code & 32 != 0 ? .drag(button) : .press(button)
  }
}
