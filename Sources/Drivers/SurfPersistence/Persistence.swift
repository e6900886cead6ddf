public import FoundationEssentials
internal import SurfBasics
public import SurfStore
internal import ValueCoding

/// The file where a program keeps its state from one run to the next.
///
/// Saving writes a second file beside it, flushes that to disk, and renames it. Whatever happens
/// meanwhile, the file holds either the complete old state or the complete new one. Any thread and
/// any process may save at any time; they wait for each other.
public struct Persistence: Hashable, Sendable {
  /// The file's path.
  public let path: String

  /// The file at `path`. Saving creates missing folders.
  public init(path: String) { self.path = path }

  /// The file `name` in the program's folder, below `$XDG_STATE_HOME` or else `~/.local/state`.
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

  /// Reads the state that was saved last.
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

  /// Reads the state that was saved last, or returns `initial` if none was. A file that cannot be
  /// read is an error, because the next save would replace it.
  public func load<State: Decodable>(
    default initial: @autoclosure () -> State
  ) throws(PersistenceError) -> State {
    do throws(PersistenceError) {
      return try load(State.self)
    } catch .nothingSaved {
      return initial()
    }
  }

  /// Deletes the file. A missing file is not an error.
  public func remove() throws(PersistenceError) { try WholeFile(path).remove() }

  /// Makes any name one component of a path. By octets: a combining mark would hide a slash.
  private static func plain(_ name: String) -> String {
    let octets = name.utf8.map { octet in
      [UInt8(ascii: "/"), 0].contains(octet) ? UInt8(ascii: "_") : octet
    }
    let plain = String(decoding: octets, as: UTF8.self)
    return ["", ".", ".."].contains(plain) ? "_" : plain
  }
}

/// Why a state could not be saved or loaded. The program's own state is unchanged.
public enum PersistenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no file.
  case nothingSaved(path: String)
  /// The path leads to a folder, or to something else that is not a regular file.
  case notAFile(path: String)
  /// The file has no content.
  case empty(path: String)
  /// The system refused to read or write the file.
  case refused(path: String, reason: String)
  /// The file is cut short, or its JSON does not decode as this type of state.
  case malformed(path: String, reason: String)
  /// The state cannot be written as JSON.
  case unencodable(reason: String)
  /// A validator rejected the state in the file.
  case rejected(path: String, Objection)

  /// The path, if there is one, and what is wrong.
  public var description: String {
    switch self {
    case .nothingSaved(let path): "\(path): nothing was saved"
    case .notAFile(let path): "\(path): not a file"
    case .empty(let path): "\(path): the file is empty"
    case .refused(let path, let reason): "\(path): \(reason)"
    case .malformed(let path, let reason): "\(path): not a valid state: \(reason)"
    case .unencodable(let reason): "the state cannot be saved: \(reason)"
    case .rejected(let path, let objection): "\(path): rejected (\(objection))"
    }
  }
}
