internal import Dispatch
internal import Glibc
internal import SurfThreads

/// Reads each descriptor once, for all who listen to its keys.
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
    // Nobody will type there any more.
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
