public import FoundationEssentials
internal import SurfBasics
public import SurfStore
internal import ValueCoding

/// The file in which a program keeps its state from one run to the next.
///
/// It is written beside the old one, flushed to the disk, and renamed. So whatever happens
/// meanwhile, the file holds the old state or the new one, whole. Any thread and any process may
/// save at any time; they wait for one another.
public struct Persistence: Hashable, Sendable {
  /// Where the file is.
  public let path: String

  /// The file at `path`; missing folders are made when a state is saved.
  public init(path: String) { self.path = path }

  /// The file `name` in the program's folder, in `$XDG_STATE_HOME` or else in `~/.local/state`.
  ///
  /// - Parameter environment: By default that of the process.
  public init(
    name: String, program: String = ProcessInfo.processInfo.processName,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let home = environment.folder("XDG_STATE_HOME", home: ".local/state") ?? "/.local/state"
    path = "\(home)/\(Self.plain(program))/\(Self.plain(name))"
  }

  /// Writes `state` as JSON that people can read.
  public func save(_ state: some Encodable) throws(PersistenceError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data: Data
    do {
      data = try encoder.encode(state)
    } catch {
      throw .unencodable(reason: explanation(of: error))
    }
    try WholeFile(path).replace(with: Array(data))
  }

  /// The state that was saved last.
  public func load<State: Decodable>(
    _ type: State.Type = State.self
  ) throws(PersistenceError) -> State {
    let bytes = try WholeFile(path).read()
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw .malformed(path: path, reason: explanation(of: error))
    }
  }

  /// Deletes the file; it is no error if there is none.
  public func remove() throws(PersistenceError) { try WholeFile(path).remove() }

  /// As one part of a path, whatever the program is called.
  private static func plain(_ name: String) -> String {
    let plain = name.replacing("/", with: "_")
    return ["", ".", ".."].contains(plain) ? "_" : plain
  }
}

/// Why a state was not saved or not loaded. The state of the program is as it was.
public enum PersistenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no file.
  case nothingSaved(path: String)
  /// A folder or something else is where the file belongs.
  case notAFile(path: String)
  /// The file has no content.
  case empty(path: String)
  /// The system did not let the file be read or written.
  case refused(path: String, reason: String)
  /// The file was cut, or describes no state of this type.
  case malformed(path: String, reason: String)
  /// The state cannot be written as JSON.
  case unencodable(reason: String)
  /// A validator objects to the state in the file.
  case rejected(path: String, Objection)

  /// What happened, in one line.
  public var description: String {
    switch self {
    case .nothingSaved(let path): "\(path): nothing was saved"
    case .notAFile(let path): "\(path): not a file"
    case .empty(let path): "\(path): the file is empty"
    case .refused(let path, let reason): "\(path): \(reason)"
    case .malformed(let path, let reason): "\(path): not such a state: \(reason)"
    case .unencodable(let reason): "the state cannot be saved: \(reason)"
    case .rejected(let path, let objection): "\(path): rejected (\(objection))"
    }
  }
}
