internal import Dispatch
internal import Glibc
internal import SurfStore
internal import SurfThreads

/// Reads each descriptor for all of its listeners, behind `EventSource.keys`.
final class KeyHub: Sendable {
  static let shared = KeyHub()

  private struct Reader {
    let source: RunningSource
    var parser = KeyParser()
    var listeners: [Listener<KeyChord>] = []
  }

  private let readers = Monitor<[Int32: Reader]>([:])

  func listen(
    to descriptor: Int32, _ receive: @escaping @Sendable (KeyChord) -> Void
  ) -> Subscription {
    let listener = Listener(receive)
    readers.withLock { readers in
      var reader = readers[descriptor] ?? Reader(source: source(of: descriptor))
      reader.listeners.append(listener)
      readers[descriptor] = reader
    }
    return Subscription { [self] in
      listener.cancel()
      remove(listener, from: descriptor)
    }
  }

  private func source(of descriptor: Int32) -> RunningSource {
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "surf-keys"))
    source.setEventHandler { [self] in read(descriptor) }
    return RunningSource(source)
  }

  private func read(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    // The end of the input, or an error.
    guard count > 0 else { return end(descriptor) }
    let (chords, listeners) = readers.withLock { readers in
      (
        readers[descriptor]?.parser.chords(in: bytes.prefix(count)) ?? [],
        readers[descriptor]?.listeners ?? []
      )
    }
    for chord in chords {
      for listener in listeners { listener(chord) }
    }
  }

  private func remove(_ listener: Listener<KeyChord>, from descriptor: Int32) {
    let last = readers.withLock { readers -> Reader? in
      readers[descriptor]?.listeners.removeAll { $0 === listener }
      guard readers[descriptor]?.listeners.isEmpty == true else { return nil }
      return readers.removeValue(forKey: descriptor)
    }
    last?.source.cancel()
  }

  private func end(_ descriptor: Int32) {
    let reader = readers.withLock { $0.removeValue(forKey: descriptor) }
    reader?.source.cancel()
  }
}

/// A key that a person typed at a terminal, perhaps with Ctrl or Alt.
public enum KeyChord: Hashable, Sendable {
  /// A character alone. Enter is `"\n"`, Escape `"\u{1B}"`, and Backspace `"\u{7F}"`.
  case key(Character)
  /// Ctrl and a character. Letters are lowercase. The terminal sends Tab for Ctrl-I and Enter for
  /// Ctrl-M, and Ctrl-C is a signal.
  case control(Character)
  /// Alt and a character.
  case alt(Character)
}

/// Parses chords from the bytes of a terminal, for `KeyHub`.
struct KeyParser: Sendable {
  /// The bytes of an incomplete character.
  private var rest: [UInt8] = []
  private static let escape: UInt8 = 0x1B

  /// Skips keys that have no character, such as arrows.
  mutating func chords(in bytes: some Sequence<UInt8>) -> [KeyChord] {
    var input = ArraySlice(rest + bytes)
    var chords: [KeyChord] = []
    while let first = input.first {
      if first == Self.escape {
        input.removeFirst()
        chords += Self.escaped(&input)
      } else if let character = Self.character(&input) {
        chords.append(Self.chord(character))
      } else {
        break
      }
    }
    rest = Array(input)
    return chords
  }

  /// Parses what follows an escape: nothing, a sequence (ECMA-48 §5.4), or the key pressed with
  /// Alt.
  private static func escaped(_ input: inout ArraySlice<UInt8>) -> [KeyChord] {
    guard let first = input.first else { return [.key("\u{1B}")] }
    guard first != 0x5B, first != 0x4F else {
      let end = input.dropFirst().firstIndex { 0x40...0x7E ~= $0 }
      input = end.map { input[($0 + 1)...] } ?? []
      return []
    }
    return character(&input).map { [.alt($0)] } ?? []
  }

  /// Takes one character; nil if it is incomplete.
  private static func character(_ input: inout ArraySlice<UInt8>) -> Character? {
    guard let first = input.first else { return nil }
    let count =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    guard input.count >= count else { return nil }
    defer { input = input.dropFirst(count) }
    return String(decoding: input.prefix(count), as: UTF8.self).first
  }

  private static func chord(_ character: Character) -> KeyChord {
    guard let code = character.asciiValue else { return .key(character) }
    switch code {
    case 0x0A, 0x0D: return .key("\n")
    case 0x08: return .key("\u{7F}")
    case 0x00: return .control(" ")
    case 0x01...0x1A where code != 0x09: return .control(Character(UnicodeScalar(code + 0x60)))
    case 0x1C...0x1F: return .control(Character(UnicodeScalar(code + 0x40)))
    default: return .key(character)
    }
  }
}
